"""Averages, covariances and counts."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_axes, beside, core

__all__ = ["average", "bincount", "corrcoef", "cov"]

_ufuncs = _core.ufuncs


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean, in which each element counts as its weight says."""
    a = as_array(a, "average")
    axes = None if axis is None else as_axes(axis, a.ndim)
    if weights is None:
        result = core.mean(a, axes, keepdims=keepdims)
        total = core.full(result.shape, a.size / max(result.size, 1), result.dtype, **beside(a)) if returned else None
        return (result, total) if returned else result
    weights = as_array(weights, "average")
    dtype = np.result_type(a.dtype, weights.dtype, *(["f8"] if a.dtype.kind in "biu" else []))
    if a.shape != weights.shape:
        if axes is None:
            raise TypeError(
                f"average: axis must be given when the shapes of a {a.shape} and weights {weights.shape} differ"
            )
        if weights.shape != tuple(a.shape[one] for one in axes):
            raise ValueError(f"average: the weights {weights.shape} do not match the axes {axis} of {a.shape}")
        order = sorted(range(len(axes)), key=axes.__getitem__)
        extents = tuple(a.shape[one] if one in axes else 1 for one in range(a.ndim))
        weights = core.reshape(core.transpose(weights, tuple(order)), extents)
    weights = core.broadcast_to(weights, a.shape)
    total = core.sum(weights, axes, dtype, keepdims=keepdims)
    if core.any(total == 0):
        raise ZeroDivisionError("average: the weights sum to zero and cannot be normalised")
    result = core.sum(_ufuncs["multiply"](a, weights, dtype=dtype), axes, keepdims=keepdims) / total
    return (result, total) if returned else result


def bincount(x, /, weights=None, minlength=0):
    """How often each integer from 0 on occurs, or the sum of its weights. Waits for the device."""
    x = as_array(x, "bincount")
    if x.ndim != 1:
        raise ValueError(f"bincount: the array must have one dimension, not {x.ndim}")
    if x.dtype.kind not in "biu":
        raise TypeError(f"bincount: the array must be of integers, not {x.dtype}")
    if minlength < 0:
        raise ValueError(f"bincount: minlength must not be negative: {minlength}")
    length = minlength
    if x.size:
        low, high = int(core.min(x)), int(core.max(x))
        if low < 0:
            raise ValueError(f"bincount: the integers must not be negative: there is {low}")
        length = max(minlength, high + 1)
    if weights is None:
        counts = core.full((length,), 0, np.intp, **beside(x))
        _ufuncs["add"].at(counts, x, 1)
        return counts
    weights = as_array(weights, "bincount")
    if weights.shape != x.shape:
        raise ValueError(f"bincount: the weights have shape {weights.shape}, the array {x.shape}")
    sums = core.full((length,), 0.0, np.float64, **beside(x))
    _ufuncs["add"].at(sums, x, core.astype(weights, np.float64, copy=False))
    return sums


def _variables(m, rowvar):
    """One variable in each row."""
    m = as_array(m, "cov")
    if m.ndim > 2:
        raise ValueError(f"cov: the array must have at most two dimensions, not {m.ndim}")
    m = core.reshape(m, (1, -1)) if m.ndim < 2 else m
    return m if rowvar or m.shape[0] == 1 else m.T


def _counts(given, length, integral, name):
    """Weights of the observations, refused as NumPy does."""
    given = as_array(given, "cov")
    if given.ndim > 1:
        raise RuntimeError(f"cov: {name} must have one dimension, not {given.ndim}")
    if given.shape != (length,):
        raise RuntimeError(f"cov: {name} has shape {given.shape} for {length} observations")
    if integral and given.dtype.kind not in "iu" and not core.all(given == _ufuncs["rint"](given)):
        raise TypeError(f"cov: {name} must be integers")
    if core.any(given < 0):
        raise ValueError(f"cov: {name} must not be negative")
    return core.astype(given, np.float64)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariances of variables, one in each row (or column); with repeat counts and weights of the observations."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof must be an integer, not {ddof}")
    x = _variables(m, rowvar)
    if y is not None:
        x = core.concatenate([x, _variables(y, rowvar)], 0)
    x = core.astype(x, np.result_type(x.dtype, np.float64) if dtype is None else dtype)
    ddof = (0 if bias else 1) if ddof is None else ddof
    observations = x.shape[1]
    f = None if fweights is None else _counts(fweights, observations, True, "fweights")
    a = None if aweights is None else _counts(aweights, observations, False, "aweights")
    weights = a if f is None else f if a is None else f * a
    if weights is None:
        factor = observations - ddof
        centred = x - core.mean(x, 1, keepdims=True)
        weighted = centred
    else:
        total = core.sum(weights)
        centred = x - core.expand_dims(core.sum(x * weights, 1) / total, 1)
        weighted = centred * weights
        factor = total - (0 if ddof == 0 else ddof if a is None else ddof * core.sum(weights * a) / total)
    factor = _ufuncs["maximum"](factor, 0)
    transposed = weighted.T
    result = core.matmul(centred, _ufuncs["conjugate"](transposed) if x.dtype.kind == "c" else transposed) / factor
    return core.squeeze(core.astype(result, x.dtype, copy=False))


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation coefficients of variables, one in each row (or column)."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = _ufuncs["sqrt"](core.real(core.diagonal(c)))
    c = c / core.expand_dims(deviations, 1) / deviations
    if c.dtype.kind == "c":
        return core.make_complex(core.clip(core.real(c), -1, 1), core.clip(core.imag(c), -1, 1))
    return core.clip(c, -1, 1)
