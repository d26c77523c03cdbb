"""Arrays with elements added, left out or put elsewhere."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import along, as_array, as_axis, as_shape, beside, core, host_array

__all__ = ["append", "delete", "insert", "resize", "roll", "trim_zeros"]


def append(arr, values, axis=None):
    """With `values` after the last elements along an axis; None: of the raveled arrays."""
    parts = [as_array(arr, "append"), as_array(values, "append")]
    if axis is None:
        parts, axis = [core.reshape(part, (-1,)) for part in parts], 0
    return core.concatenate(parts, axis)


def roll(a, shift, axis=None):
    """With the elements moved by `shift` places; those that leave come in again at the other end."""
    return core.roll(as_array(a, "roll"), shift, axis)


def resize(a, new_shape):
    """The elements in another shape, repeated as often as needed."""
    a = as_array(a, "resize")
    shape = as_shape(new_shape)
    if any(extent < 0 for extent in shape):
        raise ValueError(f"resize: the extents must not be negative: {shape}")
    count = 1
    for extent in shape:
        count *= extent
    flat = core.reshape(a, (-1,))
    if count == 0 or flat.size == 0:
        return core.full(shape, 0, a.dtype, **beside(a))
    if count <= flat.size:
        return core.reshape(flat[:count], shape).copy()
    return core.reshape(core.tile(flat, (-(-count // flat.size),))[:count], shape)


def _flattened(arr, axis, call):
    arr = as_array(arr, call)
    if axis is None:
        return core.reshape(arr, (-1,)), 0
    return arr, as_axis(axis, arr.ndim)


def _positions(obj, extent, call):
    """The host's positions that a slice, an int, a mask or integers mean on an axis of this extent."""
    if isinstance(obj, slice):
        return np.arange(*obj.indices(extent))
    index = host_array(obj)
    if index.dtype == bool:
        if index.shape != (extent,):
            raise ValueError(f"{call}: a mask of shape {index.shape} for an axis of {extent} elements")
        return np.flatnonzero(index)
    if index.size == 0:
        return np.empty(0, np.int64)
    if index.dtype.kind not in "iu":
        raise IndexError(f"{call}: indices must be integers or booleans, not {index.dtype}")
    return index


def _places_beside(chosen, extent, arr):
    """The positions of an axis that `chosen` (a slice, or integers on the device of `arr`) does not choose."""
    rest = core.full((extent,), True, bool, **beside(arr))
    rest[chosen] = False
    return core.nonzero(rest)[0]


def delete(arr, obj, axis=None):
    """Without the elements at the positions `obj` (a slice, an int, integers or a mask) along an axis."""
    arr, axis = _flattened(arr, axis, "delete")
    extent = arr.shape[axis]
    if isinstance(obj, slice):
        return core.take(arr, _places_beside(obj, extent, arr), axis)
    positions = _positions(obj, extent, "delete")
    if positions.size and (positions.min() < -extent or positions.max() >= extent):
        raise IndexError(f"delete: index {positions.tolist()} is out of bounds for axis {axis} with {extent} elements")
    return core.take(arr, _places_beside(core.from_host(positions, device=arr.device), extent, arr), axis)


def insert(arr, obj, values, axis=None):
    """With `values` before the positions `obj` along an axis."""
    arr, axis = _flattened(arr, axis, "insert")
    extent = arr.shape[axis]
    positions = _positions(obj, extent, "insert")
    one = positions.size == 1
    scalar_position = positions.ndim == 0
    positions = np.atleast_1d(positions).ravel().astype(np.int64)
    if positions.size and (positions.min() < -extent or positions.max() > extent):
        raise IndexError(f"insert: index {positions.tolist()} is out of bounds for axis {axis} with {extent} elements")
    positions = np.where(positions < 0, positions + extent, positions)
    values = core.astype(values if isinstance(values, _core.Array) else core.from_host(values), arr.dtype, copy=False)
    values = core.reshape(values, (1,) * (arr.ndim - values.ndim) + values.shape)
    if scalar_position:
        values = core.moveaxis(values, 0, axis)
    count = values.shape[axis] if one else positions.size
    if one:
        positions = np.repeat(positions, count)
    values = core.broadcast_to(values, arr.shape[:axis] + (count,) + arr.shape[axis + 1 :])
    order = np.argsort(positions, kind="stable")
    places = np.empty(count, np.int64)
    places[order] = positions[order] + np.arange(count)
    result = core.empty(arr.shape[:axis] + (extent + count,) + arr.shape[axis + 1 :], arr.dtype, **beside(arr))
    places = core.from_host(places, device=arr.device)
    result[along(arr.ndim, axis, _places_beside(places, extent + count, arr))] = arr
    result[along(arr.ndim, axis, places)] = values
    return result


def trim_zeros(filt, trim="fb", axis=None):
    """Without the zeros at the front ("f") and the back ("b") of each axis. Waits for the device."""
    filt = as_array(filt, "trim_zeros")
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: trim must be 'f', 'b' or 'fb', not {trim!r}")
    axes = range(filt.ndim) if axis is None else [as_axis(one, filt.ndim) for one in np.atleast_1d(axis)]
    cuts = [slice(None)] * filt.ndim
    for one in axes:
        others = tuple(other for other in range(filt.ndim) if other != one)
        used = core.any(filt != 0, others) if others else filt != 0
        if not core.any(used).item():
            cuts[one] = slice(0, 0)
            continue
        first, behind = core.argmax(used).item(), used.size - core.argmax(used[::-1]).item()
        cuts[one] = slice(first if "f" in trim else None, behind if "b" in trim else None)
    return filt[tuple(cuts)]
