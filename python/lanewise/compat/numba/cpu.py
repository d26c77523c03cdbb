"""`numba.jit` and `numba.njit`: functions for the CPU. A kernel that calls one compiles it as a device function; called
from Python it runs as plain Python."""

import warnings

from lanewise.cuda.core_types import is_signature
from lanewise.cuda.decorators import make_device_function
from lanewise.cuda.functions import DeviceFunction
from lanewise.errors import PerformanceWarning

_warned = False


class CpuFunction(DeviceFunction):
    """A function decorated with `numba.njit`."""

    accepts_jit = True

    def __call__(self, *args, **kwargs):
        global _warned
        if not _warned:
            _warned = True
            warnings.warn(
                f"{self.__qualname__}: functions made by numba.jit and numba.njit run as plain Python under lanewise "
                "when the host calls them; inside kernels they are compiled",
                PerformanceWarning,
                stacklevel=2,
            )
        return self.py_func(*args, **kwargs)


def jit(signature_or_function=None, **options):
    """As numba.jit. Signatures and options for the CPU (parallel, nogil, ...) are accepted; fastmath, boundscheck and
    inline count where a kernel calls the function."""
    counted = {name: options[name] for name in ("fastmath", "boundscheck", "inline", "forceinline") if name in options}

    def decorate(function):
        return make_device_function(function, cls=CpuFunction, **counted)

    if signature_or_function is None or is_signature(signature_or_function) or isinstance(signature_or_function, list):
        return decorate
    return decorate(signature_or_function)


def njit(signature_or_function=None, **options):
    """As numba.njit: jit without object mode."""
    return jit(signature_or_function, **options)


class prange:
    """`numba.prange`: range, on the host as in kernels."""

    __lanewise_builtin__ = "builtins.range"

    def __new__(cls, *args):
        return range(*args)
