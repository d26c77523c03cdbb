"""Window functions, and the Bessel function that one of them takes."""

import math

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, core

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser"]

_ufuncs = _core.ufuncs

# Up to here the power series of i0 is summed, above it the asymptotic one; both are exact to the last bits here.
_I0_SWITCH = 20.0
_I0_SERIES = [1 / math.factorial(k) ** 2 for k in range(38)]
_I0_ASYMPTOTIC = [math.prod((2 * j - 1) ** 2 / (8 * j) for j in range(1, k + 1)) for k in range(25)]


def _polynomial(coefficients, x):
    """The sum of coefficients[k] * x**k."""
    result = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        result = result * x + coefficient
    return result


def i0(x):
    """The modified Bessel function of the first kind and order 0."""
    x = as_array(x, "i0")
    if x.dtype.kind == "c":
        raise TypeError("i0: complex numbers are not supported")
    magnitude = _ufuncs["absolute"](core.astype(x, x.dtype if x.dtype.kind == "f" else np.float64, copy=False))
    near = _ufuncs["minimum"](magnitude, _I0_SWITCH)
    far = _ufuncs["maximum"](magnitude, _I0_SWITCH)
    small = _polynomial(_I0_SERIES, _ufuncs["square"](near / 2))
    large = _ufuncs["exp"](far) / _ufuncs["sqrt"](far * (2 * math.pi)) * _polynomial(_I0_ASYMPTOTIC, 1 / far)
    return core.where(magnitude <= _I0_SWITCH, small, large)


def _window(M, shape, device):
    """`shape` of the odd numbers 1 - M, 3 - M, ..., M - 1: NumPy's positions from the middle, doubled."""
    device = None if device is None else _core.device(device)
    if M < 1:
        return core.empty((0,), device=device)
    if M == 1:
        return core.full((1,), 1.0, device=device)
    return shape(core.arange(1 - M, M, 2, np.float64, device=device), M - 1)


def _cosines(*weights):
    """A sum of cosines of the multiples of the angle, from -pi to pi over the window."""

    def shape(n, span):
        result = weights[0]
        for multiple, weight in enumerate(weights[1:], 1):
            result = _ufuncs["cos"](n * (multiple * math.pi / span)) * weight + result
        return result

    return shape


def hanning(M, *, device=None):
    """The Hann window."""
    return _window(M, _cosines(0.5, 0.5), device)


def hamming(M, *, device=None):
    """The Hamming window."""
    return _window(M, _cosines(0.54, 0.46), device)


def blackman(M, *, device=None):
    """The Blackman window."""
    return _window(M, _cosines(0.42, 0.5, 0.08), device)


def bartlett(M, *, device=None):
    """The triangular window."""
    return _window(M, lambda n, span: 1 - _ufuncs["absolute"](n) / span, device)


def kaiser(M, beta, *, device=None):
    """The Kaiser window."""

    def shape(n, span):
        return i0(beta * _ufuncs["sqrt"](1 - _ufuncs["square"](n / span))) / i0(float(beta))

    return _window(M, shape, device)
