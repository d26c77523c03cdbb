"""Memory pools: lanewise's own under CuPy's names, and pools over an allocator."""

import threading

from lanewise import _core
from lanewise.compat.cupy.cuda._errors import OutOfMemoryError
from lanewise.compat.cupy.cuda._memory import BaseMemory, Memory, MemoryPointer
from lanewise.compat.cupy.cuda.memory_hook import call_hooks

_GRANULE = 512


def _rounded(size):
    """The bytes that an allocation of this size takes in a pool."""
    return -(-size // _GRANULE) * _GRANULE


class PooledMemory(BaseMemory):
    """Memory of a pool; goes back to it at free() or with the last reference."""

    def __init__(self, pool, origin, size):
        self._keep(origin.mem.buffer, size)
        self._pool, self._origin = pool, origin

    def free(self):
        """Gives the memory back now; it must not be used any more."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        facts = {"device_id": self.device_id, "mem_size": self.size, "mem_ptr": self.ptr, "pmem_id": id(self)}
        call_hooks("free_preprocess", **facts)
        self.buffer = None
        self.ptr = self.size = 0
        pool._give_back(self._origin, facts["mem_size"])
        self._origin = None
        call_hooks("free_postprocess", **facts)

    def __del__(self):
        if getattr(self, "_pool", None) is not None:
            self.free()


class _Pool:
    def malloc(self, size):
        """Memory of at least `size` bytes, as a MemoryPointer: an allocator."""
        size = int(size)
        if size == 0:
            return MemoryPointer(BaseMemory(), 0)
        whole = _rounded(size)
        facts = {"device_id": _core.current_device().ordinal, "size": size, "mem_size": whole}
        call_hooks("malloc_preprocess", **facts)
        memory = PooledMemory(self, self._take(whole), whole)
        call_hooks("malloc_postprocess", **facts, mem_ptr=memory.ptr, pmem_id=id(memory))
        return MemoryPointer(memory, 0)

    def free_all_free(self):
        """Older name of free_all_blocks."""
        self.free_all_blocks()


class DefaultMemoryPool(_Pool):
    """lanewise's pool, from which all arrays come: its figures are those of the current device."""

    __module__ = "cupy.cuda"

    def _take(self, size):
        return MemoryPointer(Memory(size), 0)

    def _give_back(self, origin, size):
        """The memory ends with its last reference."""

    def _statistics(self):
        _core.functions.evaluate()
        return _core.current_device().pool_statistics()

    def used_bytes(self):
        """Bytes in use."""
        return self._statistics()["used_bytes"]

    def total_bytes(self):
        """Bytes taken from the device, in use or not."""
        return self._statistics()["held_bytes"]

    def free_bytes(self):
        """Bytes taken from the device that are not in use."""
        statistics = self._statistics()
        return statistics["held_bytes"] - statistics["used_bytes"]

    def n_free_blocks(self):
        """1 when there are free bytes, else 0: the pool joins what is free, and does not count it by blocks."""
        return int(self.free_bytes() > 0)

    def free_all_blocks(self, stream=None):
        """Gives memory that is not in use back to the device."""
        _core.functions.evaluate()
        _core.current_device().pool_trim()

    def set_limit(self, size=None, fraction=None):
        """The most bytes that are taken from the device: a size, or a part of its memory; 0: no limit."""
        _core.current_device().pool_set_limit(_limit(size, fraction))

    def get_limit(self):
        return self._statistics()["limit_bytes"]


class MemoryAsyncPool(DefaultMemoryPool):
    """lanewise's pool, which gives memory out and takes it back in the order of streams."""

    def __init__(self, pool_handles="current"):
        pass


class MemoryPool(_Pool):
    """A pool of its own over an allocator, a function of a size that gives a MemoryPointer; by default over lanewise's
    pool. Free blocks are kept for allocations of the same size until free_all_blocks()."""

    __module__ = "cupy.cuda"

    def __init__(self, allocator=None):
        self._allocator = allocator or default_pool._take
        self._lock = threading.RLock()
        self._free = {}
        self._used = self._held = self._limit = 0

    def _take(self, size):
        with self._lock:
            kept = self._free.get((_core.current_device(), size))
            if kept:
                origin, events = kept.pop()
                for event in events:
                    _core.current_stream().wait(event)
                origin.mem.buffer.order_after_uses(_core.current_stream())
            else:
                if self._limit and self._held + size > self._limit:
                    self.free_all_blocks()
                if self._limit and self._held + size > self._limit:
                    raise OutOfMemoryError(
                        f"the pool's limit is {self._limit} bytes, {self._used} are in use and {size} are asked for"
                    )
                origin = self._allocator(size)
                self._held += size
            self._used += size
            return origin

    def _give_back(self, origin, size):
        with self._lock:
            self._used -= size
            device = origin.mem.buffer.device
            self._free.setdefault((device, size), []).append((origin, _core.record_raw_work(device)))

    def used_bytes(self):
        """Bytes in use."""
        _core.functions.evaluate()
        return self._used

    def free_bytes(self):
        """Bytes that are kept for later."""
        _core.functions.evaluate()
        return self._held - self._used

    def total_bytes(self):
        """Bytes in use or kept."""
        _core.functions.evaluate()
        return self._held

    def n_free_blocks(self):
        """Blocks that are kept for later."""
        _core.functions.evaluate()
        with self._lock:
            return sum(map(len, self._free.values()))

    def free_all_blocks(self, stream=None):
        """Gives the blocks that are kept back to the allocator."""
        _core.functions.evaluate()
        with self._lock:
            self._held = self._used
            kept, self._free = self._free, {}
        kept.clear()

    def set_limit(self, size=None, fraction=None):
        """The most bytes that are taken from the allocator: a size, or a part of the device's memory; 0: no limit."""
        self._limit = _limit(size, fraction)

    def get_limit(self):
        return self._limit


def _limit(size, fraction):
    """What set_limit's arguments mean, in bytes."""
    if (size is None) == (fraction is None):
        raise ValueError("set_limit takes either size or fraction")
    if fraction is not None:
        if not 0 <= fraction <= 1:
            raise ValueError(f"fraction must be from 0 to 1, got {fraction}")
        return int(fraction * _core.current_device().memory_info()[1])
    if size < 0:
        raise ValueError(f"size must not be negative, got {size}")
    return int(size)


default_pool = DefaultMemoryPool()


def get_default_memory_pool():
    """lanewise's pool of device memory."""
    return default_pool
