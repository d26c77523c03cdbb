"""Where NVIDIA's files for compilers (libdevice.10.bc, wheels) lie: looked for before the first compilation only."""

import os
import sys

_NAME = "libdevice.10.bc"


def _children(folder):
    """The names in a folder, newest versions first."""
    try:
        return sorted(os.listdir(folder), reverse=True)
    except OSError:
        return []


def _packages():
    """The folders of sys.path that the nvidia-* wheels are installed in."""
    folders = (os.path.join(entry, "nvidia") for entry in dict.fromkeys(sys.path) if entry)
    return [folder for folder in folders if os.path.isdir(folder)]


def candidates():
    """The places of libdevice, best first."""
    toolkit = os.path.join("nvvm", "libdevice", _NAME)
    for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if root := os.environ.get(variable):
            yield os.path.join(root, toolkit)
    for packages in _packages():
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
    for entry in filter(None, dict.fromkeys(sys.path)):
        yield os.path.join(entry, "triton", "backends", "nvidia", "lib", _NAME)


def find():
    """The path to use, or None. LANEWISE_LIBDEVICE decides when it is set."""
    if chosen := os.environ.get("LANEWISE_LIBDEVICE"):
        return chosen
    return next((path for path in candidates() if os.path.isfile(path)), None)


_announced = False


def announce():
    """Tells the core where to look: LANEWISE_LIBDEVICE is the library, LANEWISE_NVIDIA_PACKAGES the folders of the
    wheels with NVRTC and CUDA's headers. Does its work once."""
    global _announced
    if _announced:
        return
    _announced = True
    if "LANEWISE_LIBDEVICE" not in os.environ and (path := find()) is not None:
        os.environ["LANEWISE_LIBDEVICE"] = path
    if "LANEWISE_NVIDIA_PACKAGES" not in os.environ and (packages := _packages()):
        os.environ["LANEWISE_NVIDIA_PACKAGES"] = os.pathsep.join(packages)
