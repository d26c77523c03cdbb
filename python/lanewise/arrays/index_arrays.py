"""Index arrays: of diagonals and triangles, and between positions in C order and coordinates."""

import math

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_shape, core

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "mask_indices",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]

_ufuncs = _core.ufuncs


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array of `ndim` dimensions of extent `n`."""
    return (core.arange(n),) * ndim


def diag_indices_from(arr):
    """The indices of the main diagonal of an array whose extents are all the same."""
    if arr.ndim < 2:
        raise ValueError(f"diag_indices_from: the array must have two or more dimensions, not {arr.ndim}")
    if len(set(arr.shape)) != 1:
        raise ValueError(f"diag_indices_from: all dimensions must be of equal length, not {arr.shape}")
    return (core.arange(arr.shape[0], device=arr.device),) * arr.ndim


def mask_indices(n, mask_func, k=0):
    """The indices where `mask_func(ones((n, n)), k)` is not zero."""
    return core.nonzero(mask_func(core.full((n, n), 1), k) != 0)


def tril_indices(n, k=0, m=None):
    """The indices at and below the diagonal `k` of an (n, m) array."""
    return core.nonzero(core.tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    """The indices at and above the diagonal `k` of an (n, m) array."""
    return core.nonzero(_ufuncs["logical_not"](core.tri(n, m, k - 1, bool)))


def _matrix(arr, call):
    if arr.ndim != 2:
        raise ValueError(f"{call}: the array must have two dimensions, not {arr.ndim}")
    return arr.shape


def tril_indices_from(arr, k=0):
    """The indices at and below the diagonal `k` of a matrix."""
    rows, columns = _matrix(arr, "tril_indices_from")
    return tril_indices(rows, k, columns)


def triu_indices_from(arr, k=0):
    """The indices at and above the diagonal `k` of a matrix."""
    rows, columns = _matrix(arr, "triu_indices_from")
    return triu_indices(rows, k, columns)


def _integers(x, call):
    x = x if isinstance(x, _core.Array) else core.from_host(x) if isinstance(x, (list, tuple)) else as_array(x, call)
    if x.dtype.kind not in "iu":
        raise TypeError(f"{call}: the indices must be integers, not {x.dtype}")
    return core.astype(x, np.int64, copy=False)


def unravel_index(indices, shape, order="C"):
    """The coordinates of positions in C (or Fortran) order. Waits for the device, to refuse what is out of bounds."""
    shape = as_shape(shape)
    rest = _integers(indices, "unravel_index")
    size = math.prod(shape)
    if rest.size and core.any(_ufuncs["logical_or"](rest < 0, rest >= size)):
        raise ValueError(f"unravel_index: an index is out of bounds for an array of {size} elements")
    coordinates = []
    for extent in shape if order == "F" else shape[::-1]:
        coordinates.append(rest % extent)
        rest = rest // extent
    return tuple(coordinates if order == "F" else coordinates[::-1])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """The positions in C (or Fortran) order of coordinates, one array for each axis. mode: "raise" (waits for the
    device), "wrap" or "clip", or one for each axis."""
    dims = as_shape(dims)
    coordinates = [_integers(x, "ravel_multi_index") for x in multi_index]
    if len(coordinates) != len(dims):
        raise ValueError(f"ravel_multi_index: {len(coordinates)} index arrays for {len(dims)} dimensions")
    modes = (mode,) * len(dims) if isinstance(mode, str) else tuple(mode)
    bounded = []
    for x, extent, rule in zip(coordinates, dims, modes, strict=True):
        if rule == "wrap":
            x = x % extent
        elif rule == "clip":
            x = core.clip(x, 0, extent - 1)
        elif rule != "raise":
            raise ValueError(f"ravel_multi_index: mode must be 'raise', 'wrap' or 'clip', not {rule!r}")
        elif x.size and core.any(_ufuncs["logical_or"](x < 0, x >= extent)):
            raise ValueError(f"ravel_multi_index: an index is outside the dimension {extent} of {dims}")
        bounded.append(x)
    if order == "F":
        bounded, dims = bounded[::-1], dims[::-1]
    result = bounded[0]
    for x, extent in zip(bounded[1:], dims[1:], strict=True):
        result = result * extent + x
    return result
