"""Where libdevice.10.bc, NVIDIA's math library for compilers, may lie: looked for before the first compilation only."""

import os
import sys

_NAME = "libdevice.10.bc"


def _children(folder):
    """The names in a folder, newest versions first."""
    try:
        return sorted(os.listdir(folder), reverse=True)
    except OSError:
        return []


def candidates():
    """The places, best first."""
    toolkit = os.path.join("nvvm", "libdevice", _NAME)
    for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if root := os.environ.get(variable):
            yield os.path.join(root, toolkit)
    entries = [entry for entry in dict.fromkeys(sys.path) if entry]
    for entry in entries:
        packages = os.path.join(entry, "nvidia")
        for name in _children(packages):
            yield os.path.join(packages, name, toolkit)
    yield os.path.join(sys.prefix, toolkit)
    for root in ("/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"):
        yield os.path.join(root, toolkit)
        yield os.path.join(root, "libdevice", _NAME)
    for name in _children("/usr/local"):
        if name.startswith("cuda-"):
            yield os.path.join("/usr/local", name, toolkit)
    # Other compilers for NVIDIA GPUs bring it too, e.g. Triton's wheel.
    for entry in entries:
        yield os.path.join(entry, "triton", "backends", "nvidia", "lib", _NAME)


def find():
    """The path to use, or None. LANEWISE_LIBDEVICE decides when it is set."""
    if chosen := os.environ.get("LANEWISE_LIBDEVICE"):
        return chosen
    return next((path for path in candidates() if os.path.isfile(path)), None)


_announced = False


def announce():
    """Tells the core, through LANEWISE_LIBDEVICE, where the library is. Does its work once."""
    global _announced
    if _announced:
        return
    _announced = True
    if "LANEWISE_LIBDEVICE" not in os.environ and (path := find()) is not None:
        os.environ["LANEWISE_LIBDEVICE"] = path
