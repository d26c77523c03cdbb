"""Where device memory comes from: memory that is asked for by its size, and that of arrays."""

import contextlib
import ctypes
import threading

from lanewise import _core
from lanewise.compat.cupy.cuda import memory_hook
from lanewise.compat.cupy.cuda._memory import BaseMemory, Memory, MemoryPointer, UnownedMemory
from lanewise.compat.cupy.cuda._pools import default_pool


def _allocate_plain(size):
    return MemoryPointer(Memory(size), 0)


class _Choice(threading.local):
    """The allocator of a with block of this thread, and the one of all threads; None: lanewise's pool."""

    mine = None


_choice = _Choice()
_everyones = None


def get_allocator():
    """The allocator in use: a function of a size that gives a MemoryPointer."""
    return _choice.mine or _everyones or default_pool.malloc


def _for_arrays(allocator):
    """An allocator as the core calls it: on the stream that the memory is for."""

    def allocate(size, stream):
        before = _core.set_current_stream(stream)
        try:
            pointer = allocator(size)
        finally:
            _core.set_current_stream(before)
        memory = getattr(pointer, "mem", None)
        if not isinstance(memory, BaseMemory) or memory.buffer is None:
            raise TypeError(f"an allocator must give a MemoryPointer to {size} bytes, not {pointer!r}")
        return memory.buffer, pointer.ptr - memory.buffer.pointer, pointer

    return allocate


def _tell_core():
    """Arrays of this thread take their memory as CuPy's would; hooks see lanewise's pool as well."""
    own = _choice.mine or (default_pool.malloc if memory_hook.get_hooks() and _everyones is None else None)
    _core.set_allocator(_for_arrays(own) if own else None, thread=True)


memory_hook.on_change(_tell_core)


def set_allocator(allocator=None):
    """Makes `allocator` the one of all threads; None: memory that no pool counts. What is still to be computed takes
    its memory from the one before."""
    global _everyones
    if _choice.mine is not None:
        raise ValueError("set_allocator cannot be called within using_allocator")
    _core.functions.evaluate()
    if allocator is None:
        allocator = _allocate_plain
    _everyones = None if allocator == default_pool.malloc else allocator
    _core.set_allocator(_for_arrays(_everyones) if _everyones else None)
    _tell_core()


@contextlib.contextmanager
def using_allocator(allocator=None):
    """A with block in which `allocator` is the calling thread's; None: memory that no pool counts."""
    before = _choice.mine
    _core.functions.evaluate()
    _choice.mine = _allocate_plain if allocator is None else allocator
    _tell_core()
    try:
        yield
        _core.functions.evaluate()
    finally:
        _choice.mine = before
        _tell_core()


def alloc(size):
    """Memory of `size` bytes from the allocator in use, as a MemoryPointer."""
    return get_allocator()(size)


class PythonFunctionAllocator:
    """An allocator made of two functions: malloc_func(size, device_id) -> address, free_func(address, device_id)."""

    __module__ = "cupy.cuda"

    def __init__(self, malloc_func, free_func):
        self._malloc, self._free = malloc_func, free_func

    def malloc(self, size):
        return MemoryPointer(PythonFunctionAllocatorMemory(self._malloc, self._free, int(size)), 0)


class _Freeing:
    """Calls free_func when the last reference goes."""

    def __init__(self, free, pointer, device_id):
        self._free, self._pointer, self._device_id = free, pointer, device_id

    def __del__(self):
        self._free(self._pointer, self._device_id)


class PythonFunctionAllocatorMemory(UnownedMemory):
    """Memory of a PythonFunctionAllocator. It is freed when the work that uses it is done."""

    def __init__(self, malloc_func, free_func, size):
        device_id = _core.current_device().ordinal
        pointer = malloc_func(size, device_id)
        super().__init__(pointer, size, _Freeing(free_func, pointer, device_id), device_id)
        self._owner = None  # the buffer's reference is the last one, which goes when nothing uses the memory


class CFunctionAllocator(PythonFunctionAllocator):
    """An allocator made of two C functions, by their addresses: void *malloc(void *param, size_t size, int device_id),
    void free(void *param, void *address, int device_id)."""

    def __init__(self, param, malloc_func, free_func, owner):
        allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(malloc_func)
        release = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(free_func)
        super().__init__(
            lambda size, device_id: allocate(param, size, device_id),
            lambda pointer, device_id: release(param, pointer, device_id),
        )
        self._owner = owner
