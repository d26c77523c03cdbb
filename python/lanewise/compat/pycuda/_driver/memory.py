"""Device and host memory. Device memory comes from lanewise's pool: freeing it does not wait for the device, and it is
not used again before the work that may still touch it is done."""

import ctypes
import operator

import numpy as np

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.enums import host_alloc_flags
from lanewise.compat.pycuda._driver.errors import checked, driver_error, warn_about_cleanup
from lanewise.compat.pycuda._driver.streams import core_stream


class PointerHolderBase:
    """Base of classes that stand for an address: override get_pointer()."""

    __module__ = "pycuda._driver"

    def get_pointer(self):
        raise NotImplementedError("a PointerHolderBase overrides get_pointer()")

    def __int__(self):
        return int(self.get_pointer())

    __index__ = __int__

    def as_buffer(self, size, offset=0):
        return _memory_view(int(self) + offset, size)


def _memory_view(address, size):
    return memoryview((ctypes.c_char * size).from_address(address)).cast("B")


class DeviceAllocation(_core.Buffer):
    """Device memory; an integer, its address, where one is asked for."""

    __module__ = "pycuda._driver"

    def free(self):
        """Gives the memory back now; it must not be used any more."""
        if self.released:
            raise driver_error(errors.INVALID_VALUE, "device_allocation::free", "the memory has been freed already")
        self.release()

    def as_buffer(self, size, offset=0):
        """A buffer object of the memory from `offset` on: for calls that take addresses as buffers. The host can read
        and write it on the cpu device only."""
        if offset < 0 or size < 0 or offset + size > self.size:
            raise ValueError(f"bytes {offset} to {offset + size} of an allocation of {self.size} bytes")
        return _memory_view(self.pointer + offset, size)

    def __int__(self):
        try:
            return self.pointer
        except ValueError:
            raise driver_error(errors.INVALID_VALUE, "device_allocation", "the memory has been freed") from None

    __index__ = __int__


@checked("cuMemAlloc")
def mem_alloc(bytes):
    """Device memory of `bytes` bytes."""
    size = operator.index(bytes)
    if size <= 0:
        raise driver_error(errors.INVALID_VALUE, "cuMemAlloc", f"cannot allocate {size} bytes")
    return DeviceAllocation(size, device=current_core())


def mem_alloc_pitch(width, height, access_size):
    """(memory for `height` rows of `width` bytes, bytes from row to row)."""
    if access_size not in (4, 8, 16):
        raise driver_error(
            errors.INVALID_VALUE, "cuMemAllocPitch", f"the access size is 4, 8 or 16 bytes, got {access_size}"
        )
    pitch = -(-int(width) // 512) * 512
    return mem_alloc(pitch * int(height)), pitch


def mem_alloc_like(ary):
    """Device memory as large as an array."""
    return mem_alloc(ary.nbytes)


@checked("cuMemGetInfo")
def mem_get_info():
    """(free, total) bytes of the thread's device."""
    return tuple(current_core().memory_info())


@checked("cuMemGetAddressRange", NotImplementedError)
def mem_get_address_range(ptr):
    """(start, bytes) of the allocation that an address lies in."""
    if isinstance(ptr, _core.Buffer):
        return ptr.pointer, ptr.size
    return tuple(current_core().allocation_at(int(ptr)))


# Host memory


class HostPointer:
    """What the host allocations have in common."""

    def get_device_pointer(self):
        """The address by which kernels reach the memory."""
        return self.pointer


class _HostAllocation(_core.Buffer, HostPointer):
    def free(self):
        """Gives the memory back now; arrays in it must not be used any more."""
        self.release()


class PagelockedHostAllocation(_HostAllocation):
    __module__ = "pycuda._driver"

    def get_flags(self):
        return int(self.flags)


#: Its name in older versions.
HostAllocation = PagelockedHostAllocation


class ManagedAllocation(_HostAllocation):
    __module__ = "pycuda._driver"

    @checked("cuStreamAttachMemAsync", ValueError)
    def attach(self, flags, stream=None):
        """Says who uses the memory: mem_attach_flags. A hint, which the cpu device does not need."""
        core_stream(stream).attach(self.pointer, int(flags))


class AdoptedHostMemory(HostPointer):
    """Host memory that is no Buffer: `memory` is an array of its bytes."""

    @property
    def pointer(self):
        return self.memory.ctypes.data

    def array(self, shape, dtype, order):
        """The memory as an array whose `base` is this object."""
        self.__array_interface__ = self.memory.view(dtype).reshape(shape, order=order).__array_interface__
        return np.asarray(self)


class AlignedHostAllocation(AdoptedHostMemory):
    """Ordinary host memory that starts at a multiple of `alignment`."""

    __module__ = "pycuda._driver"

    def __init__(self, size, alignment=4096):
        if alignment <= 0 or alignment & (alignment - 1):
            raise ValueError(f"an alignment is a power of two, got {alignment}")
        whole = np.empty(size + alignment, np.uint8)
        start = -whole.ctypes.data % alignment
        self.memory = whole[start : start + size]
        self.alignment = alignment


class RegisteredHostMemory(HostPointer):
    """Page-locked memory of somebody else's, until unregister() or the end of this object."""

    __module__ = "pycuda._driver"

    def __init__(self, ary, registration):
        self.base = ary
        self._registration = registration

    def unregister(self):
        """Ends the page-locking, after the work that uses the memory."""
        registration, self._registration = self._registration, None
        if registration is None:
            raise driver_error(errors.INVALID_VALUE, "cuMemHostUnregister", "the memory has been unregistered already")
        current_core().synchronize()
        registration.close()

    @property
    def pointer(self):
        return self.base.ctypes.data

    @property
    def __array_interface__(self):
        return self.base.__array_interface__

    def __del__(self):
        if getattr(self, "_registration", None) is not None:
            try:
                self.unregister()
            except Exception as error:
                warn_about_cleanup(error)


def host_size(shape, dtype):
    """(shape as a tuple, dtype, bytes) of an array to be made; the shape may be an int."""
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)
    return shape, np.dtype(dtype), int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize


