"""Arrays from other data and back: from host memory, from other libraries, between devices."""

import numpy as np

from lanewise import _core
from lanewise.arrays.dtypes import is_inexact
from lanewise.arrays.operands import core, is_device_object

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "asnumpy",
    "astype",
    "copy",
    "from_dlpack",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "fromstring",
    "get_array_module",
    "require",
]


def _holds_arrays(obj):
    """True when there are arrays on devices somewhere in nested lists and tuples."""
    return any(_holds_arrays(item) if isinstance(item, (list, tuple)) else is_device_object(item) for item in obj)


def _stacked(obj, call):
    """Nested sequences of arrays and numbers as one array."""
    parts = [_stacked(part, call) if isinstance(part, (list, tuple)) else asarray(part) for part in obj]
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise ValueError(f"{call}: the parts of a sequence have different shapes: {sorted(shapes)}")
    return core.stack(parts, 0)


def _converted(obj, dtype, copy, order, device, call):
    """`obj` as an ndarray of this dtype and order on this device. copy: True, None (if needed), False (never)."""
    device = None if device is None else _core.device(device)
    if is_device_object(obj):
        x = core.wrap(obj)
        fresh = False
        if device is None and not isinstance(obj, _core.Array) and x.device.kind == "cpu":
            # Another library's array in host memory, which goes where host data go.
            device = _core.current_device()
    elif isinstance(obj, (list, tuple)) and _holds_arrays(obj):
        x = _stacked(obj, call)
        fresh = True
    else:
        if copy is False:
            raise ValueError(f"{call}: copy=False, but {type(obj).__name__} has to be copied from the host")
        return core.from_host(obj, dtype, order=order or "K", device=device)

    def reject(reason):
        if copy is False:
            raise ValueError(f"{call}: copy=False, but {reason}")

    if fresh:
        reject("a sequence of arrays has to be copied")
    if device is not None and x.device is not device:
        reject(f"the array is on {x.device.name} and has to be copied to {device.name}")
        x, fresh = x.to_device(device), True
    if dtype is not None and x.dtype != np.dtype(dtype):
        reject(f"the dtype {x.dtype} has to become {np.dtype(dtype)}")
        x, fresh = core.astype(x, dtype), True
    if (order == "C" and not x.is_c_contiguous) or (order == "F" and not x.is_f_contiguous):
        reject(f"the elements have to be put in {order} order")
        x, fresh = x.copy(order), True
    return x.copy(order or "K") if copy and not fresh else x


def _with_dimensions(x, ndmin):
    return x if x.ndim >= ndmin else core.reshape(x, (1,) * (ndmin - x.ndim) + x.shape)


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, device=None):
    """A new array with the elements of anything `numpy.array` takes, of arrays, or of nested sequences of arrays."""
    return _with_dimensions(_converted(object, dtype, copy, order, device, "array"), ndmin)


def asarray(a, dtype=None, order=None, *, device=None, copy=None):
    """As an array; what is one already, on that device and of that dtype, is not copied."""
    return _converted(a, dtype, copy, order, device, "asarray")


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None):
    """As an array; subclasses stay."""
    return _converted(a, dtype, copy, order, device, "asanyarray")


def ascontiguousarray(a, dtype=None, *, device=None):
    """As an array in C order, of at least one dimension."""
    return _with_dimensions(_converted(a, dtype, None, "C", device, "ascontiguousarray"), 1)


def asfortranarray(a, dtype=None, *, device=None):
    """As an array in Fortran order, of at least one dimension."""
    return _with_dimensions(_converted(a, dtype, None, "F", device, "asfortranarray"), 1)


def asarray_chkfinite(a, dtype=None, order=None):
    """As an array; ValueError when there are NaNs or infinities in it (waits for the device)."""
    x = _converted(a, dtype, None, order, None, "asarray_chkfinite")
    if is_inexact(x.dtype) and not _core.ufuncs["isfinite"](x).all():
        raise ValueError("asarray_chkfinite: the array must not contain infs or NaNs")
    return x


def require(a, dtype=None, requirements=None):
    """As an array that is contiguous as "C" or "F" asks, and its own memory for "O"."""
    letters = {str(item).upper()[0] for item in requirements or ()} - {"A", "W", "E"}
    if unknown := letters - set("CFO"):
        raise ValueError(f"require: unknown requirements {sorted(unknown)}; there are C, F, A, W, O and E")
    if {"C", "F"} <= letters:
        raise ValueError("require: an array cannot be asked to be both C and F contiguous")
    order = next((letter for letter in "CF" if letter in letters), None)
    x = _converted(a, dtype, None, order, None, "require")
    return x if "O" not in letters or x.flags.owndata else x.copy(order or "K")


def copy(a, order="K", subok=False):
    """A new array with the same elements."""
    return _converted(a, None, True, order, None, "copy")


def astype(x, dtype, /, *, copy=True, device=None):
    """The elements as another dtype. copy=False: the array itself where dtype and device are those already."""
    return _converted(x, dtype, True if copy else None, "K", device, "astype")


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    """A NumPy array with the elements: copied from the device, or `a` as `numpy.asarray` takes it."""
    if is_device_object(a):
        return core.wrap(a).get(stream, order, out, blocking)
    host = np.asarray(a, order=order)
    if out is None:
        return host
    np.copyto(out, host)
    return out


def get_array_module(*args):
    """`lanewise` when an argument is one of its arrays, else `numpy`."""
    if any(isinstance(arg, _core.Array) for arg in args):
        import lanewise

        return lanewise
    return np


def from_dlpack(x, /, *, device=None, copy=None):
    """An array over the memory of another library's, through DLPack: of an object with `__dlpack__`, or a capsule."""
    array = _core.ndarray_class().from_dlpack(x)
    if device is not None or copy:
        return _converted(array, None, copy, "K", device, "from_dlpack")
    return array


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, device=None):
    """A copy of host memory, read as elements of `dtype`."""
    return core.from_host(np.frombuffer(buffer, dtype, count, offset), device=device)


def fromiter(iter, dtype, count=-1, *, device=None):
    """The items of an iterable, in one dimension."""
    return core.from_host(np.fromiter(iter, dtype, count), device=device)


def fromstring(string, dtype=float, count=-1, *, sep, device=None):
    """The numbers written in a text."""
    return core.from_host(np.fromstring(string, dtype, count, sep=sep), device=device)


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, device=None):
    """The elements in a file, read by the host."""
    return core.from_host(np.fromfile(file, dtype, count, sep, offset), device=device)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """What `function` makes of the arrays of the positions along each axis."""
    from lanewise.arrays.grids import indices

    return function(*indices(shape, dtype=dtype), **kwargs)
