"""DeviceNDArray: the core's array with the methods, names and refusals that Numba's device arrays have."""

import ctypes
import math

import numpy as np

from lanewise import _core
from lanewise.cuda.streams import as_stream

NON_CONTIGUOUS = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy .ascontiguousarray()"
)


class MemoryPointer:
    """Where an array's memory lies on the device."""

    def __init__(self, pointer, size, owner):
        self.device_pointer = pointer
        self.size = size
        self.owner = owner

    @property
    def device_ctypes_pointer(self):
        return ctypes.c_void_p(self.device_pointer)

    @property
    def device_pointer_value(self):
        return self.device_pointer or None

    def __int__(self):
        return self.device_pointer


def _span(shape, strides, itemsize):
    """Bytes from the first element to the end of the last, for strides that are not negative."""
    if any(extent == 0 for extent in shape):
        return 0
    return itemsize + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))


def _extents(shape):
    return [extent for extent in shape if extent != 1]


def _squeezed(array):
    """Extents and strides without the dimensions of extent 1."""
    return [(extent, stride) for extent, stride in zip(array.shape, array.strides, strict=True) if extent != 1]


def check_array_compatibility(one, other):
    """TypeError or ValueError unless a plain copy of bytes between the arrays is right."""
    if one.dtype != other.dtype:
        raise TypeError(f"incompatible dtype: {one.dtype} vs. {other.dtype}")
    one_axes, other_axes = _squeezed(one), _squeezed(other)
    if _extents(one.shape) != _extents(other.shape):
        raise ValueError(f"incompatible shape: {one.shape} vs. {other.shape}")
    if one.size and one_axes != other_axes:
        raise ValueError(f"incompatible strides: {one.strides} vs. {other.strides}")


def sentry_contiguous(array):
    """ValueError unless the array, without its broadcast dimensions, is contiguous."""
    core = array
    if array.size and 0 in array.strides:
        core = array[tuple(0 if stride == 0 else slice(None) for stride in array.strides)]
    if not (core.flags["C_CONTIGUOUS"] or core.flags["F_CONTIGUOUS"]):
        raise ValueError(NON_CONTIGUOUS)


class DeviceNDArray(_core.Array):
    """An array on a device. Basic indexing gives views; a full integer index gives an element as a NumPy scalar."""

    __cuda_memory__ = True
    __cuda_ndarray__ = True

    @property
    def stream(self):
        """The stream that operations on this array use unless they name one; 0: the current stream."""
        return self.__dict__.get("_stream", 0)

    @stream.setter
    def stream(self, stream):
        self._stream = stream if stream else 0

    def _on(self, stream):
        return as_stream(stream if stream else self.stream)

    def _bound(self, array, stream):
        """`array` (a view of self) with the default stream `stream`, or this array's."""
        stream = stream if stream else self.stream
        if stream:
            array.stream = stream
        return array

    def bind(self, stream=0):
        """The same memory with another default stream."""
        clone = type(self).wrap(self)
        clone.stream = stream
        return clone

    @property
    def alloc_size(self):
        """Bytes from the first element to the end of the last."""
        return _span(self.shape, self.strides, self.itemsize)

    @property
    def gpu_data(self):
        return MemoryPointer(self.pointer, self.alloc_size, self)

    @property
    def device_ctypes_pointer(self):
        return ctypes.c_void_p(self.pointer)

    def as_cuda_arg(self):
        return self.gpu_data

    @property
    def flags(self):
        return {
            "C_CONTIGUOUS": _core.Array.is_c_contiguous.__get__(self),
            "F_CONTIGUOUS": _core.Array.is_f_contiguous.__get__(self),
        }

    def is_c_contiguous(self):
        return self.flags["C_CONTIGUOUS"]

    def is_f_contiguous(self):
        return self.flags["F_CONTIGUOUS"]

    def __repr__(self):
        return f"<{type(self).__name__} shape={self.shape} dtype={self.dtype} on {self.device.name}>"

    def copy_to_host(self, ary=None, stream=0):
        """Copies to `ary`, or to a new NumPy array of the same memory order, and returns it. The copy is complete on
        return, unless `ary` is pinned memory and a stream is given."""
        if any(stride < 0 for stride in self.strides):
            raise NotImplementedError(f"D->H copy not implemented for negative strides: {self.strides}")
        if ary is None:
            return self.to_host(stream=self._on(stream))
        check_array_compatibility(self, ary)
        target = ary if ary.shape == self.shape else _reshaped_view(ary, self.shape)
        self.to_host(target, stream=self._on(stream))
        if not self._on(stream):
            _core.current_stream(self.device).synchronize()
        return ary

    def copy_to_device(self, ary, stream=0):
        """Copies `ary`, a host or device array of the same shape and dtype, into this array."""
        if ary.size == 0:
            return
        sentry_contiguous(self)
        if is_cuda_array(ary):
            source = as_device_array(ary)
            sentry_contiguous(source)
            check_array_compatibility(self, source)
        else:
            order = "C" if self.is_c_contiguous() else "F"
            source = np.asarray(ary, order=order)
            if source.shape != self.shape and _extents(source.shape) == _extents(self.shape):
                source = source.reshape(self.shape, order=order)
            check_array_compatibility(self, source)
        if source.shape != self.shape:
            source = source.reshape(self.shape)
        self.copy_from(source, stream=self._on(stream))

    def getitem(self, item, stream=0):
        """self[item] on a stream."""
        view = self.get_view(item)
        if view.ndim == 0 and not _keeps_dimensions(item):
            return view.to_host(stream=self._on(stream))[()]
        return self._bound(view, stream)

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def setitem(self, key, value, stream=0):
        """self[key] = value on a stream: a scalar or an array, broadcast and cast to this array's dtype."""
        target = self.get_view(key)
        if is_cuda_array(value):
            source = as_device_array(value)
            if source.dtype != self.dtype:
                source = source.to_host(stream=self._on(stream)).astype(self.dtype)
        else:
            source = np.asarray(value)
            if source.dtype != self.dtype:
                source = source.astype(self.dtype)
        if source.ndim > target.ndim:
            raise ValueError(f"Can't assign {source.ndim}-D array to {target.ndim}-D self")
        first = target.ndim - source.ndim
        for axis, extent in enumerate(source.shape, first):
            if extent not in (1, target.shape[axis]):
                raise ValueError(
                    f"Can't copy sequence with size {extent} to array axis {axis} with dimension {target.shape[axis]}"
                )
        target.copy_from(source, stream=self._on(stream))

    def reshape(self, *newshape, order="C"):
        """A view of another shape; NotImplementedError when it would need a copy."""
        if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)):
            newshape = newshape[0]
        return self._bound(super().reshape(*newshape, order=order), 0)

    def ravel(self, order="C", stream=0):
        """A one-dimensional view; NotImplementedError when it would need a copy."""
        return self._bound(super().ravel(order), stream)

    def transpose(self, axes=None):
        """A view with the axes reversed, or in the order given."""
        if axes is None:
            return self._bound(super().transpose(), 0)
        axes = tuple(axes)
        if set(axes) != set(range(self.ndim)) or len(axes) != self.ndim:
            raise ValueError(f"invalid axes list {axes!r}")
        return self._bound(super().transpose(axes), 0)

    @property
    def T(self):
        return self.transpose()

    def squeeze(self, axis=None, stream=0):
        """A view without the axes of extent 1."""
        return self._bound(super().squeeze(axis), stream)

    def view(self, dtype):
        """The same bytes as another dtype."""
        dtype = np.dtype(dtype)
        if dtype.itemsize != self.itemsize:
            if not self.is_c_contiguous():
                raise ValueError("To change to a dtype of a different size, the array must be C-contiguous")
            if self.ndim == 0 or (self.shape[-1] * self.itemsize) % dtype.itemsize:
                raise ValueError(
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes "
                    "of the last axis of the array."
                )
        return self._bound(super().view(dtype), 0)

    def split(self, section, stream=0):
        """Yields views of `section` elements each; the last may be smaller."""
        if self.ndim != 1:
            raise ValueError("only support 1d array")
        if self.strides[0] != self.itemsize:
            raise ValueError("only support unit stride")
        for begin in range(0, math.ceil(self.size / section) * section, section):
            yield self._bound(self.get_view(slice(begin, min(begin + section, self.size))), stream)

    def get_ipc_handle(self):
        """An IpcArrayHandle, by which another process opens this memory. Waits for the device's work.
        NotImplementedError on the cpu device."""
        from lanewise.cuda.sharing import IpcArrayHandle

        return IpcArrayHandle(_core.export_memory(self, device=self.device), self.shape, self.dtype, self.strides)


