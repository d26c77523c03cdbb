"""Reductions and running sums. Results are arrays on the device; without axes left, of no dimensions.

axis: an int, several, or None for all; with keepdims they stay, with extent 1. out: the array to write to, of the shape
of the result. where: a mask of the elements that count. ValueError for axes that there are not or that are repeated."""

from lanewise import _core
from lanewise.arrays.dtypes import is_inexact
from lanewise.arrays.operands import as_array, as_axis, beside, core, deliver

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The sum along the axes, computed in `dtype`: without it in int64 or uint64 of booleans and integers, else in the
    dtype of `a` (16-bit floats accumulate in float32). 0, or `initial`, without elements."""
    return core.sum(as_array(a, "sum"), axis, dtype, out, keepdims, initial, where)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The product along the axes, in the dtypes of `sum`. 1, or `initial`, without elements."""
    return core.prod(as_array(a, "prod"), axis, dtype, out, keepdims, initial, where)


def max(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """The largest element, in the dtype of `a`; NaN when there is one, and complex numbers in the order of their
    parts. ValueError without elements and without `initial`."""
    return core.max(as_array(a, "max"), axis, out, keepdims, initial, where)


def min(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """The smallest element, as `max`."""
    return core.min(as_array(a, "min"), axis, out, keepdims, initial, where)


amax = max
amin = min


def ptp(a, axis=None, out=None, keepdims=False):
    """The largest less the smallest element, in the dtype of `a`. ValueError without elements."""
    a = as_array(a, "ptp")
    difference = _core.ufuncs["subtract"](core.max(a, axis, keepdims=keepdims), core.min(a, axis, keepdims=keepdims))
    return deliver(difference, out, "ptp")


def all(a, axis=None, out=None, keepdims=False, *, where=None):
    """Whether no element is zero, as bool; True without elements."""
    return core.all(as_array(a, "all"), axis, out, keepdims, where)


def any(a, axis=None, out=None, keepdims=False, *, where=None):
    """Whether an element is not zero, as bool; False without elements."""
    return core.any(as_array(a, "any"), axis, out, keepdims, where)


def argmax(a, axis=None, out=None, *, keepdims=False):
    """The int64 index of the first largest element along an axis, or in C order; the first NaN's when there is one.
    ValueError without elements."""
    return core.argmax(as_array(a, "argmax"), axis, out, keepdims)


def argmin(a, axis=None, out=None, *, keepdims=False):
    """The int64 index of the first smallest element along an axis, or in C order; the first NaN's when there is one.
    ValueError without elements."""
    return core.argmin(as_array(a, "argmin"), axis, out, keepdims)


def count_nonzero(a, axis=None, *, keepdims=False):
    """How many elements are not zero, as int64."""
    return core.count_nonzero(as_array(a, "count_nonzero"), axis, keepdims)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """The arithmetic mean: of booleans and integers in float64, of 16-bit floats computed in float32, else in the
    dtype of `a`. NaN without elements."""
    return core.mean(as_array(a, "mean"), axis, dtype, out, keepdims, where)


def _ddof(ddof, correction, call):
    if correction is None:
        return ddof
    if ddof != 0:
        raise ValueError(f"{call}: ddof and correction mean the same; give one of them")
    return correction


def _around(mean, a, axis, dtype, ddof, keepdims, where):
    """The variance around a mean that is given."""
    count = core.sum(core.broadcast_to(True if where is None else where, a.shape), axis, keepdims=keepdims)
    squares = _core.ufuncs["square"](_core.ufuncs["absolute"](_core.ufuncs["subtract"](a, mean, dtype=dtype)))
    divisor = _core.ufuncs["maximum"](count - ddof, 0)
    total = core.sum(squares, axis, keepdims=keepdims, where=where)
    return core.astype(total / divisor, total.dtype, copy=False)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The mean of the squared distances from the mean, or from one that is given (with its axes kept)."""
    a, ddof = as_array(a, "var"), _ddof(ddof, correction, "var")
    if mean is None:
        return core.var(a, axis, dtype, out, ddof, keepdims, where)
    return deliver(_around(mean, a, axis, dtype, ddof, keepdims, where), out, "var")


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The square root of the variance."""
    a, ddof = as_array(a, "std"), _ddof(ddof, correction, "std")
    if mean is None:
        return core.std(a, axis, dtype, out, ddof, keepdims, where)
    return deliver(_core.ufuncs["sqrt"](_around(mean, a, axis, dtype, ddof, keepdims, where)), out, "std")


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The sum, with NaNs as 0."""
    return core.nansum(as_array(a, "nansum"), axis, dtype, out, keepdims, initial, where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The product, with NaNs as 1."""
    return core.nanprod(as_array(a, "nanprod"), axis, dtype, out, keepdims, initial, where)


def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """The largest element that is not NaN; NaN where there is none."""
    return core.nanmax(as_array(a, "nanmax"), axis, out, keepdims, initial, where)


def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    """The smallest element that is not NaN; NaN where there is none."""
    return core.nanmin(as_array(a, "nanmin"), axis, out, keepdims, initial, where)


def nanargmax(a, axis=None, out=None, *, keepdims=False):
    """The index of the first largest element that is not NaN; 0 where there is none."""
    return core.nanargmax(as_array(a, "nanargmax"), axis, out, keepdims)


def nanargmin(a, axis=None, out=None, *, keepdims=False):
    """The index of the first smallest element that is not NaN; 0 where there is none."""
    return core.nanargmin(as_array(a, "nanargmin"), axis, out, keepdims)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """The mean of the elements that are not NaN."""
    return core.nanmean(as_array(a, "nanmean"), axis, dtype, out, keepdims, where)


def _numbers_around(mean, a, axis, dtype, ddof, keepdims, where):
    """The variance of the elements that are not NaN around a mean that is given."""
    numbers = _core.ufuncs["logical_not"](_core.ufuncs["isnan"](a))
    numbers = numbers if where is None else _core.ufuncs["logical_and"](numbers, where)
    return _around(mean, a, axis, dtype, ddof, keepdims, numbers)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The variance of the elements that are not NaN, around their mean or one that is given."""
    a, ddof = as_array(a, "nanvar"), _ddof(ddof, correction, "nanvar")
    if mean is None:
        return core.nanvar(a, axis, dtype, out, ddof, keepdims, where)
    return deliver(_numbers_around(mean, a, axis, dtype, ddof, keepdims, where), out, "nanvar")


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    """The standard deviation of the elements that are not NaN, around their mean or one that is given."""
    a, ddof = as_array(a, "nanstd"), _ddof(ddof, correction, "nanstd")
    if mean is None:
        return core.nanstd(a, axis, dtype, out, ddof, keepdims, where)
    variance = _numbers_around(mean, a, axis, dtype, ddof, keepdims, where)
    return deliver(_core.ufuncs["sqrt"](variance), out, "nanstd")


def cumsum(a, axis=None, dtype=None, out=None):
    """The running sums along an axis, or of the elements in C order, in the dtypes of `sum`."""
    return core.cumsum(as_array(a, "cumsum"), axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    """The running products along an axis, or of the elements in C order, in the dtypes of `sum`."""
    return core.cumprod(as_array(a, "cumprod"), axis, dtype, out)


def _without_nans(a, value, call):
    a = as_array(a, call)
    return core.where(_core.ufuncs["isnan"](a), a.dtype.type(value), a) if is_inexact(a.dtype) else a


def nancumsum(a, axis=None, dtype=None, out=None):
    """The running sums, with NaNs as 0."""
    return core.cumsum(_without_nans(a, 0, "nancumsum"), axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    """The running products, with NaNs as 1."""
    return core.cumprod(_without_nans(a, 1, "nancumprod"), axis, dtype, out)


def _cumulative(scan, x, axis, dtype, out, include_initial, identity, call):
    x = as_array(x, call)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{call}: axis must be given for an array of {x.ndim} dimensions")
        axis = 0
    axis = as_axis(axis, x.ndim)
    result = scan(x, axis, dtype)
    if include_initial:
        shape = x.shape[:axis] + (1,) + x.shape[axis + 1 :]
        result = core.concatenate([core.full(shape, identity, result.dtype, **beside(x)), result], axis)
    return deliver(result, out, call)


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """The running sums along an axis, optionally with the 0 before them."""
    return _cumulative(core.cumsum, x, axis, dtype, out, include_initial, 0, "cumulative_sum")


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    """The running products along an axis, optionally with the 1 before them."""
    return _cumulative(core.cumprod, x, axis, dtype, out, include_initial, 1, "cumulative_prod")
