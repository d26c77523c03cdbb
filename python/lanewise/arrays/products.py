"""Products of vectors and matrices."""

import math
import operator

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, as_axis, core, deliver

__all__ = [
    "dot",
    "inner",
    "kron",
    "matmul",
    "matvec",
    "outer",
    "tensordot",
    "trace",
    "vdot",
    "vecdot",
    "vecmat",
]

_ufuncs = _core.ufuncs


def matmul(x1, x2, /, out=None, *, casting="same_kind", dtype=None):
    """The matrix product of the last two axes; the others broadcast."""
    x1, x2 = as_array(x1, "matmul"), as_array(x2, "matmul")
    if dtype is not None:
        x1, x2 = (_cast(x, dtype, casting, "matmul") for x in (x1, x2))
    return core.matmul(x1, x2, out=out)


def _cast(x, dtype, casting, call):
    if not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(f"{call}: {x.dtype} does not cast to {np.dtype(dtype)} by the rule {casting!r}")
    return core.astype(x, dtype, copy=False)


def dot(a, b, out=None):
    """The sum of the products along the last axis of `a` and the last but one of `b`; a product with a number."""
    return core.dot(as_array(a, "dot"), as_array(b, "dot"), out=out)


def vdot(a, b, /):
    """The dot product of the raveled arrays, the first conjugated."""
    a, b = core.reshape(as_array(a, "vdot"), (-1,)), core.reshape(as_array(b, "vdot"), (-1,))
    return core.dot(_conjugate(a), b)


def _conjugate(a):
    return _ufuncs["conjugate"](a) if a.dtype.kind == "c" else a


def inner(a, b, /):
    """The sums of the products along the last axes, for each pair of the others."""
    a, b = as_array(a, "inner"), as_array(b, "inner")
    if a.ndim == 0 or b.ndim == 0:
        return _ufuncs["multiply"](a, b)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"inner: the last axes of {a.shape} and {b.shape} have different extents")
    return tensordot(a, b, (-1, -1))


def outer(a, b, out=None):
    """The product of each element of `a` and each of `b`, raveled."""
    a, b = core.reshape(as_array(a, "outer"), (-1, 1)), core.reshape(as_array(b, "outer"), (1, -1))
    return _ufuncs["multiply"](a, b, out=out)


def tensordot(a, b, axes=2):
    """The sums of the products along axes of `a` and axes of `b`: a number of last and first ones, or two lists."""
    a, b = as_array(a, "tensordot"), as_array(b, "tensordot")
    try:
        count = operator.index(axes)
        axes_a, axes_b = list(range(a.ndim - count, a.ndim)), list(range(count))
    except TypeError:
        axes_a, axes_b = (list(one) if hasattr(one, "__iter__") else [one] for one in axes)
    if any(not -x.ndim <= axis < x.ndim for x, wanted in ((a, axes_a), (b, axes_b)) for axis in wanted):
        raise ValueError(f"tensordot: shape-mismatch for sum: axes {axes} of arrays {a.shape} and {b.shape}")
    axes_a, axes_b = [axis % a.ndim for axis in axes_a], [axis % b.ndim for axis in axes_b]
    if [a.shape[axis] for axis in axes_a] != [b.shape[axis] for axis in axes_b]:
        raise ValueError(f"tensordot: shape-mismatch for sum: axes {axes} of arrays {a.shape} and {b.shape}")
    for wanted in (axes_a, axes_b):
        if len(set(wanted)) != len(wanted):
            raise ValueError(f"tensordot: an axis is repeated in {axes}")
    rest_a = [axis for axis in range(a.ndim) if axis not in axes_a]
    rest_b = [axis for axis in range(b.ndim) if axis not in axes_b]
    summed = math.prod(a.shape[axis] for axis in axes_a)
    shape = tuple(a.shape[axis] for axis in rest_a) + tuple(b.shape[axis] for axis in rest_b)
    rows, columns = math.prod(a.shape[axis] for axis in rest_a), math.prod(b.shape[axis] for axis in rest_b)
    left = core.reshape(core.transpose(a, (*rest_a, *axes_a)), (rows, summed))
    right = core.reshape(core.transpose(b, (*axes_b, *rest_b)), (summed, columns))
    return core.reshape(core.matmul(left, right), shape)


def vecdot(x1, x2, /, out=None, *, axis=-1):
    """The dot products of the vectors along an axis, the first conjugated; the other axes broadcast."""
    x1, x2 = as_array(x1, "vecdot"), as_array(x2, "vecdot")
    x1 = core.moveaxis(x1, as_axis(axis, x1.ndim), -1)
    x2 = core.moveaxis(x2, as_axis(axis, x2.ndim), -1)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(f"vecdot: the vectors of {x1.shape} and {x2.shape} have different lengths")
    product = _ufuncs["multiply"](_conjugate(x1), x2)
    return deliver(core.sum(product, -1, product.dtype), out, "vecdot")


def matvec(x1, x2, /, out=None):
    """The products of matrices and vectors; the other axes broadcast."""
    x1, x2 = as_array(x1, "matvec"), as_array(x2, "matvec")
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError(f"matvec: a matrix and a vector are needed, not shapes {x1.shape} and {x2.shape}")
    return deliver(core.squeeze(core.matmul(x1, core.expand_dims(x2, -1)), -1), out, "matvec")


def vecmat(x1, x2, /, out=None):
    """The products of vectors, conjugated, and matrices; the other axes broadcast."""
    x1, x2 = as_array(x1, "vecmat"), as_array(x2, "vecmat")
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError(f"vecmat: a vector and a matrix are needed, not shapes {x1.shape} and {x2.shape}")
    return deliver(core.squeeze(core.matmul(core.expand_dims(_conjugate(x1), -2), x2), -2), out, "vecmat")


def kron(a, b):
    """The Kronecker product: each element of `a` times all of `b`, in blocks."""
    a, b = as_array(a, "kron"), as_array(b, "kron")
    ndim = max(a.ndim, b.ndim)
    shape_a, shape_b = ((1,) * (ndim - x.ndim) + x.shape for x in (a, b))
    left = core.reshape(a, tuple(extent for pair in zip(shape_a, (1,) * ndim, strict=True) for extent in pair))
    right = core.reshape(b, tuple(extent for pair in zip((1,) * ndim, shape_b, strict=True) for extent in pair))
    shape = tuple(x * y for x, y in zip(shape_a, shape_b, strict=True))
    return core.reshape(_ufuncs["multiply"](left, right), shape)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum along a diagonal."""
    return core.sum(core.diagonal(as_array(a, "trace"), offset, axis1, axis2), -1, dtype, out)
