"""New arrays of given shapes and values."""

from lanewise import _core
from lanewise.arrays.operands import as_array, as_shape, core, is_number

__all__ = [
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "identity",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def _in_order(make, shape, axes):
    """What `make(shape)` makes in C order, so that `axes` are the axes from the slowest to the fastest."""
    if axes == tuple(range(len(shape))):
        return make(shape)
    made = make(tuple(shape[axis] for axis in axes))
    return core.transpose(made, tuple(axes.index(axis) for axis in range(len(shape))))


def _axes_for(order, ndim, call):
    if order in ("C", "A", "K", None):
        return tuple(range(ndim))
    if order == "F":
        return tuple(range(ndim))[::-1]
    raise ValueError(f"{call}: order must be 'C' or 'F', not {order!r}")


def _axes_like(prototype, shape, order, call):
    """The axes from the slowest to the fastest for an array like `prototype`."""
    if order not in ("A", "K") or len(shape) != prototype.ndim:
        return _axes_for(order, len(shape), call)
    if prototype.is_c_contiguous:
        return _axes_for("C", prototype.ndim, call)
    if prototype.is_f_contiguous:
        return _axes_for("F", prototype.ndim, call)
    if order == "A":
        return _axes_for("C", prototype.ndim, call)
    strides = prototype.strides
    return tuple(sorted(range(prototype.ndim), key=lambda axis: -abs(strides[axis])))


def _filler(value, dtype, device, cls=None, stream=None):
    """A function from shapes to arrays of `value`; None: uninitialised."""
    if value is None:
        return lambda shape: core.empty(shape, dtype, device=device, stream=stream, cls=cls)
    return lambda shape: core.full(shape, value, dtype, device=device, stream=stream, cls=cls)


def _new(call, shape, value, dtype, order, device):
    shape = as_shape(shape)
    device = None if device is None else _core.device(device)
    return _in_order(_filler(value, dtype, device), shape, _axes_for(order, len(shape), call))


def _new_like(call, a, value, dtype, order, shape, device):
    a = as_array(a, call)
    shape = a.shape if shape is None else as_shape(shape)
    dtype = a.dtype if dtype is None else dtype
    if device is None:
        fill = _filler(value, dtype, a.device, type(a), a.stream)
    else:
        fill = _filler(value, dtype, _core.device(device), type(a))
    return _in_order(fill, shape, _axes_like(a, shape, order, call))


def empty(shape, dtype=None, order="C", *, device=None):
    """Uninitialised."""
    return _new("empty", shape, None, float if dtype is None else dtype, order, device)


def zeros(shape, dtype=None, order="C", *, device=None):
    """All 0."""
    return _new("zeros", shape, 0, float if dtype is None else dtype, order, device)


def ones(shape, dtype=None, order="C", *, device=None):
    """All 1."""
    return _new("ones", shape, 1, float if dtype is None else dtype, order, device)


def full(shape, fill_value, dtype=None, order="C", *, device=None):
    """All `fill_value`: a number, or an array or nested lists that broadcast to `shape`."""
    if is_number(fill_value):
        return _new("full", shape, fill_value, dtype, order, device)
    return _broadcast_fill(_value_array(fill_value), as_shape(shape), dtype, order, device)


def empty_like(prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Uninitialised, of the shape, dtype and order of `prototype`."""
    return _new_like("empty_like", prototype, None, dtype, order, shape, device)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """All 0, of the shape, dtype and order of `a`."""
    return _new_like("zeros_like", a, 0, dtype, order, shape, device)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """All 1, of the shape, dtype and order of `a`."""
    return _new_like("ones_like", a, 1, dtype, order, shape, device)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """All `fill_value`, of the shape, dtype and order of `a`."""
    if is_number(fill_value):
        return _new_like("full_like", a, fill_value, dtype, order, shape, device)
    result = _new_like("full_like", a, None, dtype, order, shape, device)
    core.assign(result, _value_array(fill_value), "unsafe")
    return result


def _value_array(fill_value):
    return fill_value if isinstance(fill_value, _core.Array) else core.from_host(fill_value)


def _broadcast_fill(value, shape, dtype, order, device):
    result = _new("full", shape, None, value.dtype if dtype is None else dtype, order, device or value.device)
    core.assign(result, value, "unsafe")
    return result


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None):
    """Ones on the diagonal `k`, zeros elsewhere."""
    device = None if device is None else _core.device(device)
    dtype = float if dtype is None else dtype
    if order == "F":
        return core.eye(N if M is None else M, N, -k, dtype, device=device).T
    return core.eye(N, M, k, dtype, device=device)


def identity(n, dtype=None, *, device=None):
    """The identity matrix."""
    return eye(n, dtype=dtype, device=device)
