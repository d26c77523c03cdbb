"""Where memory that is asked for by its size comes from."""

import contextlib
import ctypes
import threading

from lanewise import _core
from lanewise.compat.cupy.cuda._memory import Memory, MemoryPointer, UnownedMemory
from lanewise.compat.cupy.cuda._pools import default_pool
from lanewise.compat.cupy.cuda.memory_hook import get_hooks


def _allocate_plain(size):
    return MemoryPointer(Memory(size), 0)


class _Choice(threading.local):
    """The allocator of a with block of this thread, and the one of all threads; None: lanewise's pool."""

    mine = None


_choice = _Choice()
_everyones = None


def chosen():
    """The allocator in use, when it is another than lanewise's pool or when hooks watch; else None."""
    return _choice.mine or _everyones or (default_pool.malloc if get_hooks() else None)


def get_allocator():
    """The allocator in use: a function of a size that gives a MemoryPointer."""
    return chosen() or default_pool.malloc


def set_allocator(allocator=None):
    """Makes `allocator` the one of all threads; None: memory that no pool counts."""
    global _everyones
    if _choice.mine is not None:
        raise ValueError("set_allocator cannot be called within using_allocator")
    if allocator is None:
        allocator = _allocate_plain
    _everyones = None if allocator == default_pool.malloc else allocator


@contextlib.contextmanager
def using_allocator(allocator=None):
    """A with block in which `allocator` is the calling thread's; None: memory that no pool counts."""
    before = _choice.mine
    _choice.mine = _allocate_plain if allocator is None else allocator
    try:
        yield
    finally:
        _choice.mine = before


def alloc(size):
    """Memory of `size` bytes from the allocator in use, as a MemoryPointer."""
    return get_allocator()(size)


class _Owner:
    """Calls a function when the last reference goes."""

    def __init__(self, free):
        self._free = free

    def __del__(self):
        self._free()


class PythonFunctionAllocator:
    """An allocator made of two functions: malloc_func(size, device_id) -> address, free_func(address, device_id)."""

    __module__ = "cupy.cuda"

    def __init__(self, malloc_func, free_func):
        self._malloc, self._free = malloc_func, free_func

    def malloc(self, size):
        device_id = _core.current_device().ordinal
        pointer = self._malloc(int(size), device_id)
        owner = _Owner(lambda: self._free(pointer, device_id))
        return MemoryPointer(UnownedMemory(pointer, size, owner, device_id), 0)


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
