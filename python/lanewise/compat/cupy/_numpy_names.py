"""What the namespace has from NumPy as it is: dtypes, constants, questions about dtypes, printing options."""

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
_OLDER = {"float_": "float64", "complex_": "complex128", "Inf": "inf", "NaN": "nan", "Infinity": "inf", "infty": "inf"}
_NAMES = {name: name for name in _SAME.split()} | _OLDER
#: All of these names.
NAMES = frozenset(_NAMES)


def find(name):
    """NumPy's object of one of NAMES."""
    return getattr(np, _NAMES[name])
