"""NumPy arrays in page-locked memory: copies between them and the device are fast and asynchronous."""

import math

import numpy as np

from lanewise.compat.cupy._creation import as_shape
from lanewise.compat.cupy.cuda.pinned_memory import alloc_pinned_memory


def empty_pinned(shape, dtype=float, order="C"):
    """As numpy.empty."""
    shape, dtype = as_shape(shape), np.dtype(dtype)
    memory = alloc_pinned_memory(math.prod(shape) * dtype.itemsize)
    return np.ndarray(shape, dtype, buffer=memory, order=order)


def zeros_pinned(shape, dtype=float, order="C"):
    """As numpy.zeros."""
    array = empty_pinned(shape, dtype, order)
    array.fill(0)
    return array


def _like(make, a, dtype, order, shape):
    shape = a.shape if shape is None else shape
    if order in ("K", "A", None):
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    return make(shape, a.dtype if dtype is None else dtype, order)


def empty_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """As numpy.empty_like, of an array of the device or the host."""
    return _like(empty_pinned, a, dtype, order, shape)


def zeros_like_pinned(a, dtype=None, order="K", subok=None, shape=None):
    """As numpy.zeros_like, of an array of the device or the host."""
    return _like(zeros_pinned, a, dtype, order, shape)
