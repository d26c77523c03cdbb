"""Differences between neighbours, derivatives and integrals along an axis."""

import numpy as np

from lanewise import _core
from lanewise.arrays.dtypes import is_inexact
from lanewise.arrays.operands import along, as_array, as_axes, as_axis, core

__all__ = ["cross", "diff", "ediff1d", "gradient", "trapezoid"]

_ufuncs = _core.ufuncs


def _attached(value, a, axis):
    """What is put before or after `a` along `axis`: an array, or a number for each line."""
    value = as_array(value, "diff")
    return core.broadcast_to(value, a.shape[:axis] + (1,) + a.shape[axis + 1 :]) if value.ndim == 0 else value


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The differences between neighbours along an axis, `n` times over."""
    if n < 0:
        raise ValueError(f"diff: the order must not be negative: {n}")
    a = as_array(a, "diff")
    if a.ndim == 0:
        raise ValueError("diff: the array must have one or more dimensions")
    if n == 0:
        return a
    axis = as_axis(axis, a.ndim)
    parts = [_attached(prepend, a, axis)] if prepend is not None else []
    parts.append(a)
    if append is not None:
        parts.append(_attached(append, a, axis))
    if len(parts) > 1:
        a = core.concatenate(parts, axis)
    subtract = _ufuncs["not_equal" if a.dtype == bool else "subtract"]
    after, before = along(a.ndim, axis, slice(1, None)), along(a.ndim, axis, slice(None, -1))
    for _ in range(n):
        a = subtract(a[after], a[before])
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    """The differences between neighbours in C order, with numbers or arrays before and after them."""
    flat = core.reshape(as_array(ary, "ediff1d"), (-1,))
    parts = [flat[1:] - flat[:-1] if flat.dtype != bool else _ufuncs["subtract"](flat[1:], flat[:-1])]
    for place, given in ((0, to_begin), (len(parts) + 1, to_end)):
        if given is not None:
            given = as_array(given, "ediff1d")
            if not np.can_cast(given.dtype, flat.dtype, "same_kind"):
                raise TypeError(f"ediff1d: {given.dtype} does not cast to the array's dtype {flat.dtype}")
            parts.insert(place, core.astype(core.reshape(given, (-1,)), flat.dtype, copy=False))
    return core.concatenate(parts) if len(parts) > 1 else parts[0]


def _spacings(varargs, f, axes):
    """For each axis the distance between neighbours: a number, or an array of them."""
    given = list(varargs)
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and (not isinstance(given[0], _core.Array) or given[0].ndim == 0):
        return given * len(axes)
    if len(given) != len(axes):
        raise TypeError(f"gradient: {len(given)} spacings for {len(axes)} axes; give one, or one for each axis")
    spacings = []
    for spacing, axis in zip(given, axes, strict=True):
        if isinstance(spacing, _core.Array) and spacing.ndim > 0:
            if spacing.ndim != 1 or spacing.shape[0] != f.shape[axis]:
                raise ValueError(
                    f"gradient: the coordinates along axis {axis} have shape {spacing.shape}, the array {f.shape}"
                )
            spacing = diff(core.astype(spacing, np.result_type(spacing.dtype, float), copy=False))
        spacings.append(spacing)
    return spacings


def _edge(f, ndim, axis, h, order, at_end):
    """The derivative at one end of an axis, by two or three points."""
    points = [f[along(ndim, axis, slice(-1 - k, -k or None) if at_end else slice(k, k + 1))] for k in range(order + 1)]
    even = not isinstance(h, _core.Array) or h.ndim == 0
    steps = [h if even else h[-1 - k if at_end else k] for k in range(order)]
    sign = -1.0 if at_end else 1.0
    if order == 1:
        return sign * (points[1] - points[0]) / steps[0]
    near, far = steps
    weights = (
        -(2.0 * near + far) / (near * (near + far)),
        (near + far) / (near * far),
        -near / (far * (near + far)),
    )
    return sign * (weights[0] * points[0] + weights[1] * points[1] + weights[2] * points[2])


def _inner(f, ndim, axis, h):
    """The derivative at the points that have neighbours on both sides."""
    before, here, after = (f[along(ndim, axis, cut)] for cut in (slice(None, -2), slice(1, -1), slice(2, None)))
    if not isinstance(h, _core.Array) or h.ndim == 0:
        return (after - before) / (2.0 * h)
    shape = (-1,) + (1,) * (ndim - axis - 1)
    left, right = core.reshape(h[:-1], shape), core.reshape(h[1:], shape)
    return (
        -right / (left * (left + right)) * before
        + (right - left) / (left * right) * here
        + left / (right * (left + right)) * after
    )


def gradient(f, *varargs, axis=None, edge_order=1):
    """The derivative along each axis, by central differences; at the ends of order `edge_order`."""
    f = as_array(f, "gradient")
    axes = tuple(range(f.ndim)) if axis is None else as_axes(axis, f.ndim)
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order must be 1 or 2, not {edge_order}")
    spacings = _spacings(varargs, f, axes)
    dtype = f.dtype if is_inexact(f.dtype) else np.dtype(float)
    values = core.astype(f, dtype, copy=False)
    results = []
    for along_axis, h in zip(axes, spacings, strict=True):
        if f.shape[along_axis] < edge_order + 1:
            raise ValueError(
                f"gradient: axis {along_axis} has {f.shape[along_axis]} elements; edge_order {edge_order} takes "
                f"{edge_order + 1} or more"
            )
        parts = [_edge(values, f.ndim, along_axis, h, edge_order, at_end=False)]
        if f.shape[along_axis] > 2:
            parts.append(_inner(values, f.ndim, along_axis, h))
        parts.append(_edge(values, f.ndim, along_axis, h, edge_order, at_end=True))
        results.append(core.astype(core.concatenate(parts, along_axis), dtype, copy=False))
    return results[0] if len(results) == 1 else tuple(results)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the trapezoidal rule."""
    y = as_array(y, "trapezoid")
    axis = as_axis(axis, y.ndim)
    if x is None:
        widths = dx
    else:
        x = as_array(x, "trapezoid")
        widths = diff(x) if x.ndim == 1 else diff(x, axis=axis)
        if x.ndim == 1:
            widths = core.reshape(widths, (-1,) + (1,) * (y.ndim - axis - 1))
    pairs = y[along(y.ndim, axis, slice(1, None))] + y[along(y.ndim, axis, slice(None, -1))]
    return core.sum(widths * pairs / 2.0, axis)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The cross product of vectors of three (or two, which is deprecated in NumPy) components."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_array(a, "cross"), as_array(b, "cross")
    for operand in (a, b):
        if operand.ndim < 1:
            raise ValueError("cross: the arrays must have one or more dimensions")
    a = core.moveaxis(a, as_axis(axisa, a.ndim, "axisa"), -1)
    b = core.moveaxis(b, as_axis(axisb, b.ndim, "axisb"), -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(f"cross: the vectors must have 2 or 3 components, not {a.shape[-1]} and {b.shape[-1]}")
    a0, a1, a2 = (a[..., 0], a[..., 1], a[..., 2] if a.shape[-1] == 3 else None)
    b0, b1, b2 = (b[..., 0], b[..., 1], b[..., 2] if b.shape[-1] == 3 else None)
    last = a0 * b1 - a1 * b0
    if a2 is None and b2 is None:
        return last
    first = (a1 * b2 if b2 is not None else 0) - (a2 * b1 if a2 is not None else 0)
    second = (a2 * b0 if a2 is not None else 0) - (a0 * b2 if b2 is not None else 0)
    parts = core.broadcast_arrays(first, second, last)
    return core.stack(parts, as_axis(axisc, last.ndim + 1, "axisc"))
