"""Making arrays: on the device, in pinned, mapped and managed memory, and over other libraries' memory."""

import contextlib

import numpy as np

from lanewise import _core, config
from lanewise.cuda.arrays import (
    DeviceNDArray,
    ManagedNDArray,
    MappedNDArray,
    as_device_array,
    is_cuda_array,
    sentry_contiguous,
)
from lanewise.cuda.streams import as_stream


def _shape(shape):
    if isinstance(shape, (tuple, list)):
        return tuple(shape)
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    raise TypeError(f"a shape is an int or a tuple of ints; got {shape!r}")


def _strides(strides):
    return (strides,) if isinstance(strides, int) else strides


def _bound(array, stream):
    if stream:
        array.stream = stream
    return array


def auto_device(obj, stream=0, copy=True, user_explicit=True):
    """(device array, whether it is new): device arrays as they are, host arrays copied to the device."""
    if isinstance(obj, _core.Array):
        return obj, False
    if is_cuda_array(obj):
        return as_cuda_array(obj), False
    source = np.asanyarray(obj)
    sentry_contiguous(source)
    if not copy:
        return device_array_like(source, stream=stream), True
    return _bound(DeviceNDArray.from_host(source, stream=as_stream(stream)), stream), True


def to_device(obj, stream=0, copy=True, to=None):
    """A copy of a NumPy array (or anything `numpy.asarray` takes) on the current device. With `to` the copy goes into
    that device array; with copy=False the memory is made only. Device arrays are given back as they are."""
    if to is not None:
        if copy:
            to.copy_to_device(np.asanyarray(obj) if not is_cuda_array(obj) else obj, stream=stream)
        return to
    return auto_device(obj, stream=stream, copy=copy)[0]


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """An array on the current device with undefined contents. Like numpy.empty()."""
    array = DeviceNDArray.empty(
        _shape(shape), np.dtype(dtype), order=order, strides=_strides(strides), stream=as_stream(stream)
    )
    return _bound(array, stream)


def _host_array(kind, cls, shape, dtype, strides, order):
    shape, dtype, strides = _shape(shape), np.dtype(dtype), _strides(strides)
    if strides is None:
        size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    else:
        span = sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
        size = 0 if 0 in shape else dtype.itemsize + span
    array = _core.Buffer.allocate_host(size, kind).numpy(shape, dtype, strides=strides, order=order)
    return array if cls is None else array.view(cls)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A NumPy array in page-locked memory: copies between it and the device are fast and asynchronous."""
    return _host_array("pinned", None, shape, dtype, strides, order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False):
    """A NumPy array in page-locked memory that kernels read and write in place, across the bus."""
    return _host_array("mapped", MappedNDArray, shape, dtype, strides, order)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """A NumPy array whose memory migrates between host and device as it is used."""
    return _host_array("managed", ManagedNDArray, shape, dtype, strides, order)


def _like(array):
    """shape, dtype, strides and order of a contiguous array with the memory order of `array`."""
    shape, strides = tuple(array.shape), tuple(array.strides)
    c_order = array.flags["C_CONTIGUOUS"]
    f_order = array.flags["F_CONTIGUOUS"]
    if c_order or f_order or len(shape) <= 1:
        return shape, array.dtype, None, "F" if f_order and not c_order else "C"
    packed = [0] * len(shape)
    step = array.dtype.itemsize
    for axis in sorted(range(len(shape)), key=lambda axis: strides[axis]):
        packed[axis] = step
        step *= shape[axis]
    return shape, array.dtype, tuple(packed), "C"


def device_array_like(ary, stream=0):
    """device_array() with the shape, dtype and memory order of `ary`."""
    shape, dtype, strides, order = _like(ary)
    return device_array(shape, dtype, strides, order, stream)


def pinned_array_like(ary):
    """pinned_array() with the shape, dtype and memory order of `ary`."""
    return pinned_array(*_like(ary))


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """mapped_array() with the shape, dtype and memory order of `ary`."""
    return mapped_array(*_like(ary), stream=stream)


@contextlib.contextmanager
def pinned(*arylist):
    """Page-locks the memory of existing NumPy arrays for the time of a with block."""
    with contextlib.ExitStack() as stack:
        for array in arylist:
            stack.enter_context(_core.current_device().register_host(array))
        yield


@contextlib.contextmanager
def mapped(*arylist, stream=0):
    """Maps the memory of existing NumPy arrays into the device for the time of a with block: yields one device array,
    or a list of them, over that memory."""
    device = _core.current_device()
    with contextlib.ExitStack() as stack:
        views = []
        for array in arylist:
            sentry_contiguous(array)
            stack.enter_context(device.register_host(array))
            buffer = _core.Buffer.foreign(array.ctypes.data, array.nbytes, owner=array, kind="mapped", device=device)
            view = DeviceNDArray.from_buffer(buffer, array.shape, array.dtype, strides=array.strides)
            views.append(_bound(view, stream))
        try:
            yield views[0] if len(views) == 1 else views
        finally:
            (as_stream(stream) or _core.current_stream(device)).synchronize()


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array over the memory that a `__cuda_array_interface__` dict describes. `owner` is kept alive."""
    sync = bool(sync and config.get("CUDA_ARRAY_INTERFACE_SYNC"))
    array = DeviceNDArray.from_interface(desc, owner=owner, sync=sync)
    handle = desc.get("stream")
    return _bound(array, _core.current_device().external_stream(handle) if handle else 0)


def as_cuda_array(obj, sync=True):
    """A device array over the memory of an object with `__cuda_array_interface__`. Nothing is copied. With `sync`,
    later work waits for what the object's stream has to do."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if isinstance(obj, _core.Array):
        return as_device_array(obj)
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(
            f"*obj* doesn't implement the cuda array interface: {type(obj).__name__} has no __cuda_array_interface__; "
            "copy host arrays with cuda.to_device"
        )
    return from_cuda_array_interface(interface, owner=obj, sync=sync)


def defer_cleanup():
    """A with block in which released device memory is kept, so that no release interrupts asynchronous work."""
    return _core.PoolDeferral()
