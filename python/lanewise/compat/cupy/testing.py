"""cupy.testing: NumPy's assertions on arrays of the device, the host, or both."""

import functools

import numpy.testing

from lanewise.compat.cupy._creation import asnumpy


def _on_host(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(_on_host, value))
    return asnumpy(value) if hasattr(value, "__cuda_array_interface__") else value


def _assertion(name):
    check = getattr(numpy.testing, name)

    @functools.wraps(check)
    def assertion(*args, **kwargs):
        check(*map(_on_host, args), **kwargs)

    return assertion


assert_allclose = _assertion("assert_allclose")
assert_array_equal = _assertion("assert_array_equal")
assert_array_almost_equal = _assertion("assert_array_almost_equal")
assert_array_almost_equal_nulp = _assertion("assert_array_almost_equal_nulp")
assert_array_max_ulp = _assertion("assert_array_max_ulp")
assert_array_less = _assertion("assert_array_less")


def assert_array_list_equal(xlist, ylist, err_msg="", verbose=True):
    """The arrays of two lists are equal, pair by pair."""
    if len(xlist) != len(ylist):
        raise AssertionError(f"{len(xlist)} arrays and {len(ylist)} arrays are compared. {err_msg}")
    for x, y in zip(xlist, ylist, strict=True):
        assert_array_equal(x, y, err_msg, verbose)
