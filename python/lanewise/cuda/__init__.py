"""The kernel language and its host API: kernels as Python functions, for NVIDIA GPUs and for the CPU.

    from lanewise import cuda
    import numpy as np

    @cuda.jit
    def saxpy(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]

    x, y = cuda.to_device(np.ones(1000, np.float32)), cuda.to_device(np.zeros(1000, np.float32))
    saxpy[4, 256](2.0, x, y)
    print(y.copy_to_host())

The names are Numba's; a script written for `numba.cuda` runs by `lanewise run script.py`.
"""

import importlib

from lanewise.cuda import notices, types
from lanewise.cuda.arguments import In, InOut, Out
from lanewise.cuda.arrays import DeviceNDArray, is_cuda_array
from lanewise.cuda.compiler import (
    compile,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from lanewise.cuda.decorators import jit
from lanewise.cuda.devices import (
    Device,
    close,
    cuda_error,
    current_context,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_bfloat16_supported,
    is_float16_supported,
    is_fp8_accelerated,
    is_supported_version,
    list_devices,
    profile_start,
    profile_stop,
    profiling,
    require_context,
    select_device,
    synchronize,
)
from lanewise.cuda.graphs import Graph, graph
from lanewise.cuda.intrinsics import *  # noqa: F403
from lanewise.cuda.memory import (
    as_cuda_array,
    defer_cleanup,
    device_array,
    device_array_like,
    from_cuda_array_interface,
    managed_array,
    mapped,
    mapped_array,
    mapped_array_like,
    pinned,
    pinned_array,
    pinned_array_like,
    to_device,
)
from lanewise.cuda.sharing import IpcArrayHandle, open_ipc_array
from lanewise.cuda.streams import (
    Event,
    Stream,
    default_stream,
    event,
    event_elapsed_time,
    external_stream,
    legacy_default_stream,
    per_thread_default_stream,
    stream,
)
from lanewise.cuda.types import *  # noqa: F403
from lanewise.cuda.types import typeof

notices.install()

#: Features with an issue of their own: what an AttributeError says about them.
LATER = {
    "declare_device": "linking foreign device functions",
    "fp16": "half precision functions",
    "bf16": "bfloat16 functions",
    "vectorize": "ufuncs made from kernels",
    "guvectorize": "generalised ufuncs made from kernels",
    "reduce": "reductions made from a function",
    "Reduce": "reductions made from a function",
    "random": "random numbers in kernels",
    "set_memory_manager": "external memory managers",
    "compile_all": "compiling together with linked code",
}


def __getattr__(name):
    if name == "libdevice":
        return importlib.import_module("lanewise.cuda.libdevice")
    if name in LATER:
        raise AttributeError(f"lanewise.cuda.{name} is not offered yet ({LATER[name]})")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
