"""Arrays with borders around them."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import along, as_array, beside, core, host_array

__all__ = ["pad"]

_CORE_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
_STATISTICS = {"maximum": core.max, "minimum": core.min, "mean": core.mean}
# The keywords that each mode takes.
_KEYWORDS = {
    "constant": ("constant_values",),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "edge": (),
    "wrap": (),
    "empty": (),
}


def _pairs(given, ndim, name):
    """(before, after) for each axis, of a number, a pair, a pair for each axis, or a dict from axes to these."""
    if isinstance(given, dict):
        by_axis = {axis % ndim: np.broadcast_to(pair, (2,)) for axis, pair in given.items()}
        return [tuple(by_axis.get(axis, (0, 0))) for axis in range(ndim)]
    try:
        pairs = np.broadcast_to(host_array(given), (ndim, 2))
    except ValueError:
        raise ValueError(f"pad: {name} of shape {np.shape(given)} does not broadcast to {(ndim, 2)}") from None
    return [tuple(pair) for pair in pairs.tolist()]


def _widths(pad_width, ndim):
    pairs = _pairs(pad_width, ndim, "pad_width")
    for width in (width for pair in pairs for width in pair):
        if int(width) != width:
            raise TypeError(f"pad: pad_width must be of integers, not {width}")
        if width < 0:
            raise ValueError(f"pad: pad_width must not be negative: {pad_width}")
    return [(int(before), int(after)) for before, after in pairs]


def _border(array, axis, width, value):
    """A border of one value along an axis: a number, or an array of extent 1 on it."""
    shape = array.shape[:axis] + (width,) + array.shape[axis + 1 :]
    if np.isscalar(value):
        return core.full(shape, value, array.dtype, **beside(array))
    return core.broadcast_to(value, shape)


def _framed(array, axis, before, after):
    return core.concatenate([border for border in (before, array, after) if border is not None], axis)


def _constant(array, axis, widths, values):
    before, after = (_border(array, axis, width, value) for width, value in zip(widths, values, strict=True))
    return _framed(array, axis, before, after)


def _ramp(array, axis, widths, ends):
    borders = []
    for width, end, at_end in zip(widths, ends, (False, True), strict=True):
        extent = array.shape[axis]
        edge = array[along(array.ndim, axis, slice(extent - 1, None) if at_end else slice(0, 1))]
        steps = core.reshape(
            core.arange(width, dtype=np.float64, stream=array.stream, device=array.device),
            (1,) * axis + (width,) + (1,) * (array.ndim - axis - 1),
        )
        share = (steps + 1) / max(width, 1) if at_end else 1 - steps / max(width, 1)
        # As NumPy: integers are rounded down.
        ramp = edge + (end - core.astype(edge, np.result_type(array.dtype, np.float64))) * share
        borders.append(core.astype(_core.ufuncs["floor"](ramp) if array.dtype.kind in "iu" else ramp, array.dtype))
    return _framed(array, axis, *borders)


def _statistic(array, axis, widths, lengths, statistic):
    extent = array.shape[axis]
    borders = []
    for width, length, at_end in zip(widths, lengths, (False, True), strict=True):
        length = extent if length is None else min(length, extent)
        if length < 1:
            raise ValueError("pad: stat_length must be at least 1")
        chunk = array[along(array.ndim, axis, slice(extent - length, None) if at_end else slice(0, length))]
        value = statistic(chunk, axis, keepdims=True)
        value = core.round(value) if array.dtype.kind in "iu" and value.dtype.kind == "f" else value
        borders.append(_border(array, axis, width, core.astype(value, array.dtype, copy=False)))
    return _framed(array, axis, *borders)


def _reflected_oddly(array, axis, widths, mode):
    """Beyond an edge the elements go on as 2 * edge - mirrored."""
    left, right = widths
    skip = 1 if mode == "reflect" else 0
    while left > 0 or right > 0:
        extent = array.shape[axis]
        parts = [array]
        for at_end, width in ((False, left), (True, right)):
            count = min(width, extent - skip)
            if count <= 0:
                continue
            begin, end = (extent - skip - count, extent - skip) if at_end else (skip, skip + count)
            mirrored = core.flip(array[along(array.ndim, axis, slice(begin, end))], axis)
            edge = array[along(array.ndim, axis, slice(extent - 1, None) if at_end else slice(0, 1))]
            parts.insert(len(parts) if at_end else 0, 2 * edge - mirrored)
            left, right = (left, right - count) if at_end else (left - count, right)
        if len(parts) == 1:
            raise ValueError(f"pad: axis {axis} has too few elements ({extent}) for mode {mode!r}")
        array = core.concatenate(parts, axis)
    return array


def _by_function(array, widths, function, kwargs):
    """NumPy's contract for a function: it changes each padded line along each axis in turn in place."""
    array = _framed_by_zeros(array, widths)
    for axis, pair in enumerate(widths):
        lines = core.moveaxis(array, axis, -1)
        for index in np.ndindex(lines.shape[:-1]):
            function(lines[index], pair, axis, kwargs)
    return array


