"""numba.cuda is lanewise.cuda, with Numba's submodules."""

import importlib

import lanewise.cuda as _native
from lanewise.compat.numba.later import unavailable
from lanewise.cuda import *

HAS_NUMBA = True
implementation = "lanewise"

_SUBMODULES = {
    "api", "args", "compiler", "core", "cudadrv", "decorators", "dispatcher", "errors", "extending", "libdevice",
    "random", "testing", "types",
}  # fmt: skip


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "runtime":
        return importlib.import_module(f"{__name__}.cudadrv.runtime").runtime
    if name in _native.LATER:
        unavailable(f"numba.cuda.{name}", _native.LATER[name])
    try:
        return getattr(_native, name)
    except AttributeError:
        raise AttributeError(f"module 'numba.cuda' (the face of lanewise) has no attribute {name!r}") from None


def __dir__():
    return sorted({*dir(_native), *_SUBMODULES, "HAS_NUMBA", "implementation", "runtime"})
