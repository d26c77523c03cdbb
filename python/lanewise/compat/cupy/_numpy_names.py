"""What the namespace has from NumPy as it is: dtypes, constants, questions about dtypes, printing options."""

import importlib

import numpy as np

_SAME = """
    bool_ byte ubyte short ushort intc uintc int_ uint longlong ulonglong int8 int16 int32 int64 uint8 uint16 uint32
    uint64 intp uintp half single double float16 float32 float64 csingle cdouble complex64 complex128 long ulong
    generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible character void
    dtype finfo iinfo issubdtype mintypecode typename isdtype isscalar iterable
    e euler_gamma inf nan newaxis pi little_endian
    s_ index_exp broadcast_shapes
    get_printoptions set_printoptions printoptions format_float_positional format_float_scientific base_repr binary_repr
    typecodes sctypeDict
    """

#: Spellings that NumPy 2 has dropped.
_OLDER = {
    "float_": "float64",
    "complex_": "complex128",
    "cfloat": "complex128",
    "singlecomplex": "complex64",
    "Inf": "inf",
    "Infinity": "inf",
    "infty": "inf",
    "NaN": "nan",
    "NAN": "nan",
}
_NAMES = {name: name for name in _SAME.split()} | _OLDER
#: Names that NumPy has elsewhere or has dropped altogether.
_VALUES = {"PINF": np.inf, "NINF": -np.inf, "PZERO": 0.0, "NZERO": -0.0}
_EXCEPTIONS = (
    "AxisError",
    "ComplexWarning",
    "ModuleDeprecationWarning",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
)
#: All of these names.
NAMES = frozenset({*_NAMES, *_VALUES, *_EXCEPTIONS})


def find(name):
    """The object of one of NAMES."""
    if name in _VALUES:
        return _VALUES[name]
    if name in _NAMES:
        return getattr(np, _NAMES[name])
    return getattr(importlib.import_module("lanewise.compat.cupy.exceptions"), name)
