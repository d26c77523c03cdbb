"""What the functions of this package take as arguments: arrays, numbers, axes, shapes."""

import operator

import numpy as np

from lanewise import _core

core = _core.functions

_NUMBERS = (bool, int, float, complex, np.generic)


def is_device_object(obj):
    """True for our arrays, and other libraries' by their interfaces; those in host memory are arrays of the cpu device.
    NumPy's, lists and numbers are host data."""
    if isinstance(obj, _core.Array):
        return True
    if isinstance(obj, (*_NUMBERS, np.ndarray, list, tuple)):
        return False
    return hasattr(obj, "__dlpack_device__") or hasattr(obj, "__cuda_array_interface__")


def is_number(obj):
    """Python's and NumPy's numbers, and NumPy arrays without dimensions."""
    return isinstance(obj, _NUMBERS) or (isinstance(obj, np.ndarray) and obj.ndim == 0)


def as_array(obj, call):
    """`obj` as an ndarray: arrays as they are, numbers as arrays without dimensions. TypeError for host arrays."""
    if isinstance(obj, _core.ndarray):
        return obj
    if is_number(obj):
        return core.full((), obj)
    if is_device_object(obj):
        return core.wrap(obj)
    raise TypeError(
        f"{call}: {type(obj).__name__} is not an array on a device; lanewise.asarray(x) copies it to the device"
    )


def as_arrays(objects, call):
    """The items of a sequence as ndarrays; an array stands for its parts along the first axis."""
    return [as_array(obj, call) for obj in objects]


def host_array(obj):
    """Small host data (index lists, widths) or an array as a NumPy array; an array is waited for and copied."""
    return obj.to_host() if isinstance(obj, _core.Array) else np.asarray(obj)


def beside(x):
    """The keywords that make a new array on the stream of `x` and of its class."""
    return {"stream": x.stream, "device": x.device, "cls": type(x)}


def as_shape(shape):
    """An int or a sequence of ints as a tuple."""
    try:
        return (operator.index(shape),)
    except TypeError:
        return tuple(map(operator.index, shape))


def as_axis(axis, ndim, name="axis"):
    """`axis` counted from the start; AxisError when there is none such."""
    index = operator.index(axis)
    if not -ndim <= index < ndim:
        raise np.exceptions.AxisError(index, ndim, None if name == "axis" else name)
    return index % ndim if ndim else index


def as_axes(axis, ndim, name="axis"):
    """`axis`, an int or a sequence, as a tuple of different axes counted from the start."""
    try:
        axes = (as_axis(axis, ndim, name),)
    except TypeError:
        axes = tuple(as_axis(one, ndim, name) for one in axis)
    if len(set(axes)) != len(axes):
        raise ValueError(f"repeated axis in {name}: {axis}")
    return axes


def along(ndim, axis, item):
    """The index that has `item` on `axis` and everything on the others."""
    return (slice(None),) * axis + (item,) + (slice(None),) * (ndim - axis - 1)


def deliver(result, out, call):
    """`result`, or `out` with its elements written into it."""
    if out is None:
        return result
    if not isinstance(out, _core.Array):
        raise TypeError(f"{call}: out must be an array on a device, not {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"{call}: out has shape {out.shape}, the result {result.shape}")
    core.assign(out, result, "unsafe")
    return out
