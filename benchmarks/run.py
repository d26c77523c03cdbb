"""Runs every benchmark that the machine has the means for; results go to benchmarks/results (JSON and plots).

python benchmarks/run.py            # everything for the current device
python benchmarks/run.py launch     # one of them
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
ALWAYS = ("launch", "compile", "cuda_compile", "transfer", "arrays_small")
BY_KIND = ("kernels", "cuda_kernels", "arrays")


def main() -> int:
    from lanewise import current_device

    kind = "gpu" if current_device().kind == "cuda" else "cpu"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*ALWAYS, *(f"{name}_{kind}" for name in BY_KIND)])
    parser.add_argument("--out", help="folder for results instead of benchmarks/results")
    options = parser.parse_args()
    if options.out:
        os.environ["LANEWISE_BENCHMARK_RESULTS"] = os.path.abspath(options.out)
    failed = []
    for name in options.names:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, str(FOLDER / f"{name}.py")], env=os.environ).returncode:
            failed.append(name)
    if failed:
        print("failed:", ", ".join(failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
