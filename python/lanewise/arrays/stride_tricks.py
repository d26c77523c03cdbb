"""`lib.stride_tricks`: views with shapes and strides of one's own, and whether arrays share memory."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_shape

__all__ = ["as_strided", "may_share_memory", "shares_memory", "sliding_window_view"]


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """A view of the memory of `x` from its first element on; ValueError when elements lie outside it."""
    x = as_array(x, "as_strided")
    shape = x.shape if shape is None else as_shape(shape)
    strides = x.strides if strides is None else as_shape(strides)
    buffer = x.buffer
    return type(x).from_buffer(
        buffer,
        shape,
        x.dtype,
        strides=strides,
        offset=x.pointer - buffer.pointer if x.size else 0,
        read_only=x.read_only or not writeable,
    )


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """A view of all windows of this shape; their axes come last."""
    x = as_array(x, "sliding_window_view")
    window = as_shape(window_shape)
    axes = tuple(range(x.ndim)) if axis is None else tuple(one % x.ndim for one in as_shape(axis))
    if len(window) != len(axes):
        raise ValueError(f"sliding_window_view: window_shape {window} has not one extent for each of the axes {axes}")
    if any(extent < 0 for extent in window):
        raise ValueError(f"sliding_window_view: window_shape must not be negative: {window}")
    shape = list(x.shape)
    for one, extent in zip(axes, window, strict=True):
        if shape[one] < extent:
            raise ValueError(f"sliding_window_view: window_shape {window} is larger than the array {x.shape}")
        shape[one] -= extent - 1
    strides = x.strides + tuple(x.strides[one] for one in axes)
    return as_strided(x, tuple(shape) + window, strides, writeable=writeable)


class _Layout:
    """Where an array lies, told to NumPy, which computes with the addresses and reads nothing."""

    def __init__(self, x):
        self.__array_interface__ = {
            "version": 3,
            "shape": x.shape,
            "strides": x.strides,
            "typestr": f"|V{x.itemsize}",
            "data": (x.pointer, True),
        }


def may_share_memory(a, b, max_work=None):
    """Whether the memory of two arrays overlaps, by its bounds."""
    if not (isinstance(a, _core.Array) and isinstance(b, _core.Array)):
        return False
    return _core.functions.may_share_memory(a, b)


def shares_memory(a, b, max_work=None):
    """Whether two arrays have a byte in common."""
    if not may_share_memory(a, b):
        return False
    return np.shares_memory(np.asarray(_Layout(a)), np.asarray(_Layout(b)), max_work=max_work)