def _in_memory(memory, shape, dtype, order):
    """An array whose `base` is `memory`."""
    return np.ndarray(shape, dtype, buffer=memory, order=order)


@checked("cuMemHostRegister", ValueError)
def register_host_memory(ary, flags=0):
    """Page-locks the memory of a contiguous array: the array again, for fast, asynchronous copies. Its `base` ends the
    page-locking."""
    if not (isinstance(ary, np.ndarray) and (ary.flags.c_contiguous or ary.flags.f_contiguous)):
        raise ValueError("register_host_memory takes a contiguous NumPy array")
    return np.asarray(RegisteredHostMemory(ary, current_core().register_host(ary)))


@checked("cuMemHostAlloc", ValueError)
def pagelocked_empty(shape, dtype, order="C", mem_flags=0):
    """A NumPy array in page-locked memory. mem_flags: host_alloc_flags."""
    shape, dtype, size = host_size(shape, dtype)
    kind = "mapped" if int(mem_flags) & host_alloc_flags.DEVICEMAP else "pinned"
    memory = PagelockedHostAllocation(max(size, 1), kind, device=current_core())
    memory.flags = mem_flags
    return _in_memory(memory, shape, dtype, order)


@checked("cuMemAllocManaged", ValueError)
def managed_empty(shape, dtype, order="C", mem_flags=0):
    """A NumPy array that kernels take as a pointer to its memory. mem_flags: mem_attach_flags."""
    shape, dtype, size = host_size(shape, dtype)
    return _in_memory(ManagedAllocation(max(size, 1), "managed", device=current_core()), shape, dtype, order)


def aligned_empty(shape, dtype, order="C", alignment=4096):
    """A NumPy array whose memory starts at a multiple of `alignment`: what register_host_memory likes."""
    shape, dtype, size = host_size(shape, dtype)
    return AlignedHostAllocation(size, alignment).array(shape, dtype, order)


def _zeros(empty):
    def zeros(*args, **kwargs):
        array = empty(*args, **kwargs)
        array.fill(0)
        return array

    zeros.__doc__ = f"As {empty.__name__}, filled with zeros."
    zeros.__name__ = zeros.__qualname__ = empty.__name__.replace("empty", "zeros")
    return zeros


def _like(make):
    def like(array, **kwargs):
        order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        return make(array.shape, array.dtype, order, **kwargs)

    like.__doc__ = f"As {make.__name__}, with the shape, dtype and memory order of an array."
    like.__name__ = like.__qualname__ = f"{make.__name__}_like"
    return like


pagelocked_zeros = _zeros(pagelocked_empty)
pagelocked_empty_like = _like(pagelocked_empty)
pagelocked_zeros_like = _like(pagelocked_zeros)
managed_zeros = _zeros(managed_empty)
managed_empty_like = _like(managed_empty)
managed_zeros_like = _like(managed_zeros)
aligned_zeros = _zeros(aligned_empty)
aligned_empty_like = _like(aligned_empty)
aligned_zeros_like = _like(aligned_zeros)
