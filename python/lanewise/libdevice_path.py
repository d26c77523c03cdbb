"""Where libdevice.10.bc, NVIDIA's math library for compilers, may lie: looked for before the first compilation only."""

import os
import sys
from pathlib import Path

_NAME = "libdevice.10.bc"


def candidates():
    """The places, best first. Only those of the environment and of a toolkit need to be full paths of folders."""
    for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if root := os.environ.get(variable):
            yield Path(root) / "nvvm" / "libdevice" / _NAME
    for entry in dict.fromkeys([*sys.path, os.path.join(sys.prefix, "lib")]):
        packages = Path(entry) / "nvidia"
        if entry and packages.is_dir():
            yield from sorted(packages.glob(f"*/nvvm/libdevice/{_NAME}"), reverse=True)
    yield Path(sys.prefix) / "nvvm" / "libdevice" / _NAME
    for root in ("/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"):
        yield Path(root) / "nvvm" / "libdevice" / _NAME
        yield Path(root) / "libdevice" / _NAME
    yield from sorted(Path("/usr/local").glob(f"cuda-*/nvvm/libdevice/{_NAME}"), reverse=True)
    # CUDA C++ compilers other than NVIDIA's bring it too, e.g. Triton's wheel.
    for entry in dict.fromkeys(sys.path):
        if entry:
            yield Path(entry) / "triton" / "backends" / "nvidia" / "lib" / _NAME


def find():
    """The path to use, or None. LANEWISE_LIBDEVICE decides when it is set."""
    if chosen := os.environ.get("LANEWISE_LIBDEVICE"):
        return Path(chosen)
    return next((path for path in candidates() if path.is_file()), None)


_announced = False


def announce():
    """Tells the core, through LANEWISE_LIBDEVICE, where the library is. Does its work once."""
    global _announced
    if _announced:
        return
    _announced = True
    if "LANEWISE_LIBDEVICE" not in os.environ and (path := find()) is not None:
        os.environ["LANEWISE_LIBDEVICE"] = str(path)
