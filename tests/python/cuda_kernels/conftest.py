"""The kernels of examples/cuda, compiled by every compiler of every device."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import lanewise
from lanewise import _core

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "cuda"


def _has_nvrtc(device):
    before = _core.set_current_device(device)
    try:
        lanewise.RawModule("__global__ void empty() {}", backend="nvrtc").compile()
    except _core.DeviceUnavailable:
        return False
    finally:
        _core.set_current_device(before)
    return True


def _compilers():
    for device in _core.devices():
        yield device.name, "clang"
        if device.kind == "cuda":
            if _has_nvrtc(device):
                yield device.name, "nvrtc"
            if shutil.which("nvcc") or shutil.which(
                "nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin"
            ):
                yield device.name, "nvcc"


@pytest.fixture(params=list(_compilers()), ids="-".join)
def compiled(request):
    """compiled("scan", "scan_warps<int>", ...): that file as a module, the compiler's device being the current one."""
    device, backend = request.param
    before = _core.set_current_device(_core.device(device))

    def module(name, *name_expressions):
        file = FOLDER / f"{name}.cu"
        return lanewise.RawModule(
            file.read_text(), file_name=str(file), name_expressions=name_expressions, backend=backend
        )

    yield module
    _core.set_current_device(before)


@pytest.fixture
def rng():
    return np.random.default_rng(20)
