"""The face of CuPy: its names for lanewise's arrays and functions, streams, memory, and kernels in CUDA C++."""

import importlib

from lanewise.compat.cupy import _later, _numpy_names, cuda
from lanewise.compat.cupy._array import ndarray
from lanewise.compat.cupy._creation import (
    array,
    asanyarray,
    asarray,
    ascontiguousarray,
    asfortranarray,
    asnumpy,
    empty,
    empty_like,
    from_dlpack,
    fromDlpack,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from lanewise.compat.cupy._kernels import RawKernel, RawModule
from lanewise.compat.cupy._memoize import clear_memo, memoize
from lanewise.compat.cupy._modules import get_array_module, is_available, show_config
from lanewise.compat.cupy._ufunc import ufunc
from lanewise.compat.cupy.cuda._pools import get_default_memory_pool
from lanewise.compat.cupy.cuda.pinned_memory import get_default_pinned_memory_pool

__version__ = "14.2.0"

_SUBMODULES = frozenset({"exceptions", "lib", "testing", "typing"})
_EXPRESSIONS = frozenset({"ElementwiseKernel", "ReductionKernel", "fuse", "vectorize"})
_ABSENT = object()


# Functions defined here must not use builtins that the namespace has too (any, sum, ...): `__getattr__` adds those.
def __getattr__(name):
    if name == "__all__":
        return __dir__()
    value = _find(name)
    if value is _ABSENT:
        raise AttributeError(_later.reason(name) or f"module 'cupy' has no attribute {name!r}")
    globals()[name] = value
    return value


def _find(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name.startswith("_"):
        return _ABSENT
    if name in _numpy_names.NAMES:
        return _numpy_names.find(name)
    if name in _EXPRESSIONS:
        return importlib.import_module(f"{__name__}._expressions").find(name)
    return importlib.import_module(f"{__name__}._functions").find(name, _ABSENT)


def __dir__():
    arrays = importlib.import_module("lanewise.arrays")
    names = {*globals(), *_SUBMODULES, *_EXPRESSIONS, *_numpy_names.NAMES, *arrays.__all__}
    return [name for name in names if not name.startswith("_") and name not in ("array_class", "importlib")]
