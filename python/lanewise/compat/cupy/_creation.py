"""Functions that make arrays of shapes, and of data of the host."""

import operator

import numpy as np

from lanewise import _core
from lanewise.compat.cupy._array import as_face, ndarray

_functions = _core.functions


def as_shape(shape):
    """An int or a sequence of ints as a tuple."""
    try:
        return (operator.index(shape),)
    except TypeError:
        return tuple(map(operator.index, shape))


def _dtype(dtype):
    dtype = np.dtype(dtype)
    if (dtype.kind not in "biufc" and dtype.name != "bfloat16") or dtype.char in "gG" or not dtype.isnative:
        instead = "; arrays of structures go to kernels by their bytes: x.view(numpy.uint8)" if dtype.fields else ""
        raise ValueError(f"Unsupported dtype {dtype}: arrays hold bools, integers, floats and complex numbers{instead}")
    return dtype


def empty_as(cls, shape, dtype, order, strides=None):
    """An array of class `cls` with undefined contents."""
    return super(ndarray, cls).__new__(cls, as_shape(shape), _dtype(dtype), strides=strides, order=order or "C")


def _filled(shape, value, dtype, order):
    if order in ("C", None, "K", "A"):
        return _functions.full(as_shape(shape), value, dtype, cls=ndarray)
    array = empty_as(ndarray, shape, dtype, order)
    array.fill(value)
    return array


def empty(shape, dtype=float, order="C"):
    """An array with undefined contents."""
    return empty_as(ndarray, shape, dtype, order)


def zeros(shape, dtype=float, order="C"):
    """An array of zeros."""
    return _filled(shape, 0, _dtype(dtype), order)


def ones(shape, dtype=float, order="C"):
    """An array of ones."""
    return _filled(shape, 1, _dtype(dtype), order)


def full(shape, fill_value, dtype=None, order="C"):
    """An array of one value: a number, or an array that broadcasts to the shape."""
    if isinstance(fill_value, _core.Array):
        array = empty_as(ndarray, shape, fill_value.dtype if dtype is None else dtype, order)
        array[...] = fill_value
        return array
    if dtype is None:
        dtype = np.array(fill_value).dtype
    return _filled(shape, fill_value, _dtype(dtype), order)


def _like(a, value, dtype, order, shape):
    """An array like `a`; value None: undefined contents."""
    from lanewise import arrays

    array = as_face(arrays.empty_like(a, dtype, order or "K", shape=shape))
    if value is not None:
        array[...] = value
    return array


def empty_like(prototype, dtype=None, order="K", subok=None, shape=None):
    """An array with undefined contents and the shape and dtype of another."""
    return _like(prototype, None, dtype, order, shape)


def zeros_like(a, dtype=None, order="K", subok=None, shape=None):
    """Zeros with the shape and dtype of another array."""
    return _like(a, 0, dtype, order, shape)


def ones_like(a, dtype=None, order="K", subok=None, shape=None):
    """Ones with the shape and dtype of another array."""
    return _like(a, 1, dtype, order, shape)


def full_like(a, fill_value, dtype=None, order="K", subok=None, shape=None):
    """One value with the shape and dtype of another array."""
    return _like(a, fill_value, dtype, order, shape)


def _from_host(obj, dtype, order):
    """A copy of what `numpy.asarray` takes."""
    host = np.asarray(obj, None if dtype is None else np.dtype(dtype))
    _dtype(host.dtype)
    return _functions.from_host(host, order=order or "K", cls=ndarray)


def _is_of_host(obj):
    if isinstance(obj, (list, tuple)):
        return all(map(_is_of_host, obj))
    return isinstance(obj, (bool, int, float, complex, np.generic, np.ndarray)) or not (
        isinstance(obj, _core.Array) or hasattr(obj, "__cuda_array_interface__") or hasattr(obj, "__dlpack_device__")
    )


def _converted(obj, dtype, copy, order, ndmin=0):
    if hasattr(obj, "__cupy_get_ndarray__"):
        obj = obj.__cupy_get_ndarray__()
    if _is_of_host(obj):
        array = _from_host(obj, dtype, order)
    else:
        from lanewise import arrays

        if isinstance(obj, (list, tuple)):
            array = arrays.array(obj, dtype, order=order or "K")
        else:
            make = arrays.array if copy else arrays.asarray
            array = make(obj, dtype, order=order or ("K" if copy else None))
        array = as_face(array)
    return array if array.ndim >= ndmin else array.reshape((1,) * (ndmin - array.ndim) + array.shape)


def array(obj, dtype=None, copy=True, order="K", subok=False, ndmin=0, *, blocking=False):
    """A new array of anything `numpy.array` takes, of arrays, or of nested sequences of arrays."""
    return _converted(obj, dtype, copy is None or bool(copy), order, ndmin)


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    """As an array; what is one already, of this dtype and order, is not copied. copy=True: always; False: never."""
    if copy is False:
        from lanewise import arrays

        return as_face(arrays.asarray(a, dtype, order, copy=False))
    return _converted(a, dtype, bool(copy), order)


def asanyarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    """As `asarray`."""
    return asarray(a, dtype, order, copy=copy)


def ascontiguousarray(a, dtype=None):
    """As an array in C order."""
    return _converted(a, dtype, False, "C", 1)


def asfortranarray(a, dtype=None):
    """As an array in Fortran order."""
    return _converted(a, dtype, False, "F", 1)


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    """A NumPy array with the elements; with `blocking=False` and page-locked `out` it does not wait."""
    if isinstance(a, _core.ndarray):
        return a.get(stream, order, out, blocking)
    if not _is_of_host(a):
        return asarray(a).get(stream, order, out, blocking)
    host = np.asarray(a, order=order)
    if out is None:
        return host
    np.copyto(out, host)
    return out


def from_dlpack(array, *, device=None, copy=None):
    """An array over the memory of another library's; a DLPack capsule or an object with `__dlpack__`."""
    from lanewise import arrays

    return as_face(arrays.from_dlpack(array, device=device, copy=copy))


fromDlpack = from_dlpack
