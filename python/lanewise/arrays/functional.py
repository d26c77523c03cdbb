"""Python functions applied to parts of arrays."""

import numpy as np

from lanewise.arrays.operands import as_array, as_axis, beside, core, is_number

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """What the function makes of each line along an axis, which may be arrays or numbers."""
    arr = as_array(arr, "apply_along_axis")
    axis = as_axis(axis, arr.ndim)
    lines = core.moveaxis(arr, axis, -1)
    outer = lines.shape[:-1]
    if 0 in outer:
        raise ValueError("apply_along_axis: there is no line to apply the function to")
    results = [as_array(func1d(lines[index], *args, **kwargs), "apply_along_axis") for index in np.ndindex(outer)]
    stacked = core.stack(results, 0)
    shape = results[0].shape
    stacked = core.reshape(stacked, outer + shape)
    places = range(len(outer), len(outer) + len(shape))
    return core.moveaxis(stacked, tuple(places), tuple(range(axis, axis + len(shape))))


def apply_over_axes(func, a, axes):
    """func(a, axis) for one axis after the other; axes that it drops stay with extent 1."""
    a = as_array(a, "apply_over_axes")
    ndim = a.ndim
    for axis in np.atleast_1d(axes):
        axis = as_axis(axis, ndim)
        result = func(a, axis)
        if result.ndim != ndim:
            result = core.expand_dims(result, axis)
            if result.ndim != ndim:
                raise ValueError("apply_over_axes: the function must drop the axis or keep it")
        a = result
    return a


def piecewise(x, condlist, funclist, *args, **kw):
    """Where each condition holds, the function (of the elements there) or number for it; else one more, or 0."""
    x = as_array(x, "piecewise")
    conditions = [as_array(condition, "piecewise") for condition in _conditions(condlist)]
    functions = list(funclist)
    if len(functions) == len(conditions) + 1:
        rest = core.full(x.shape, True, bool, **beside(x))
        for condition in conditions:
            rest = rest & ~condition
        conditions.append(rest)
    elif len(functions) != len(conditions):
        raise ValueError(
            f"piecewise: {len(functions)} functions for {len(conditions)} conditions; one each, or one more"
        )
    result = core.full(x.shape, 0, x.dtype, **beside(x))
    for condition, function in zip(conditions, functions, strict=True):
        if is_number(function):
            result = core.where(condition, core.astype(core.full((), function), x.dtype), result)
            continue
        mask = core.broadcast_to(condition, x.shape)
        chosen = x[mask]
        if chosen.size:
            result[mask] = function(chosen, *args, **kw)
    return result


def _conditions(condlist):
    if hasattr(condlist, "ndim"):
        return [condlist] if condlist.ndim < 2 else [condlist[i] for i in range(condlist.shape[0])]
    return condlist if condlist and not is_number(condlist[0]) else [condlist]
