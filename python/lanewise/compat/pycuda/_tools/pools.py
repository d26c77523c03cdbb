"""Memory pools by PyCUDA's names, which count what goes through them."""

import gc
import sys

from lanewise import _core
from lanewise.compat.pycuda import driver as cuda
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.errors import checked
from lanewise.compat.pycuda._driver.memory import AdoptedHostMemory, host_size

_MANTISSA_BITS = 4


def bitlog2(value):
    """The position of the highest bit; 0 for 0."""
    return max(int(value).bit_length() - 1, 0)


class _Pool:
    """Statistics of blocks in bins: sizes that agree in their highest five bits share one, and a block has its bin's
    largest size."""

    def __init__(self):
        self._held = {}
        self._holds = True
        self.active_blocks = 0
        self.active_bytes = 0

    @staticmethod
    def bin_number(size):
        exponent = bitlog2(size)
        shift = exponent - _MANTISSA_BITS
        mantissa = (size >> shift if shift >= 0 else size << -shift) & ((1 << _MANTISSA_BITS) - 1)
        return exponent << _MANTISSA_BITS | mantissa

    @staticmethod
    def alloc_size(bin_number):
        shift = (bin_number >> _MANTISSA_BITS) - _MANTISSA_BITS
        head = 1 << _MANTISSA_BITS | bin_number & ((1 << _MANTISSA_BITS) - 1)
        return (head + 1 << shift) - 1 if shift >= 0 else head >> -shift

    @property
    def held_blocks(self):
        """Blocks that wait to be used again."""
        return sum(map(len, self._held.values()))

    @property
    def managed_bytes(self):
        """Bytes in use and held."""
        return self.active_bytes + sum(self.alloc_size(number) * len(held) for number, held in self._held.items())

    def free_held(self):
        """Gives the held blocks back."""
        self._held.clear()

    def stop_holding(self):
        """Blocks that are freed from now on are given back."""
        self._holds = False
        self.free_held()

    def _take(self, number):
        """What was held of a bin, or None."""
        self.active_blocks += 1
        self.active_bytes += self.alloc_size(number)
        held = self._held.get(number)
        return held.pop() if held else None

    def _untake(self, number):
        self.active_blocks -= 1
        self.active_bytes -= self.alloc_size(number)

    def _give_back(self, number, block):
        self._untake(number)
        if self._holds:
            self._held.setdefault(number, []).append(block)


class DeviceMemoryPool(_Pool):
    """Device memory. Freed blocks are held by lanewise's own pool, from which all device memory comes: it uses a block
    again only behind the work that may still touch it, and gives blocks back when memory runs out."""

    __module__ = "pycuda.tools"

    def __init__(self):
        super().__init__()
        self._device = current_core()

    def allocate(self, size):
        """Memory of at least `size` bytes."""
        number = self.bin_number(int(size))
        self._take(number)
        try:
            return self._allocate(number)
        except cuda.MemoryError:
            # What only cycles keep alive comes free.
            gc.collect()
        try:
            return self._allocate(number)
        except cuda.MemoryError:
            self._untake(number)
            raise

    __call__ = allocate

    @checked("cuMemAlloc")
    def _allocate(self, number):
        return PooledDeviceAllocation(self, number)

    def free_held(self):
        super().free_held()
        self._device.pool_trim()

    def _give_back(self, number, block):
        super()._give_back(number, block)
        if not self._holds:
            self._device.pool_trim()


class PooledDeviceAllocation(cuda.DeviceAllocation):
    """Memory of a DeviceMemoryPool; goes back to it at free() or with the last reference."""

    __module__ = "pycuda.tools"

    def __init__(self, pool, number):
        self._pool = None
        super().__init__(pool.alloc_size(number), device=pool._device)
        self._pool, self._bin = pool, number

    def free(self):
        super().free()
        pool, self._pool = self._pool, None
        pool._give_back(self._bin, None)

    def __len__(self):
        return self.size

    def __del__(self):
        if self._pool is not None:
            self.free()


class PageLockedAllocator:
    """Where a PageLockedMemoryPool takes its blocks from."""

    __module__ = "pycuda.tools"

    def __init__(self, flags=0):
        self.flags = flags

    def allocate(self, size):
        return cuda.pagelocked_empty(size, "uint8", mem_flags=self.flags).base

    __call__ = allocate


class PageLockedMemoryPool(_Pool):
    """Page-locked memory. A block is used again when the copies that may still touch it are done."""

    __module__ = "pycuda.tools"

    def __init__(self, allocator=None):
        super().__init__()
        self._allocator = allocator or PageLockedAllocator()

    def allocate(self, shape, dtype, order="C"):
        """A NumPy array in memory of the pool."""
        shape, dtype, size = host_size(shape, dtype)
        return PooledHostAllocation(self, max(size, 1)).array(shape, dtype, order)

    def _block(self, number):
        found = self._take(number)
        if found is not None:
            block, events = found
            for event in events:
                event.synchronize()
            return block
        try:
            try:
                return self._allocator.allocate(self.alloc_size(number))
            except cuda.MemoryError:
                gc.collect()
                self.free_held()
                return self._allocator.allocate(self.alloc_size(number))
        except cuda.MemoryError:
            self._untake(number)
            raise


class PooledHostAllocation(AdoptedHostMemory):
    """Memory of a PageLockedMemoryPool; goes back to it at free() or with the last reference."""

    __module__ = "pycuda.tools"

    def __init__(self, pool, size):
        self._pool = None
        self._bin = pool.bin_number(size)
        self._block = pool._block(self._bin)
        self._pool, self._size = pool, size

    @property
    def memory(self):
        return self._block.numpy((self._size,), "uint8")

    @property
    def pointer(self):
        return self._block.pointer

    def free(self):
        """Gives the memory back now; arrays in it must not be used any more."""
        if self._pool is None:
            raise cuda.LogicError("pooled_host_allocation::free failed: invalid argument - the memory has been freed")
        pool, self._pool = self._pool, None
        pool._give_back(self._bin, (self._block, _core.record_raw_work(self._block.device)))

    def __len__(self):
        return self._size

    def __del__(self):
        if self._pool is not None:
            self.free()


class DebugMemoryPool(DeviceMemoryPool):
    """A DeviceMemoryPool that writes down what it does."""

    __module__ = "pycuda.tools"

    def __init__(self, interactive=True, logfile=None):
        super().__init__()
        self._log = logfile or sys.stdout

    def allocate(self, size):
        print(f"[pool] allocate {size} bytes; {self.active_bytes} active, {self.managed_bytes} managed", file=self._log)
        return super().allocate(size)

    __call__ = allocate