def _keeps_dimensions(item):
    """True when an index that gives zero dimensions means a view: x[...] of a 0-d array, x[1, ...]."""
    items = item if isinstance(item, tuple) else (item,)
    return any(part is Ellipsis for part in items)


def _reshaped_view(array, shape):
    view = array.view()
    view.shape = shape
    return view


class _HostVisible(np.ndarray):
    """A NumPy array over memory that kernels use as it lies."""

    __cuda_memory__ = True
    __cuda_ndarray__ = True

    @property
    def __cuda_array_interface__(self):
        return _core.asarray(self.view(np.ndarray)).__cuda_array_interface__

    @property
    def device_ctypes_pointer(self):
        return ctypes.c_void_p(_core.asarray(self.view(np.ndarray)).pointer)

    @property
    def gpu_data(self):
        return MemoryPointer(self.device_ctypes_pointer.value or 0, self.nbytes, self)

    @property
    def stream(self):
        return 0

    @property
    def alloc_size(self):
        return _span(self.shape, self.strides, self.itemsize)

    def copy_to_host(self, ary=None, stream=0):
        """Waits for the stream and copies to `ary`, or to a new array."""
        (as_stream(stream) or _core.current_stream()).synchronize()
        if ary is None:
            return np.array(self, subok=False, copy=True)
        check_array_compatibility(self, ary)
        np.copyto(ary.reshape(self.shape), self)
        return ary

    def copy_to_device(self, ary, stream=0):
        """Waits for the stream and copies `ary`, a host or device array, into this memory."""
        (as_stream(stream) or _core.current_stream()).synchronize()
        np.copyto(self, as_device_array(ary).to_host() if is_cuda_array(ary) else ary)


class MappedNDArray(_HostVisible):
    """A host array that the device reads and writes across the bus."""


class ManagedNDArray(_HostVisible):
    """An array whose memory migrates between host and device."""


def is_cuda_array(obj):
    """True for arrays on devices and objects with `__cuda_array_interface__`."""
    return _core.is_device_array(obj)


def as_device_array(obj):
    """A DeviceNDArray over the memory of anything that is a device array."""
    if isinstance(obj, DeviceNDArray):
        return obj
    return DeviceNDArray.wrap(_core.asarray(obj))


def is_cuda_ndarray(obj):
    """True for DeviceNDArray and the host arrays that kernels use as they lie."""
    return bool(getattr(obj, "__cuda_ndarray__", False))


def require_cuda_ndarray(obj):
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")
