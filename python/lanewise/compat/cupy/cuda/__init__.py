"""cupy.cuda: devices, streams, events, memory."""

import importlib

from lanewise.compat.cupy.cuda._errors import OutOfMemoryError
from lanewise.compat.cupy.cuda.device import Device, get_device_id
from lanewise.compat.cupy.cuda.graph import Graph
from lanewise.compat.cupy.cuda.memory import (
    BaseMemory,
    CFunctionAllocator,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryAsyncPool,
    MemoryPointer,
    MemoryPool,
    PythonFunctionAllocator,
    UnownedMemory,
    alloc,
    get_allocator,
    malloc_async,
    malloc_managed,
    set_allocator,
    using_allocator,
)
from lanewise.compat.cupy.cuda.memory_hook import MemoryHook
from lanewise.compat.cupy.cuda.pinned_memory import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
    set_pinned_memory_allocator,
)
from lanewise.compat.cupy.cuda.profiler import profile
from lanewise.compat.cupy.cuda.stream import (
    Event,
    ExternalStream,
    Stream,
    get_current_stream,
    get_elapsed_time,
)

_SUBMODULES = """compiler device driver function graph memory memory_hook memory_hooks nvrtc nvtx pinned_memory profiler
    runtime stream"""
_SUBMODULES = frozenset(_SUBMODULES.split())
#: Modules of CuPy's that bind CUDA's libraries one to one, and others without a counterpart.
_REFUSED = "cublas cudnn cufft curand cusolver cusparse cutensor nccl cub thrust texture jitify common"
_REFUSED = frozenset(_REFUSED.split())


def is_available():
    """True when kernels can run. They always can: without a GPU they run on the cpu device."""
    return True


def get_cuda_path():
    """The folder of a CUDA toolkit, if one is found; nothing needs it."""
    import os
    import shutil

    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if os.environ.get(variable):
            return os.environ[variable]
    nvcc = shutil.which("nvcc")
    if nvcc:
        return os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    return "/usr/local/cuda" if os.path.isdir("/usr/local/cuda") else None


def get_nvcc_path():
    import shutil

    return shutil.which("nvcc")


def get_local_runtime_version():
    """The CUDA version whose names the face has."""
    return 13000


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "Function":
        return importlib.import_module(f"{__name__}.function").Function
    if name == "Module":
        return importlib.import_module(f"{__name__}.function").Module
    if name in _REFUSED:
        raise AttributeError(f"cupy.cuda.{name} is not offered by lanewise: it has no bindings of CUDA's libraries")
    raise AttributeError(f"module 'cupy.cuda' has no attribute {name!r}")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES)
