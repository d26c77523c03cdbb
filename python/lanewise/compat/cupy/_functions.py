"""The functions of the namespace: lanewise's, with results of this face's class, and those with rules of CuPy's own."""

import functools
import inspect

from lanewise import _core, arrays
from lanewise.arrays import files
from lanewise.compat.cupy import _ufunc
from lanewise.compat.cupy._array import as_face


def put(a, ind, v, mode="wrap"):
    """Writes elements by their positions in C order; what is out of bounds wraps unless `mode` is "raise" or "clip"."""
    _core.functions.put(a, ind, v, mode)


def take(a, indices, axis=None, out=None):
    """The elements at these positions, along an axis or in C order; out of bounds they wrap."""
    return as_face(_core.functions.take(a, indices, axis, out, "wrap"))


def _arg_extreme(name):
    compute = getattr(arrays, name)

    def extreme(a, axis=None, dtype=None, out=None, keepdims=False):
        result = as_face(compute(a, axis, out, keepdims=keepdims))
        return result if dtype is None else result.astype(dtype)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"The position of the {'largest' if name.endswith('max') else 'smallest'} element along an axis."
    return extreme


argmax, argmin, nanargmax, nanargmin = map(_arg_extreme, ("argmax", "argmin", "nanargmax", "nanargmin"))


def corrcoef(a, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None):
    """The Pearson correlation coefficients. `bias` and `ddof` have no effect."""
    return as_face(arrays.corrcoef(a, y, rowvar, dtype=dtype))


def byte_bounds(a):
    """The address of the first byte, and the one behind the last."""
    low = high = a.data.ptr
    if a.size:
        for extent, stride in zip(a.shape, a.strides, strict=True):
            reach = (extent - 1) * stride
            low, high = (low + reach, high) if stride < 0 else (low, high + reach)
    return low, high + a.itemsize


class NpzFile(files.NpzFile):
    """The arrays of an .npz file, copied to the device when they are asked for."""

    def __getitem__(self, key):
        return as_face(super().__getitem__(key))


def load(file, mmap_mode=None, allow_pickle=None):
    """The array of a .npy file, or the arrays of an .npz file by name."""
    loaded = files.load(file, mmap_mode, bool(allow_pickle))
    return NpzFile(loaded._npz, None) if isinstance(loaded, files.NpzFile) else as_face(loaded)


class _Indexed:
    """mgrid, ogrid, r_, c_: what indexing them gives is of this face's class."""

    def __init__(self, native):
        self._native = native
        self.__doc__ = native.__doc__

    def __getitem__(self, key):
        return as_face(self._native[key])


#: Where CuPy has other arguments or rules than NumPy.
_OWN_FUNCTIONS = (put, take, argmax, argmin, nanargmax, nanargmin, corrcoef, byte_bounds, load)
_OWN = {function.__name__: function for function in _OWN_FUNCTIONS}

#: Arguments that have other names in CuPy than in NumPy: (CuPy's, NumPy's).
_RENAMED = {
    "array_str": ("arr", "a"),
    "concat": ("tup", "arrays"),
    "concatenate": ("tup", "arrays"),
    "cov": ("a", "m"),
    "delete": ("indices", "obj"),
    "ediff1d": ("arr", "ary"),
    "extract": ("a", "arr"),
    "flip": ("a", "m"),
    "fliplr": ("a", "m"),
    "flipud": ("a", "m"),
    "reshape": ("newshape", "shape"),
    "rot90": ("a", "m"),
    "stack": ("tup", "arrays"),
    "take_along_axis": ("a", "arr"),
    "unravel_index": ("dims", "shape"),
}

#: Names that NumPy 2 has dropped.
_ALIASES = {
    "alltrue": "all",
    "cumproduct": "cumprod",
    "in1d": "isin",
    "product": "prod",
    "round_": "round",
    "row_stack": "vstack",
    "sometrue": "any",
    "trapz": "trapezoid",
}


#: Classes that are CuPy's as they are.
_CLASSES = frozenset({"broadcast", "flatiter"})


def find(name, absent):
    """The function or object of this name; `absent` when there is none."""
    if name in _OWN:
        return _OWN[name]
    name = _ALIASES.get(name, name)
    value = getattr(arrays, name, absent) if name in arrays.__all__ else absent
    if isinstance(value, _core.Ufunc):
        return _ufunc.find(value.__name__)
    if inspect.isroutine(value):
        return _wrapped(value, *_RENAMED.get(name, ()))
    if inspect.isclass(value):
        return value if name in _CLASSES or value.__module__.startswith("numpy") else absent
    return _Indexed(value) if hasattr(type(value), "__getitem__") and hasattr(value, "__dict__") else value


def _wrapped(function, theirs=None, ours=None):
    @functools.wraps(function)
    def with_results(*args, **kwargs):
        if theirs in kwargs:
            kwargs[ours] = kwargs.pop(theirs)
        return as_face(function(*args, **kwargs))

    with_results.__module__ = "cupy"
    return with_results
