"""Matrices with a structure, and their parts: diagonals and triangles."""

from lanewise import _core
from lanewise.arrays.operands import along, as_array, beside, core

__all__ = ["diag", "diagflat", "diagonal", "fill_diagonal", "matrix_transpose", "tri", "tril", "triu", "vander"]


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The elements whose indices on two axes differ by `offset`, along a new last axis; a read-only view."""
    return core.diagonal(as_array(a, "diagonal"), offset, axis1, axis2)


def diag(v, k=0):
    """The diagonal `k` of a matrix, or the matrix that has a vector there."""
    v = as_array(v, "diag")
    if v.ndim == 2:
        return core.diagonal(v, k)
    if v.ndim != 1:
        raise ValueError(f"diag: the array must have one or two dimensions, not {v.ndim}")
    n = v.shape[0] + abs(k)
    rows, columns = (core.positions((n, n), axis, **beside(v)) for axis in (0, 1))
    if v.shape[0] == 0:
        return core.full((n, n), 0, v.dtype, **beside(v))
    # Column j of row i has the element j - max(k, 0).
    padded = core.pad(v, (max(k, 0),), (max(-k, 0),))
    return core.where(columns - rows == k, padded, core.full((), 0, v.dtype, **beside(v)))


def diagflat(v, k=0):
    """The matrix that has the elements of `v`, in C order, on the diagonal `k`."""
    return diag(core.reshape(as_array(v, "diagflat"), (-1,)), k)


def fill_diagonal(a, val, wrap=False):
    """Writes `val`, repeated as needed, to the elements of `a` whose indices are all the same."""
    if a.ndim < 2:
        raise ValueError(f"fill_diagonal: the array must have two or more dimensions, not {a.ndim}")
    if a.ndim > 2 and len(set(a.shape)) != 1:
        raise ValueError(f"fill_diagonal: all dimensions must be of equal length, not {a.shape}")
    count = min(a.shape)
    values = val if isinstance(val, _core.Array) or not hasattr(val, "__len__") else core.from_host(val)
    if a.ndim > 2 or not wrap or a.shape[0] <= a.shape[1] + 1:
        _fill(a, (core.arange(count, device=a.device),) * a.ndim, values)
        return
    # Down a tall matrix the diagonal begins again one row below its end.
    columns = a.shape[1]
    flat = core.arange(0, a.size, columns + 1, device=a.device)
    _fill(a, (flat // columns, flat % columns), values)


def _fill(a, index, values):
    count = index[0].size
    if isinstance(values, _core.Array) and values.ndim > 0:
        flat = core.reshape(values, (-1,))
        values = core.take(flat, core.arange(count, device=a.device), mode="wrap")
    a[index] = values


def tri(N, M=None, k=0, dtype=float, *, device=None):
    """Ones at and below the diagonal `k`, zeros above."""
    return core.tri(N, M, k, float if dtype is None else dtype, device=None if device is None else _core.device(device))


def _triangle(m, k, lower, call):
    m = as_array(m, call)
    if m.ndim == 1:
        m = core.broadcast_to(m, m.shape * 2)
    if m.ndim < 2:
        raise ValueError(f"{call}: the array must have one or more dimensions, not 0")
    mask = core.tri(*m.shape[-2:], k if lower else k - 1, bool, **beside(m))
    zero = core.full((), 0, m.dtype, **beside(m))
    return core.where(mask, m, zero) if lower else core.where(mask, zero, m)


def tril(m, k=0):
    """A copy with zeros above the diagonal `k` of the last two axes."""
    return _triangle(m, k, True, "tril")


def triu(m, k=0):
    """A copy with zeros below the diagonal `k` of the last two axes."""
    return _triangle(m, k, False, "triu")


def vander(x, N=None, increasing=False):
    """The powers of the elements of `x`, one row each."""
    x = as_array(x, "vander")
    if x.ndim != 1:
        raise ValueError(f"vander: x must have one dimension, not {x.ndim}")
    count = x.shape[0] if N is None else N
    factors = core.astype(core.repeat(core.expand_dims(x, 1), max(count - 1, 0), 1), core.result_type(x.dtype, int))
    ones = core.full((x.shape[0], min(count, 1)), 1, factors.dtype, **beside(x))
    powers = core.concatenate([ones, core.cumprod(factors, 1)], 1) if count > 1 else ones
    return powers if increasing else powers[along(2, 1, slice(None, None, -1))]


def matrix_transpose(x, /):
    """With the last two axes exchanged."""
    return as_array(x, "matrix_transpose").mT
