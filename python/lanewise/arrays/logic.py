"""Whether arrays are equal, or nearly so."""

from lanewise import _core
from lanewise.arrays.operands import as_array, core

__all__ = ["allclose", "array_equal", "array_equiv", "isclose"]


def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Where abs(a - b) <= atol + rtol * abs(b)."""
    return core.isclose(as_array(a, "isclose"), as_array(b, "isclose"), rtol, atol, equal_nan)


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close; an array without dimensions."""
    return core.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    """Whether shapes and elements are equal; an array without dimensions."""
    a1, a2 = as_array(a1, "array_equal"), as_array(a2, "array_equal")
    if a1.shape != a2.shape:
        return core.full((), False, device=a1.device)
    equal = _core.ufuncs["equal"](a1, a2)
    if equal_nan:
        nans = (_core.ufuncs["isnan"](a) for a in (a1, a2))
        equal = _core.ufuncs["logical_or"](equal, _core.ufuncs["logical_and"](*nans))
    return core.all(equal)


def array_equiv(a1, a2):
    """Whether the elements are equal once one array is broadcast to the other; an array without dimensions."""
    a1, a2 = as_array(a1, "array_equiv"), as_array(a2, "array_equiv")
    try:
        shape = core.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return core.full((), False, device=a1.device)
    return core.all(_core.ufuncs["equal"](core.broadcast_to(a1, shape), core.broadcast_to(a2, shape)))
