"""cupy.lib.stride_tricks: views with shapes and strides of one's choice."""

from lanewise import arrays
from lanewise.compat.cupy._array import as_face


def as_strided(x, shape=None, strides=None):
    """A view of another shape and other strides (in bytes), which must stay within the memory of the array."""
    return as_face(arrays.as_strided(x, shape, strides))


def sliding_window_view(x, window_shape, axis=None):
    """A view of all windows of a shape."""
    return as_face(arrays.sliding_window_view(x, window_shape, axis))
