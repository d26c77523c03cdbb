"""The face of CupyX: helpers beside CuPy's namespace."""

import importlib

from lanewise.compat.cupyx._errstate import errstate, geterr, seterr
from lanewise.compat.cupyx._pinned import empty_like_pinned, empty_pinned, zeros_like_pinned, zeros_pinned
from lanewise.compat.cupyx._scatter import scatter_add, scatter_max, scatter_min

_SUBMODULES = frozenset({"profiler", "runtime", "time"})
_REFUSED = {
    "GeneralizedUFunc": "ufuncs over inner dimensions are not offered yet; write a RawKernel",
    "jit": "write the kernel with lanewise.cuda.jit, which takes these arrays, or as a cupy.RawKernel",
    "scipy": "what stands on SciPy is not offered yet; copy to the host with cupy.asnumpy and use SciPy",
    "distributed": "communication between processes is not offered yet",
    "optimizing": "tuning is not offered: kernels choose their launch by themselves",
    "lapack": "bindings of cuSOLVER are not offered",
    "signal": "signal processing is not offered yet; copy to the host and use scipy.signal",
    "linalg": "linear algebra is not offered yet",
    "cusparse": "bindings of cuSPARSE are not offered",
    "cutensor": "bindings of cuTENSOR are not offered",
    "DeviceSynchronized": "waiting for the device is always allowed",
    "allow_synchronize": "waiting for the device is always allowed",
}


def rsqrt(x, *args, **kwargs):
    """1 / sqrt(x), of each element."""
    import lanewise.compat.cupy as cupy

    return cupy.reciprocal(cupy.sqrt(x), *args, **kwargs)


def get_runtime_info(*, full=False):
    """The versions and devices, to be printed."""
    from lanewise.compat.cupyx import runtime

    return runtime.get_runtime_info(full=full)


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _REFUSED:
        raise AttributeError(f"cupyx.{name} is not offered by lanewise: {_REFUSED[name]}")
    raise AttributeError(f"module 'cupyx' has no attribute {name!r}")
