"""The face of Numba: its names for what `lanewise.cuda` is. Functions for the CPU (njit) run as plain Python."""

import importlib
import os

from lanewise import config
from lanewise.compat.numba.cpu import jit, njit, prange
from lanewise.compat.numba.later import unavailable
from lanewise.cuda.types import *
from lanewise.cuda.types import Type, typeof

__version__ = "0.68.0"
version_info = (0, 68, 0)

# What asks Numba to do without a GPU asks for the cpu device here.
if config.get("ENABLE_CUDASIM") or config.get("DISABLE_CUDA"):
    os.environ.setdefault("LANEWISE_DEVICE", "cpu")

_SUBMODULES = {"core", "cuda", "errors", "extending", "np", "types"}
_LATER = {
    "vectorize": "ufuncs made from functions",
    "guvectorize": "generalised ufuncs made from functions",
    "cfunc": "C callbacks",
    "stencil": "stencils",
    "literal_unroll": "loops over tuples of different types",
    "literally": "literal arguments",
    "objmode": "object mode",
    "typed": "typed containers",
    "experimental": "jitclass",
    "from_dtype": "record types",
}


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LATER:
        unavailable(f"numba.{name}", _LATER[name])
    raise AttributeError(f"module 'numba' (the face of lanewise) has no attribute {name!r}")


__all__ = ["Type", "config", "cuda", "jit", "njit", "prange", "typeof", "types"]
