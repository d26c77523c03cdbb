"""Machine code as text, by the CUDA toolkit's nvdisasm."""

import os
import shutil
import subprocess
import tempfile


def _tool():
    found = shutil.which("nvdisasm")
    if found is None:
        home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        found = shutil.which("nvdisasm", path=os.path.join(home, "bin"))
    if found is None:
        raise RuntimeError(
            "nvdisasm has not been found: it comes with the CUDA toolkit; put its folder on PATH or set CUDA_HOME"
        )
    return found


def disassemble(cubin, option):
    """What nvdisasm prints for a cubin, with one of its options ("-c": code, "-cfg": control flow graph in DOT)."""
    tool = _tool()
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        result = subprocess.run([tool, option, file.name], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"nvdisasm failed: {result.stderr.strip()}")
    return result.stdout
