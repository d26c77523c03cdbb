"""cupy.cuda.pinned_memory: page-locked host memory."""

import threading

import numpy as np

from lanewise import _core


class PinnedMemoryPointer(np.ndarray):
    """The bytes of a piece of page-locked memory; a buffer object: `numpy.frombuffer(memory, dtype, count)`."""

    __module__ = "cupy.cuda"

    def __new__(cls, memory, size):
        # A pinned Buffer as the base of the array keeps NumPy from skipping this object in chains of views.
        return super().__new__(cls, (size,), np.uint8, buffer=memory)

    @property
    def mem(self):
        return self

    @property
    def ptr(self):
        return self.ctypes.data

    def size(self):
        return self.nbytes

    def __int__(self):
        return self.ptr


class PinnedMemory(PinnedMemoryPointer):
    """Page-locked memory of its own."""

    def __new__(cls, size, flags=0):
        size = int(size)
        kind = "mapped" if flags & 2 else "pinned"
        return super().__new__(cls, _core.Buffer.allocate_host(max(size, 1), kind), size)


class _PooledPinnedMemory(PinnedMemoryPointer):
    """Page-locked memory that goes back to a pool with the last reference."""

    def __del__(self):
        pool = getattr(self, "_pool", None)
        if pool is not None:
            pool._give_back(self.base)


#: CuPy's name.
PooledPinnedMemory = _PooledPinnedMemory


class PinnedMemoryPool:
    """Page-locked memory in blocks of powers of two bytes. A block is used again when the copies that may still touch
    it are done."""

    __module__ = "cupy.cuda"

    def __init__(self, allocator=None):
        self._allocator = allocator or PinnedMemory
        self._lock = threading.RLock()
        self._free = {}

    def malloc(self, size):
        """Memory of `size` bytes: an allocator."""
        whole = 1 << max(int(size) - 1, _SMALLEST - 1).bit_length()
        with self._lock:
            kept = self._free.get(whole)
            block, events = kept.pop() if kept else (self._allocator(whole), ())
        for event in events:
            event.synchronize()
        memory = _PooledPinnedMemory(block, int(size))
        memory._pool = self
        return memory

    def _give_back(self, block):
        events = _core.record_raw_work()
        with self._lock:
            self._free.setdefault(block.nbytes, []).append((block, events))

    def n_free_blocks(self):
        """Blocks that are kept for later."""
        with self._lock:
            return sum(map(len, self._free.values()))

    def free_all_blocks(self):
        """Gives the blocks that are kept back."""
        with self._lock:
            kept, self._free = self._free, {}
        for blocks in kept.values():
            for _, events in blocks:
                for event in events:
                    event.synchronize()


_SMALLEST = 512
default_pool = PinnedMemoryPool()
_allocator = default_pool.malloc


def get_default_pinned_memory_pool():
    """The pool that alloc_pinned_memory takes from at first."""
    return default_pool


def set_pinned_memory_allocator(allocator=None):
    """Makes `allocator`, a function of a size, the one of alloc_pinned_memory; None: memory without a pool."""
    global _allocator
    _allocator = PinnedMemory if allocator is None else allocator


def alloc_pinned_memory(size):
    """Page-locked memory of `size` bytes."""
    return _allocator(size)
