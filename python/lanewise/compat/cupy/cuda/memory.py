"""cupy.cuda.memory: device memory by its address, pools and allocators."""

from lanewise.compat.cupy.cuda._allocators import (
    CFunctionAllocator,
    PythonFunctionAllocator,
    PythonFunctionAllocatorMemory,
    alloc,
    get_allocator,
    set_allocator,
    using_allocator,
)
from lanewise.compat.cupy.cuda._errors import CUDARuntimeError, OutOfMemoryError
from lanewise.compat.cupy.cuda._memory import (
    BaseMemory,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryPointer,
    UnownedMemory,
    malloc_async,
    malloc_managed,
)
from lanewise.compat.cupy.cuda._pools import MemoryAsyncPool, MemoryPool, PooledMemory
