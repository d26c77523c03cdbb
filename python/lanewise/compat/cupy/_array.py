"""cupy.ndarray: lanewise's array with CuPy's members, and with CuPy's rules where they are others than NumPy's."""

import types

import numpy as np

from lanewise import _core, arrays
from lanewise.compat.cupy.cuda._memory import BaseMemory, BufferMemory, MemoryPointer
from lanewise.compat.cupy.cuda.device import core_of

_PLAIN = frozenset({int, slice, type(None), type(Ellipsis)})
_get_item, _set_item = _core.ndarray.__getitem__, _core.ndarray.__setitem__


def _within(array, index):
    """`index` with CuPy's rule for arrays of integers: what is out of bounds is taken modulo the extent of the axis."""
    if type(index) is not tuple:
        return index if type(index) in _PLAIN else _wrapped_items(array, (index,))
    for item in index:
        if type(item) not in _PLAIN:
            return _wrapped_items(array, index)
    return index


def _wrapped_items(array, index):
    items = [_listed(item) if isinstance(item, (list, tuple)) else item for item in index]
    rest = array.ndim - sum(map(_dimensions, items))
    axis, wrapped = 0, []
    for item in items:
        extent = array.shape[axis] if 0 <= axis < array.ndim else 0
        wrapped.append(_wrapped(item, extent))
        axis += rest if item is Ellipsis else _dimensions(item)
    return tuple(wrapped)


def _listed(item):
    """A list of indices as an array; an empty one has no dtype of its own."""
    array = np.asarray(item)
    return array if array.size else array.astype(np.int64)


def _dimensions(item):
    """How many axes one item of an index takes."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if _is_array(item) and item.dtype == np.bool_ else 1


def _is_array(item):
    return isinstance(item, (_core.Array, np.ndarray))


def _wrapped(item, extent):
    """An array of integers with every one within 0 to `extent`, modulo; other items of an index as they are."""
    if not _is_array(item) or item.dtype.kind not in "iu" or extent == 0:
        return item
    if isinstance(item, np.ndarray):
        return item.astype(np.int64) % extent
    return _core.ufuncs["remainder"](_core.functions.astype(item, np.int64, copy=False), extent)


class ndarray(arrays.ndarray):
    """An array on a device: `ndarray(shape)` makes one with undefined contents, `memptr` gives it its memory."""

    __module__ = "cupy"
    __slots__ = ()

    def __new__(cls, shape, dtype=float, memptr=None, strides=None, order="C"):
        if memptr is None:
            from lanewise.compat.cupy._creation import empty_as

            return empty_as(cls, shape, dtype, order, strides)
        memory = memptr.mem
        if not memory.ptr:
            return super().__new__(cls, shape, dtype, strides=strides, order=order)
        device = memory.buffer.device if memory.buffer is not None else core_of(memory.device_id)
        # The array keeps the memory object: a pool's must not go back to the pool before.
        buffer = _core.Buffer.foreign(memory.ptr, memory.size, owner=memory, device=device)
        return super().__new__(cls, shape, dtype, buffer, memptr.ptr - memory.ptr, strides, order)

    @property
    def data(self):
        """Where the first element is: `data.ptr` is the address. Work on the current stream may use it."""
        if self.size == 0:
            return MemoryPointer(BaseMemory(), 0)
        pointer = self.pointer  # computes what is pending
        current = _core.current_stream(self.device)
        if self.stream != current:
            current.wait(self.stream.record())
        memory = BufferMemory(self.buffer)
        return MemoryPointer(memory, pointer - memory.ptr)

    # Programs for CuPy find it on arrays of every device, the cpu device included.
    __cuda_array_interface__ = _core.Array.__cuda_array_interface__

    def __array__(self, dtype=None, copy=None):
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. "
            "Please use `.get()` to construct a NumPy array explicitly."
        )

    #: For annotations: `cupy.ndarray[Any, numpy.float32]`.
    __class_getitem__ = classmethod(types.GenericAlias)

    def __getitem__(self, index):
        return _get_item(self, _within(self, index))

    def __setitem__(self, index, value):
        _set_item(self, _within(self, index), value)

    def take(self, indices, axis=None, out=None):
        """The elements at these positions, along an axis or in C order; out of bounds they wrap."""
        return super().take(indices, axis, out, "wrap")

    def put(self, indices, values, mode="wrap"):
        """Writes elements by their positions in C order."""
        super().put(indices, values, mode)

    def reduced_view(self, dtype=None):
        """A view with as few dimensions as there can be: one when the elements lie together in C order."""
        array = self if dtype is None else self.view(dtype)
        if array.ndim <= 1 or not array.is_c_contiguous:
            return array
        return array.reshape(-1)

    def scatter_add(self, slices, value):
        """self[slices] += value, once for each index even where indices repeat."""
        _core.ufuncs["add"].at(self, _within(self, slices), value)

    def scatter_max(self, slices, value):
        """self[slices] = maximum(self[slices], value), once for each index even where indices repeat."""
        _core.ufuncs["maximum"].at(self, _within(self, slices), value)

    def scatter_min(self, slices, value):
        """self[slices] = minimum(self[slices], value), once for each index even where indices repeat."""
        _core.ufuncs["minimum"].at(self, _within(self, slices), value)

    def toDlpack(self):
        """A DLPack capsule of the memory."""
        return self.__dlpack__()

    def __reduce__(self):
        return _restored, (self.get(order="A"), None if type(self) is ndarray else type(self))

    def __bytes__(self):
        return self.tobytes()

    @property
    def mdspan(self):
        raise AttributeError("ndarray.mdspan: kernels take arrays by their addresses; pass the array itself")

    @property
    def cstruct(self):
        raise AttributeError("ndarray.cstruct: kernels take arrays by their addresses; pass the array itself")


def _restored(host, cls):
    return _core.functions.from_host(host, cls=cls or ndarray)


def as_face(result):
    """What a function of lanewise gave, with its arrays as ndarrays of this face."""
    kind = type(result)
    if kind is ndarray:
        return result
    if isinstance(result, _core.ndarray):
        return result if isinstance(result, ndarray) else ndarray.wrap(result)
    if kind is tuple or kind is list:
        return kind(map(as_face, result))
    if isinstance(result, tuple) and hasattr(kind, "_make"):
        return kind._make(map(as_face, result))
    return result
