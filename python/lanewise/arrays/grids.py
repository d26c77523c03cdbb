"""Coordinates of grids, and indices made of them."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_shape, core

__all__ = ["c_", "indices", "ix_", "meshgrid", "mgrid", "ogrid", "r_"]


def indices(dimensions, dtype=int, sparse=False, *, device=None):
    """The positions along each axis of an array of these dimensions: stacked, or each of its own length (`sparse`)."""
    shape, dtype = as_shape(dimensions), int if dtype is None else dtype
    device = None if device is None else _core.device(device)
    if sparse:
        return tuple(
            core.reshape(core.arange(extent, dtype=dtype, device=device), _on_axis(len(shape), axis, -1))
            for axis, extent in enumerate(shape)
        )
    if not shape:
        return core.empty((0,), dtype, device=device)
    positions = [core.positions(shape, axis, device=device) for axis in range(len(shape))]
    return core.astype(core.stack(positions, 0), dtype, copy=False)


def _on_axis(ndim, axis, extent):
    """The shape of `extent` on `axis` and 1 on the others."""
    return (1,) * axis + (extent,) + (1,) * (ndim - axis - 1)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """The coordinates of the grid that one-dimensional arrays span, one array each."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}")
    axes = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        axes[:2] = [1, 0]
    grids = [
        core.reshape(as_array(x, "meshgrid"), _on_axis(len(xi), axis, -1)) for x, axis in zip(xi, axes, strict=True)
    ]
    if not sparse:
        grids = core.broadcast_arrays(*grids)
    return tuple(grid.copy() for grid in grids) if copy else tuple(grids)


def _range_of(item):
    """The numbers that a slice stands for in a grid: as arange, or as linspace when the step is complex."""
    start, stop, step = (x.item() if isinstance(x, _core.Array) else x for x in (item.start, item.stop, item.step))
    start = 0 if start is None else start
    if isinstance(step, (complex, np.complexfloating)):
        return core.linspace(float(start), float(stop), int(abs(step)), True)
    step = 1 if step is None else step
    if stop is None:
        raise ValueError("a slice that stands for numbers needs an end")
    return core.arange(start, stop, step)


class _Grid:
    """What mgrid and ogrid are: indexed by slices, they give the coordinates of a grid."""

    def __init__(self, name, sparse):
        self._name = name
        self._sparse = sparse

    def __repr__(self):
        return f"lanewise.{self._name}"

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _range_of(key)
        ranges = [_range_of(item) for item in key]
        dtype = np.result_type(*(x.dtype for x in ranges)) if ranges else np.dtype(int)
        ranges = [core.astype(x, dtype, copy=False) for x in ranges]
        grids = [core.reshape(x, _on_axis(len(ranges), axis, -1)) for axis, x in enumerate(ranges)]
        if self._sparse:
            return tuple(grids)
        return core.stack(core.broadcast_arrays(*grids), 0) if grids else core.empty((0,), dtype)


mgrid = _Grid("mgrid", sparse=False)
ogrid = _Grid("ogrid", sparse=True)


class _Joiner:
    """What r_ and c_ are: indexed by slices, numbers and arrays, they join these along an axis. A first item "axis,
    ndmin,where" says along which axis, of how many dimensions at least, and where the own axes of the items go."""

    def __init__(self, name, axis, ndmin=1, place=-1):
        self._name = name
        self._defaults = (axis, ndmin, place)

    def __repr__(self):
        return f"lanewise.{self._name}"

    def __getitem__(self, key):
        items = key if isinstance(key, tuple) else (key,)
        axis, ndmin, place = self._defaults
        if items and isinstance(items[0], str):
            if items[0] in ("r", "c"):
                raise NotImplementedError(f"lanewise.{self._name}: there is no matrix class; leave out {items[0]!r}")
            given = [int(number) for number in items[0].split(",")]
            axis, ndmin, place = (given + [axis, ndmin, place][len(given) :])[:3]
            items = items[1:]
        parts = [self._part(item) for item in items]
        dtype = core.result_type(*(item if weak else part.dtype for item, part, weak in parts))
        arrays = [_raised(core.astype(part, dtype, copy=False), ndmin, place) for _, part, _ in parts]
        return core.concatenate(arrays, axis)

    def _part(self, item):
        """(item, the array it stands for, whether it is a Python number)."""
        if isinstance(item, slice):
            return item, _range_of(item), False
        if isinstance(item, (bool, int, float, complex)):
            return item, core.full((1,), item), True
        array = as_array(item, self._name)
        return item, core.reshape(array, (1,)) if array.ndim == 0 else array, False


def _raised(array, ndmin, place):
    """`array` with at least `ndmin` dimensions; its own ones begin at `place` (-1: at the end)."""
    missing = ndmin - array.ndim
    if missing <= 0:
        return array
    before = missing if place == -1 else place if place >= 0 else ndmin + place + 1 - array.ndim
    before = min(max(before, 0), missing)
    return core.reshape(array, (1,) * before + array.shape + (1,) * (missing - before))


r_ = _Joiner("r_", 0)
c_ = _Joiner("c_", -1, 2, 0)


def _as_indices(arg):
    """Lists and host arrays are copied, as in `x[[0, 2]]`."""
    if not isinstance(arg, (list, tuple, range, np.ndarray)) or (isinstance(arg, np.ndarray) and arg.ndim == 0):
        return as_array(arg, "ix_")
    host = np.asarray(arg)
    return core.from_host(host if host.size or isinstance(arg, np.ndarray) else host.astype(np.int64))


def ix_(*args):
    """Index arrays that pick the elements where the given ones, or lists of indices, cross. Boolean ones wait for the
    device."""
    arrays = [_as_indices(arg) for arg in args]
    for array in arrays:
        if array.ndim != 1:
            raise ValueError(f"ix_: the sequences must have one dimension, not {array.ndim}")
    arrays = [core.nonzero(array)[0] if array.dtype == bool else array for array in arrays]
    return tuple(core.reshape(array, _on_axis(len(arrays), axis, -1)) for axis, array in enumerate(arrays))
