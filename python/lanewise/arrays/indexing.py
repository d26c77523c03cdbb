"""Elements picked and written by indices and masks."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, core, deliver, host_array, is_number

__all__ = [
    "argwhere",
    "choose",
    "compress",
    "copyto",
    "extract",
    "flatnonzero",
    "ndenumerate",
    "nonzero",
    "place",
    "put",
    "put_along_axis",
    "putmask",
    "select",
    "take",
    "take_along_axis",
]

_ufuncs = _core.ufuncs


def take(a, indices, axis=None, out=None, mode="raise"):
    """The elements at `indices`, integers of any shape, along an axis, or in C order. mode: "raise" (IndexError when
    the device is next waited for), "wrap" or "clip"."""
    return core.take(as_array(a, "take"), indices, axis, out, mode)


def put(a, ind, v, mode="raise"):
    """Writes `v`, repeated as needed, to the elements at the indices in C order; where an index is given twice, one of
    the values. mode as of `take`. Nothing without values."""
    core.put(a, ind, v, mode)


def take_along_axis(arr, indices, axis=-1):
    """The elements at `indices`, an array of integers of the same number of dimensions, along an axis."""
    return core.take_along_axis(as_array(arr, "take_along_axis"), indices, axis)


def put_along_axis(arr, indices, values, axis):
    """Writes `values` to the elements at `indices` along an axis."""
    core.put_along_axis(arr, indices, values, axis)


def nonzero(a):
    """The indices of the elements that are not zero, one array for each axis. Waits for the device."""
    a = as_array(a, "nonzero")
    if a.ndim == 0:
        raise ValueError("nonzero: the array must have one or more dimensions; lanewise.atleast_1d(x) has")
    return core.nonzero(a)


def flatnonzero(a):
    """The indices in C order of the elements that are not zero. Waits for the device."""
    return core.nonzero(core.reshape(as_array(a, "flatnonzero"), (-1,)))[0]


def argwhere(a):
    """The indices of the elements that are not zero, one row for each. Waits for the device."""
    a = as_array(a, "argwhere")
    if a.ndim == 0:
        return core.nonzero(core.reshape(a, (1,)))[0][:, None][:, :0]
    return core.transpose(core.stack(core.nonzero(a), 0))


def compress(condition, a, axis=None, out=None):
    """The elements along an axis, or in C order, where the condition holds. Waits for the device."""
    if np.ndim(condition) != 1:
        raise ValueError("compress: the condition must have one dimension")
    return deliver(core.compress(condition, as_array(a, "compress"), axis), out, "compress")


def extract(condition, arr):
    """The elements in C order where the condition is not zero. Waits for the device."""
    condition, arr = as_array(condition, "extract"), as_array(arr, "extract")
    return core.take(core.reshape(arr, (-1,)), flatnonzero(condition))


def _values(vals, dtype):
    """Values to write, in one dimension; small host data is copied to the device, Python's numbers as `dtype`."""
    if not isinstance(vals, _core.Array):
        vals = core.from_host(vals if isinstance(vals, (np.ndarray, np.generic)) else np.asarray(vals, dtype))
    return core.reshape(vals, (-1,))


def place(arr, mask, vals):
    """Writes the first values, repeated as needed, to the elements where the mask holds. Waits for the device."""
    places = flatnonzero(as_array(mask, "place"))
    if places.size == 0:
        return
    vals = _values(vals, arr.dtype)
    if vals.size == 0:
        raise ValueError("place: there are no values to write")
    core.put(arr, places, core.take(vals, core.arange(places.size, device=arr.device), mode="wrap"))


def putmask(a, mask, values):
    """Writes to each element where the mask holds the value at the same place in C order; values are repeated."""
    mask = as_array(mask, "putmask")
    if mask.size != a.size:
        raise ValueError(f"putmask: the mask of shape {mask.shape} does not match the array's {a.shape}")
    values = _values(values, a.dtype)
    if values.size == 0:
        return
    if not np.can_cast(values.dtype, a.dtype, "same_kind"):
        raise TypeError(f"putmask: {values.dtype} does not cast to {a.dtype}")
    if values.size != a.size:
        values = core.take(values, core.arange(a.size, device=a.device), mode="wrap")
    copyto(a, core.reshape(values, a.shape), "same_kind", core.reshape(mask, a.shape))


def copyto(dst, src, casting="same_kind", where=True):
    """dst[...] = src, where the mask holds; `src` may be a host array."""
    if not isinstance(dst, _core.Array):
        raise TypeError(f"copyto: dst must be an array on a device, not {type(dst).__name__}")
    if isinstance(src, np.ndarray) and src.ndim:
        src = core.from_host(src, device=dst.device)
    if where is True:
        core.assign(dst, src, casting)
        return
    source = src if is_number(src) and not isinstance(src, (np.generic, np.ndarray)) else as_array(src, "copyto")
    if isinstance(source, _core.Array):
        if not np.can_cast(source.dtype, dst.dtype, casting):
            raise TypeError(f"copyto: {source.dtype} does not cast to {dst.dtype} by the rule {casting!r}")
        source = core.astype(source, dst.dtype, copy=False)
    mask = as_array(where, "copyto")
    if mask.dtype != bool:
        raise TypeError(f"copyto: where must be boolean, not {mask.dtype}")
    core.assign(dst, core.where(mask, source, dst), "same_kind")


def choose(a, choices, out=None, mode="raise"):
    """For each element of `a`, an integer n, the element at its place of the choice number n."""
    a = as_array(a, "choose")
    if isinstance(choices, _core.Array):
        choices = [choices[index] for index in range(choices.shape[0])]
    arrays = core.broadcast_arrays(a, *(as_array(choice, "choose") for choice in choices))
    a, options = arrays[0], arrays[1:]
    if a.dtype.kind not in "biu":
        raise TypeError(f"choose: the array of numbers of choices must be of integers, not {a.dtype}")
    count = len(options)
    if mode == "wrap":
        a = _ufuncs["remainder"](core.astype(a, np.int64), count)
    elif mode == "clip":
        a = core.clip(core.astype(a, np.int64), 0, count - 1)
    elif mode == "raise":
        if a.size and core.any(_ufuncs["logical_or"](a < 0, a >= count)):
            raise ValueError(f"choose: a number is outside the {count} choices")
    else:
        raise ValueError(f"choose: mode must be 'raise', 'wrap' or 'clip', not {mode!r}")
    result = options[-1]
    for number in reversed(range(count - 1)):
        result = core.where(a == number, options[number], result)
    return deliver(result, out, "choose")


def select(condlist, choicelist, default=0):
    """The elements of the choice of the first condition that holds, else the default."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"select: {len(condlist)} conditions for {len(choicelist)} choices")
    if not condlist:
        raise ValueError("select: there are no conditions")
    conditions = [as_array(condition, "select") for condition in condlist]
    for position, condition in enumerate(conditions):
        if condition.dtype != bool:
            raise TypeError(f"select: condition {position} must be boolean, not {condition.dtype}")
    choices = [*choicelist, default]
    dtype = core.result_type(*choices)
    choices = [core.astype(as_array(choice, "select"), dtype, copy=False) for choice in choices]
    result = choices.pop()
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = core.where(condition, choice, result)
    return result.copy() if result.read_only else result


def ndenumerate(arr):
    """Pairs of an index and the number there, of a copy on the host."""
    return np.ndenumerate(host_array(arr))
