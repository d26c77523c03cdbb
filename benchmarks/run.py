"""Runs every benchmark that the machine has the means for; results go to benchmarks/results (JSON and plots).

    python benchmarks/run.py            # everything for the current device
    python benchmarks/run.py launch     # one of them
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> int:
    from lanewise import current_device

    on_gpu = current_device().kind == "cuda"
    names = sys.argv[1:] or ["launch", "compile", "transfer", "kernels_gpu" if on_gpu else "kernels_cpu"]
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, str(FOLDER / f"{name}.py")], env=os.environ).returncode:
            failed.append(name)
    if failed:
        print("failed:", ", ".join(failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
