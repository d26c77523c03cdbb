"""Arrays joined to one, and one taken apart."""

import itertools

import numpy as np

from lanewise.arrays.operands import along, as_array, as_arrays, as_axis, core, host_array
from lanewise.arrays.shapes import atleast_1d, atleast_2d, atleast_3d

__all__ = [
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "repeat",
    "row_stack",
    "split",
    "stack",
    "tile",
    "unstack",
    "vsplit",
    "vstack",
]


def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Joined along an axis that they have; None: raveled first."""
    return core.concatenate(as_arrays(arrays, "concatenate"), axis, dtype, out, casting)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Joined along a new axis."""
    return core.stack(as_arrays(arrays, "stack"), axis, dtype, out, casting)


def _all_of(arrays, call, raised):
    return [raised(array) for array in as_arrays(arrays, call)]


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Joined along the first axis, with at least two dimensions."""
    return core.concatenate(_all_of(tup, "vstack", atleast_2d), 0, dtype, None, casting)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Joined along the second axis; one-dimensional arrays along their only one."""
    arrays = _all_of(tup, "hstack", atleast_1d)
    return core.concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype, None, casting)


def dstack(tup):
    """Joined along the third axis, with at least three dimensions."""
    return core.concatenate(_all_of(tup, "dstack", atleast_3d), 2)


def _column(array):
    return array if array.ndim >= 2 else core.reshape(array, (array.size, 1))


def column_stack(tup):
    """One-dimensional arrays, and matrices, as the columns of a matrix."""
    return core.concatenate(_all_of(tup, "column_stack", _column), 1)


def _block_depth(arrays, path=()):
    """How deep lists are nested; ValueError unless that is the same everywhere."""
    if isinstance(arrays, tuple):
        raise TypeError(f"block: {_place(path)} is a tuple; nested lists of arrays are needed")
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError(f"block: {_place(path)} is an empty list")
    depths = {_block_depth(part, (*path, index)) for index, part in enumerate(arrays)}
    if len(depths) > 1:
        raise ValueError(f"block: the lists in {_place(path)} are nested to different depths: {sorted(depths)}")
    return 1 + depths.pop()


def _place(path):
    return "arrays" + "".join(f"[{index}]" for index in path)


def _block_dimensions(arrays):
    return max(map(_block_dimensions, arrays)) if isinstance(arrays, list) else arrays.ndim


def _block(arrays, depth, ndim):
    if not isinstance(arrays, list):
        return core.reshape(arrays, (1,) * (ndim - arrays.ndim) + arrays.shape)
    return core.concatenate([_block(part, depth - 1, ndim) for part in arrays], ndim - depth)


def _blocks(arrays):
    return list(map(_blocks, arrays)) if isinstance(arrays, list) else as_array(arrays, "block")


def block(arrays):
    """Nested lists of blocks as one array: the innermost lists are joined along the last axis."""
    depth = _block_depth(arrays)
    parts = _blocks(arrays)
    result = _block(parts, depth, max(_block_dimensions(parts), depth))
    return result if depth else result.copy()


def _pieces(ary, cuts, axis):
    edges = [0, *cuts, ary.shape[axis]]
    return [ary[along(ary.ndim, axis, slice(begin, end))] for begin, end in itertools.pairwise(edges)]


def array_split(ary, indices_or_sections, axis=0):
    """Views of the parts along an axis: a number of parts of nearly the same extent, or those between the indices."""
    ary = as_array(ary, "array_split")
    axis = as_axis(axis, ary.ndim)
    extent = ary.shape[axis]
    try:
        sections = int(indices_or_sections)
    except TypeError:
        cuts = [int(cut) for cut in host_array(indices_or_sections)]
        return _pieces(ary, cuts, axis)
    if sections <= 0:
        raise ValueError(f"array_split: the number of sections must be larger than 0, not {sections}")
    small, larger = divmod(extent, sections)
    return _pieces(ary, [part * small + min(part, larger) for part in range(1, sections)], axis)


def split(ary, indices_or_sections, axis=0):
    """As `array_split`, but the parts of a number of sections must have the same extent."""
    ary = as_array(ary, "split")
    try:
        sections = int(indices_or_sections)
    except TypeError:
        return array_split(ary, indices_or_sections, axis)
    extent = ary.shape[as_axis(axis, ary.ndim)]
    if sections <= 0 or extent % sections:
        raise ValueError(f"split: {extent} elements along axis {axis} do not divide into {sections} equal parts")
    return array_split(ary, sections, axis)


def _split_along(ary, indices_or_sections, axis, ndim, call):
    ary = as_array(ary, call)
    if ary.ndim < ndim:
        raise ValueError(f"{call}: the array must have {ndim} or more dimensions, not {ary.ndim}")
    return split(ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    """`split` along the first axis of at least two."""
    return _split_along(ary, indices_or_sections, 0, 2, "vsplit")


def hsplit(ary, indices_or_sections):
    """`split` along the second axis, or the only one."""
    return _split_along(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0, 1, "hsplit")


def dsplit(ary, indices_or_sections):
    """`split` along the third axis."""
    return _split_along(ary, indices_or_sections, 2, 3, "dsplit")


def unstack(x, /, *, axis=0):
    """The parts along an axis, without it; views."""
    x = as_array(x, "unstack")
    if x.ndim == 0:
        raise ValueError("unstack: the array must have one or more dimensions")
    axis = as_axis(axis, x.ndim)
    return tuple(x[along(x.ndim, axis, index)] for index in range(x.shape[axis]))


def tile(A, reps):
    """Repeated as a whole, `reps` times along each axis."""
    return core.tile(as_array(A, "tile"), reps)


def repeat(a, repeats, axis=None):
    """Each element repeated: all the same number of times, or each its own, for which the device is waited for."""
    return core.repeat(as_array(a, "repeat"), repeats, axis)
