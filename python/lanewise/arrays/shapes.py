"""Arrays in other shapes and with other orders of their axes; views where possible."""

import math

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_axes, as_axis, as_shape, core

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "isfortran",
    "moveaxis",
    "ndim",
    "permute_dims",
    "ravel",
    "reshape",
    "rollaxis",
    "rot90",
    "shape",
    "size",
    "squeeze",
    "swapaxes",
    "transpose",
]


def shape(a):
    """The extents."""
    return a.shape if isinstance(a, _core.Array) else np.shape(a)


def ndim(a):
    """The number of dimensions."""
    return a.ndim if isinstance(a, _core.Array) else np.ndim(a)


def size(a, axis=None):
    """The number of elements, or the extent of an axis, or of several."""
    if axis is None:
        return a.size if isinstance(a, _core.Array) else np.size(a)
    extents = shape(a)
    count = 1
    for one in as_axes(axis, len(extents)):
        count *= extents[one]
    return count


def reshape(a, /, shape, order="C", *, copy=None):
    """The elements in another shape; one extent may be -1. copy=False: ValueError when that takes a copy."""
    a = as_array(a, "reshape")
    if order == "A":
        order = "F" if a.is_f_contiguous and not a.is_c_contiguous else "C"
    return core.reshape(a, as_shape(shape), order, copy)


def ravel(a, order="C"):
    """The elements in one dimension."""
    return as_array(a, "ravel").ravel(order)


def transpose(a, axes=None):
    """With the axes reversed, or in the order given."""
    return core.transpose(as_array(a, "transpose"), axes)


def permute_dims(a, /, axes=None):
    """With the axes in the order given, or reversed."""
    return core.transpose(as_array(a, "permute_dims"), axes)


def moveaxis(a, source, destination):
    """With axes moved to other places; the others keep their order."""
    return core.moveaxis(as_array(a, "moveaxis"), source, destination)


def rollaxis(a, axis, start=0):
    """With one axis moved before the axis `start`."""
    a = as_array(a, "rollaxis")
    axis = as_axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise np.exceptions.AxisError(f"rollaxis: start is {start}, but must be from {-a.ndim} to {a.ndim}")
    start += a.ndim if start < 0 else 0
    return core.moveaxis(a, axis, start - 1 if axis < start else start)


def swapaxes(a, axis1, axis2):
    """With two axes exchanged."""
    return as_array(a, "swapaxes").swapaxes(axis1, axis2)


def squeeze(a, axis=None):
    """Without axes of extent 1."""
    return core.squeeze(as_array(a, "squeeze"), axis)


def expand_dims(a, axis):
    """With new axes of extent 1, at these places of the result."""
    return core.expand_dims(as_array(a, "expand_dims"), axis)


def _each(arrays, raised):
    results = tuple(raised(as_array(a, "atleast")) for a in arrays)
    return results[0] if len(results) == 1 else results


def atleast_1d(*arys):
    """With at least one dimension."""
    return _each(arys, lambda a: a if a.ndim >= 1 else core.reshape(a, (1,)))


def atleast_2d(*arys):
    """With at least two dimensions; new ones come first."""
    return _each(arys, lambda a: a if a.ndim >= 2 else core.reshape(a, (1,) * (2 - a.ndim) + a.shape))


def _three_dimensions(a):
    if a.ndim >= 3:
        return a
    if a.ndim == 2:
        return core.expand_dims(a, 2)
    return core.reshape(a, (1, a.size, 1))


def atleast_3d(*arys):
    """With at least three dimensions: (N,) becomes (1, N, 1), (M, N) becomes (M, N, 1)."""
    return _each(arys, _three_dimensions)


def broadcast_to(array, shape, subok=False):
    """A read-only view of a larger shape."""
    return core.broadcast_to(as_array(array, "broadcast_to"), as_shape(shape))


def broadcast_arrays(*args, subok=False):
    """Views of the shape that all arrays broadcast to."""
    return tuple(core.broadcast_arrays(*(as_array(arg, "broadcast_arrays") for arg in args)))


class broadcast:
    """The shape that arrays and numbers broadcast to, and the arrays as views of it, in `values`."""

    def __init__(self, *args):
        self.values = broadcast_arrays(*args)
        self.shape = self.values[0].shape if args else ()
        self.nd = self.ndim = len(self.shape)
        self.size = math.prod(self.shape)
        self.numiter = len(args)


def isfortran(a):
    """True of arrays of two or more dimensions that lie in Fortran order and not in C order."""
    return as_array(a, "isfortran").flags.fnc


def flip(m, axis=None):
    """With the elements in reverse order along the axes; a view."""
    return core.flip(as_array(m, "flip"), axis)


def flipud(m):
    """Upside down: reversed along the first axis."""
    m = as_array(m, "flipud")
    if m.ndim < 1:
        raise ValueError("flipud: the array must have one or more dimensions")
    return core.flip(m, 0)


def fliplr(m):
    """Left to right: reversed along the second axis."""
    m = as_array(m, "fliplr")
    if m.ndim < 2:
        raise ValueError("fliplr: the array must have two or more dimensions")
    return core.flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    """Turned by `k` times 90 degrees, from the first towards the second of two axes."""
    m = as_array(m, "rot90")
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError(f"rot90: axes must be two, not {len(axes)}")
    first, second = (as_axis(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError(f"rot90: the axes must be different, not {axes}")
    turns = k % 4
    if turns == 0:
        return m[...]
    if turns == 2:
        return core.flip(m, (first, second))
    if turns == 1:
        return core.flip(m, second).swapaxes(first, second)
    return core.flip(m.swapaxes(first, second), second)
