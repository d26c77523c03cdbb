"""Evenly spaced numbers."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_axis, core, is_number

__all__ = ["arange", "geomspace", "linspace", "logspace"]

_ufuncs = _core.ufuncs


def arange(start, stop=None, step=1, dtype=None, *, device=None):
    """The numbers from `start` (0 when only one is given) up to `stop`, which is left out."""
    start, stop, step = (x.item() if isinstance(x, _core.Array) else x for x in (start, stop, step))
    step = 1 if step is None else step
    return core.arange(start, stop, step, dtype, device=None if device is None else _core.device(device))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """`num` numbers from `start` to `stop`, evenly spaced along a new axis."""
    if num < 0:
        raise ValueError(f"linspace: the number of samples, {num}, must not be negative")
    device = None if device is None else _core.device(device)
    intervals = num - 1 if endpoint else num
    if all(is_number(x) and not np.iscomplexobj(x) for x in (start, stop)):
        as_axis(axis, 1)
        kind = np.result_type(start, stop, float(num)) if dtype is None else dtype
        result = core.linspace(float(start), float(stop), num, endpoint, kind, device=device)
        step = (float(stop) - float(start)) / intervals if intervals > 0 else np.nan
    else:
        result, step = _spaced(start, stop, num, intervals, endpoint, dtype, axis, device)
    return (result, step) if retstep else result


def _spaced(start, stop, num, intervals, endpoint, dtype, axis, device):
    """linspace between arrays or complex numbers."""
    start, stop = as_array(start, "linspace"), as_array(stop, "linspace")
    kind = np.result_type(start.dtype, stop.dtype, float)
    first, span = core.astype(start, kind), _ufuncs["subtract"](stop, start, dtype=kind)
    steps = core.reshape(
        core.arange(num, dtype=np.dtype(kind).type(0).real.dtype, device=device), (-1,) + (1,) * span.ndim
    )
    step = span / intervals if intervals > 0 else span * np.nan
    result = first + steps * (step if intervals > 0 else span)
    if endpoint and num > 1:
        result = core.where(steps == num - 1, stop, result)
    if dtype is not None:
        if np.issubdtype(dtype, np.integer):
            result = _ufuncs["floor"](result)
        kind = dtype
    return core.moveaxis(core.astype(result, kind, copy=False), 0, axis), step


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, device=None):
    """`base` to the powers that are evenly spaced from `start` to `stop`."""
    if isinstance(base, _core.Array) and base.ndim > 0:
        start, stop = core.broadcast_arrays(as_array(start, "logspace"), as_array(stop, "logspace"), base)[:2]
        base = core.expand_dims(core.broadcast_to(base, start.shape), axis)
    powers = linspace(start, stop, num, endpoint, axis=axis, device=device)
    result = _ufuncs["power"](base, powers)
    return result if dtype is None else core.astype(result, dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0, *, device=None):
    """Numbers from `start` to `stop` with the same quotient between neighbours."""
    numbers = [x.item() for x in (start, stop) if isinstance(x, _core.Array) and x.ndim == 0]
    numbers += [x for x in (start, stop) if is_number(x)]
    if 0 in numbers:
        raise ValueError("geomspace: a geometric sequence cannot include zero")
    first, last = as_array(start, "geomspace"), as_array(stop, "geomspace")
    kind = np.result_type(first.dtype, last.dtype, float)
    first, last = core.broadcast_arrays(core.astype(first, kind), core.astype(last, kind))
    direction = _ufuncs["sign"](first)
    powers = linspace(_ufuncs["log10"](first / direction), _ufuncs["log10"](last / direction), num, endpoint, axis=0)
    result = direction * _ufuncs["power"](10.0, powers)
    steps = core.reshape(core.arange(num), (-1,) + (1,) * first.ndim)
    if num > 0:
        result = core.where(steps == 0, first, result)
    if endpoint and num > 1:
        result = core.where(steps == num - 1, last, result)
    result = core.moveaxis(result, 0, axis)
    return core.astype(result, kind if dtype is None else dtype, copy=False)
