"""The texts are CUDA C++ as nvcc takes it: no warning, on a machine with the toolkit."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "cuda"
NVCC = shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")


@pytest.mark.skipif(NVCC is None, reason="needs nvcc")
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.cu")), ids=lambda path: path.stem)
def test_nvcc_has_nothing_to_say(file, tmp_path):
    command = [NVCC, "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-ptx", "-o", tmp_path / "out.ptx", file]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert not result.stderr
