"""Device memory by its address."""

import ctypes

from lanewise import _core
from lanewise.compat.cupy.cuda.device import Device, core_of
from lanewise.compat.cupy.cuda.memory_hook import call_hooks
from lanewise.compat.cupy.cuda.stream import core_stream


class BaseMemory:
    """A piece of device memory, by `ptr`, `size` and `device_id`. `buffer` is the core's, where there is one."""

    __module__ = "cupy.cuda"
    buffer = None
    ptr = size = device_id = 0

    @property
    def device(self):
        return Device(self.device_id)

    def __int__(self):
        """The address."""
        return self.ptr

    def _keep(self, buffer, size):
        self.buffer = buffer
        self.ptr = buffer.pointer
        self.size = size
        self.device_id = buffer.device.ordinal


class Memory(BaseMemory):
    """Device memory of its own. It comes from lanewise's pool, and goes back there behind the work that may use it."""

    def __init__(self, size):
        size = int(size)
        if size > 0:
            facts = {"device_id": _core.current_device().ordinal, "mem_size": size}
            call_hooks("alloc_preprocess", **facts)
            self._keep(_core.Buffer(size), size)
            call_hooks("alloc_postprocess", **facts, mem_ptr=self.ptr)


class MemoryAsync(Memory):
    """As Memory: all of lanewise's memory is given out and taken back in the order of streams."""

    def __init__(self, size, stream=None):
        super().__init__(size)


class ManagedMemory(BaseMemory):
    """Memory that migrates between host and device."""

    def __init__(self, size):
        if size > 0:
            self._keep(_core.Buffer.allocate_host(int(size), "managed"), int(size))

    def prefetch(self, stream, *, device=None):
        """A hint to bring the memory to a device, which the device does without."""

    def advise(self, advise, device):
        """A hint on how the memory is used, which the device does without."""


class UnownedMemory(BaseMemory):
    """Somebody else's memory; `owner` is kept alive."""

    def __init__(self, ptr, size, owner, device_id=-1):
        device = core_of(device_id if device_id >= 0 else None)
        self._keep(_core.Buffer.foreign(int(ptr), int(size), owner=owner, device=device), int(size))
        self._owner = owner


class BufferMemory(BaseMemory):
    """Memory of an array or of a module."""

    def __init__(self, buffer):
        self._keep(buffer, buffer.size)


class MemoryPointer:
    """An address within a piece of memory, which it keeps alive."""

    __module__ = "cupy.cuda"
    __slots__ = ("__weakref__", "mem", "ptr")

    def __init__(self, mem, offset):
        self.mem = mem
        self.ptr = mem.ptr + offset

    @property
    def device_id(self):
        return self.mem.device_id

    @property
    def device(self):
        return self.mem.device

    def __int__(self):
        return self.ptr

    __index__ = __int__

    def __add__(self, offset):
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    __radd__ = __iadd__ = __add__

    def __sub__(self, offset):
        return self + -offset

    __isub__ = __sub__

    def __repr__(self):
        return f"<MemoryPointer {self.ptr:#x} device={self.device_id} mem={self.mem!r}>"

    def copy_from_device(self, src, size):
        """Copies `size` bytes from another MemoryPointer."""
        self.copy_from_device_async(src, size)

    def copy_from_device_async(self, src, size, stream=None):
        if size:
            _core.raw_copy(self.ptr, src.ptr, int(size), core_stream(stream))

    def copy_from_host(self, mem, size):
        """Copies `size` bytes from host memory: an address or a ctypes pointer."""
        if size:
            _core.raw_copy_to_device(self.ptr, host_memory(mem, size), core_stream(None))

    def copy_from_host_async(self, mem, size, stream=None):
        if size:
            _core.raw_copy_to_device(self.ptr, host_memory(mem, size), core_stream(stream), False)

    def copy_from(self, mem, size):
        """Copies from a MemoryPointer or from host memory."""
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem, size, stream=None):
        if isinstance(mem, MemoryPointer):
            self.copy_from_device_async(mem, size, stream)
        else:
            self.copy_from_host_async(mem, size, stream)

    def copy_to_host(self, mem, size):
        """Copies `size` bytes to host memory: an address or a ctypes pointer."""
        if size:
            _core.raw_copy_to_host(host_memory(mem, size), self.ptr, core_stream(None))

    def copy_to_host_async(self, mem, size, stream=None):
        if size:
            _core.raw_copy_to_host(host_memory(mem, size), self.ptr, core_stream(stream), False)

    def memset(self, value, size):
        """Fills `size` bytes with a value of 0 to 255."""
        self.memset_async(value, size)

    def memset_async(self, value, size, stream=None):
        if size:
            _core.raw_fill(self.ptr, int(value) & 0xFF, 1, int(size), stream=core_stream(stream))


def host_memory(mem, size):
    """Host memory by its address (a number, a ctypes pointer or array) as a buffer of `size` bytes."""
    address = getattr(mem, "value", None) if isinstance(mem, ctypes.c_void_p) else None
    if address is None:
        if isinstance(mem, int):
            address = mem
        elif hasattr(mem, "ptr"):
            address = mem.ptr
        else:
            address = ctypes.cast(mem, ctypes.c_void_p).value
    return (ctypes.c_char * int(size)).from_address(address)


def malloc_managed(size):
    """Memory that migrates between host and device, as a MemoryPointer: an allocator."""
    return MemoryPointer(ManagedMemory(size), 0)


def malloc_async(size):
    """Memory given out in the order of streams, as a MemoryPointer: an allocator."""
    return MemoryPointer(MemoryAsync(size), 0)
