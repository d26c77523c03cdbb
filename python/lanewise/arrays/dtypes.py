"""Dtypes, their limits and promotion, and the constants: NumPy's own objects, which arrays here share."""

import numpy as np

from lanewise import _core

# Taken from NumPy as they are: none of these touches the elements of an array.
SHARED_WITH_NUMPY = (
    *("bool", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"),
    *("float64", "complex64", "complex128", "byte", "short", "intc", "int_", "long", "longlong", "intp", "ubyte"),
    *("ushort", "uintc", "uint", "ulong", "ulonglong", "uintp", "half", "single", "double", "csingle", "cdouble"),
    *("generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating"),
    *("flexible", "character", "void", "iterable", "mintypecode", "exceptions", "errstate", "geterr", "seterr"),
    *("dtype", "issubdtype", "isdtype", "typename", "typecodes", "sctypeDict", "ScalarType", "base_repr"),
    *("binary_repr", "format_float_positional", "format_float_scientific", "broadcast_shapes", "ndindex"),
    *("s_", "index_exp", "get_printoptions", "set_printoptions", "printoptions"),
    *("e", "pi", "euler_gamma", "inf", "nan", "newaxis", "True_", "False_", "little_endian"),
)
globals().update({name: getattr(np, name) for name in SHARED_WITH_NUMPY})

__all__ = [
    *SHARED_WITH_NUMPY,
    "can_cast",
    "common_type",
    "finfo",
    "iinfo",
    "isscalar",
    "min_scalar_type",
    "promote_types",
    "result_type",
]


def _dtype_of(x):
    """The dtype of an array; anything else as it is."""
    return x.dtype if isinstance(x, _core.Array) else x


def is_bfloat16(dtype):
    """Whether the dtype is the bfloat16 of ml_dtypes, which NumPy does not count among the floating-point ones."""
    return getattr(dtype, "name", getattr(dtype, "__name__", dtype)) == "bfloat16"


def is_inexact(dtype):
    """Whether elements of the dtype may be NaN."""
    return dtype.kind in "fc" or is_bfloat16(dtype)


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on these arrays, dtypes and numbers computes in. Python numbers are weak."""
    return np.result_type(*map(_dtype_of, arrays_and_dtypes))


def promote_types(type1, type2):
    """The smallest dtype that both cast to safely."""
    return np.promote_types(type1, type2)


def can_cast(from_, to, casting="safe"):
    """Whether `from_`, a dtype or an array, casts to `to` by the rule `casting`."""
    return np.can_cast(_dtype_of(from_), to, casting)


def common_type(*arrays):
    """The smallest floating-point or complex class that holds what all arrays hold."""
    return np.common_type(*(np.empty(0, x.dtype) for x in arrays))


def min_scalar_type(a):
    """The smallest dtype that holds the number; of an array with dimensions, its dtype."""
    if isinstance(a, _core.Array):
        return np.min_scalar_type(a.item()) if a.ndim == 0 else a.dtype
    return np.min_scalar_type(a)


def finfo(dtype):
    """The limits of a floating-point dtype, or of an array's."""
    dtype = _dtype_of(dtype)
    if is_bfloat16(dtype):
        import ml_dtypes

        return ml_dtypes.finfo(dtype)
    return np.finfo(dtype)


def iinfo(int_type):
    """The limits of an integer dtype, or of an array's."""
    return np.iinfo(_dtype_of(int_type))


def isscalar(element):
    """True for Python's and NumPy's scalars; False for arrays, those without dimensions too."""
    return np.isscalar(element)