def _framed_by_zeros(array, widths):
    before, after = zip(*widths, strict=True) if widths else ((), ())
    return core.pad(array, before, after).copy("C")


def pad(array, pad_width, mode="constant", **kwargs):
    """With a border of `pad_width` elements before and after along each axis, filled as `mode` says."""
    array = as_array(array, "pad")
    widths = _widths(pad_width, array.ndim)
    if callable(mode):
        return _by_function(array, widths, mode, kwargs)
    if mode == "median":
        raise NotImplementedError("pad: mode 'median' needs sorting, which lanewise does not have yet")
    if mode not in _KEYWORDS:
        raise ValueError(f"pad: mode {mode!r} is unknown; there are {', '.join(sorted(_KEYWORDS))}")
    if unknown := set(kwargs) - set(_KEYWORDS[mode]):
        raise ValueError(f"pad: mode {mode!r} takes no keywords {sorted(unknown)}")
    before, after = zip(*widths, strict=True) if widths else ((), ())
    if mode == "empty":
        return core.pad(array, before, after)
    if mode in ("linear_ramp", *_STATISTICS) or kwargs.get("reflect_type", "even") == "odd":
        return _axis_by_axis(array, widths, mode, kwargs)
    if kwargs.get("reflect_type", "even") != "even":
        raise ValueError(f"pad: reflect_type must be 'even' or 'odd', not {kwargs['reflect_type']!r}")
    if mode in _CORE_MODES and mode != "constant":
        _require_elements(array, widths, mode)
        return core.pad(array, before, after, mode)
    values = kwargs.get("constant_values", 0)
    if np.isscalar(values):
        return core.pad(array, before, after, "constant", values)
    pairs = _pairs(values, array.ndim, "constant_values")
    for axis, (pair, numbers) in enumerate(zip(widths, pairs, strict=True)):
        array = _constant(array, axis, pair, numbers)
    return array


def _require_elements(array, widths, mode):
    for axis, pair in enumerate(widths):
        if array.shape[axis] == 0 and any(pair):
            raise ValueError(f"pad: axis {axis} has no elements that mode {mode!r} could repeat")


def _axis_by_axis(array, widths, mode, kwargs):
    _require_elements(array, widths, mode)
    lengths = kwargs.get("stat_length")
    lengths = [(None, None)] * array.ndim if lengths is None else _pairs(lengths, array.ndim, "stat_length")
    ends = _pairs(kwargs.get("end_values", 0), array.ndim, "end_values")
    for axis, pair in enumerate(widths):
        if mode == "linear_ramp":
            array = _ramp(array, axis, pair, ends[axis])
        elif mode in _STATISTICS:
            array = _statistic(array, axis, pair, lengths[axis], _STATISTICS[mode])
        else:
            array = _reflected_oddly(array, axis, pair, mode)
    return array
