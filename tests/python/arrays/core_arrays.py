"""What the tests of _core.ndarray have in common."""

import numpy as np

from lanewise import _core

functions = _core.functions
ufuncs = _core.ufuncs


def on_device(array):
    """A copy of a NumPy array on the current device."""
    return _core.ndarray.from_host(np.asarray(array))


def check(got, expected, rtol=1e-12):
    """Same dtype, shape and values; inexact ones to `rtol`."""
    expected = np.asarray(expected)
    assert isinstance(got, _core.ndarray)
    host = got.get()
    assert host.dtype == expected.dtype
    assert host.shape == expected.shape
    if expected.dtype.kind in "fc":
        np.testing.assert_allclose(host, expected, rtol=rtol)
    else:
        np.testing.assert_array_equal(host, expected)
