"""Functions of each element: the core's ufuncs by NumPy's names, and what is made of them."""

import math

import numpy as np

from lanewise import _core
from lanewise.arrays.dtypes import finfo, is_inexact
from lanewise.arrays.operands import along, as_array, as_axis, core, deliver

# The core's two halves of frexp and modf are not public.
_UFUNCS = {name: ufunc for name, ufunc in _core.ufuncs.items() if not name.endswith(("_fraction", "_exponent"))}

_ALIASES = {
    "abs": "absolute",
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_not": "invert",
    "bitwise_right_shift": "right_shift",
    "conj": "conjugate",
    "degrees": "rad2deg",
    "mod": "remainder",
    "pow": "power",
    "radians": "deg2rad",
    "true_divide": "divide",
}

ufunc = _core.Ufunc
globals().update(_UFUNCS)
globals().update({alias: _UFUNCS[name] for alias, name in _ALIASES.items()})

__all__ = [
    *_UFUNCS,
    *_ALIASES,
    "angle",
    "around",
    "clip",
    "fix",
    "imag",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "nan_to_num",
    "real",
    "real_if_close",
    "round",
    "sinc",
    "ufunc",
    "unwrap",
    "where",
]


def where(condition, x=None, y=None, /):
    """`x` where the condition holds, `y` elsewhere. Of the condition alone: where it is not zero, as `nonzero`."""
    if x is None and y is None:
        return core.nonzero(as_array(condition, "where"))
    if x is None or y is None:
        raise ValueError("where: either both or neither of x and y must be given")
    return core.where(condition, x, y)


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **kwargs):
    """Each element, but at least `a_min` and at most `a_max`; either may be None."""
    low = a_min if min is None else min
    high = a_max if max is None else max
    if (min is not None and a_min is not None) or (max is not None and a_max is not None):
        raise ValueError("clip: give a_min and a_max, or min and max, not both")
    if not kwargs:
        return core.clip(a, low, high, out=out)
    bounded = a if low is None else _UFUNCS["maximum"](a, low, **kwargs)
    return (
        _UFUNCS["positive"](bounded, out=out) if high is None else _UFUNCS["minimum"](bounded, high, out=out, **kwargs)
    )


def round(a, decimals=0, out=None):
    """To `decimals` digits after the point, halves to the even neighbour."""
    return core.round(as_array(a, "round"), decimals, out=out)


around = round


def fix(x, out=None):
    """Towards zero, as floating-point numbers or integers."""
    return _UFUNCS["trunc"](x, out=out)


def sinc(x):
    """sin(pi x) / (pi x), and 1 at 0."""
    return core.sinc(x)


def real(val):
    """The real part; of complex arrays a view."""
    return as_array(val, "real").real


def imag(val):
    """The imaginary part; of complex arrays a view, of others zeros."""
    return as_array(val, "imag").imag


def angle(z, deg=False):
    """The angle in the complex plane, in radians or degrees."""
    radians = core.angle(as_array(z, "angle"))
    return _UFUNCS["rad2deg"](radians) if deg else radians


def real_if_close(a, tol=100):
    """The real part when all imaginary parts are below `tol` (times the dtype's epsilon when that is above 1), else the
    array. Waits for the device."""
    a = as_array(a, "real_if_close")
    if a.dtype.kind != "c":
        return a
    bound = np.finfo(a.dtype).eps * tol if tol > 1 else tol
    return core.real(a) if core.all(_UFUNCS["absolute"](core.imag(a)) < bound) else a


def isreal(x):
    """True where the imaginary part is zero."""
    return core.imag(as_array(x, "isreal")) == 0


def iscomplex(x):
    """True where the imaginary part is not zero."""
    return core.imag(as_array(x, "iscomplex")) != 0


def iscomplexobj(x):
    """Whether the dtype is complex."""
    return x.dtype.kind == "c" if isinstance(x, _core.Array) else np.iscomplexobj(x)


def isrealobj(x):
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


def _infinite(x, negative, out, call):
    x = as_array(x, call)
    if x.dtype.kind == "c":
        raise TypeError(f"{call}: complex numbers have no sign (dtype {x.dtype})")
    signed = _UFUNCS["isinf"](x)
    if is_inexact(x.dtype):
        below = _UFUNCS["signbit"](x)
        signed = _UFUNCS["logical_and"](signed, below if negative else _UFUNCS["logical_not"](below))
    return deliver(signed, out, call)


def isposinf(x, out=None):
    """True for positive infinity."""
    return _infinite(x, False, out, "isposinf")


def isneginf(x, out=None):
    """True for negative infinity."""
    return _infinite(x, True, out, "isneginf")


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """With numbers in place of NaN and the infinities: by default 0 and the largest and lowest finite ones."""
    x = as_array(x, "nan_to_num")
    if not is_inexact(x.dtype):
        return x.copy() if copy else x
    if x.dtype.kind == "c":
        result = core.make_complex(*(nan_to_num(part(x), True, nan, posinf, neginf) for part in (core.real, core.imag)))
    else:
        limits = finfo(x.dtype)
        result = core.where(_UFUNCS["isnan"](x), x.dtype.type(nan), x)
        for negative, value, default in ((False, posinf, limits.max), (True, neginf, limits.min)):
            number = x.dtype.type(default if value is None else value)
            result = core.where(_infinite(x, negative, None, "nan_to_num"), number, result)
    if copy:
        return result
    core.assign(x, result)
    return x


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    """With multiples of `period` added so that neighbours along `axis` differ by no more than half of it."""
    from lanewise.arrays.differences import diff

    p = as_array(p, "unwrap")
    axis = as_axis(axis, p.ndim)
    steps = diff(p, axis=axis)
    dtype = np.result_type(steps.dtype, period)
    if np.issubdtype(dtype, np.integer):
        high, odd = divmod(period, 2)
        ambiguous = odd == 0
    else:
        high, ambiguous = period / 2, True
    low = -high
    wrapped = _UFUNCS["remainder"](steps - low, period) + low
    if ambiguous:
        wrapped = core.where(_UFUNCS["logical_and"](wrapped == low, steps > 0), high, wrapped)
    limit = period / 2 if discont is None else discont
    correction = core.where(_UFUNCS["absolute"](steps) < limit, 0, wrapped - steps)
    first = core.astype(p[along(p.ndim, axis, slice(0, 1))], dtype)
    rest = p[along(p.ndim, axis, slice(1, None))] + core.cumsum(correction, axis)
    return core.concatenate([first, core.astype(rest, dtype, copy=False)], axis)
