"""Allocators and hooks that see what operations allocate: functions of the program, pools, peaks, lines."""

import gc
import io

import cupy as cp
import numpy as np
from cupy.cuda import memory_hooks

runtime = cp.cuda.runtime
live = {}


def allocate(size, device_id):
    pointer = runtime.malloc(size)
    live[pointer] = size
    return pointer


def free(pointer, device_id):
    del live[pointer]
    runtime.free(pointer)


allocator = cp.cuda.PythonFunctionAllocator(allocate, free)
cp.cuda.set_allocator(allocator.malloc)
x = cp.arange(1000, dtype=cp.float64)
y = (cp.exp(-x) * 2).reshape(10, 100).sum(axis=1)
np.testing.assert_allclose(y.get(), (np.exp(-np.arange(1000.0)) * 2).reshape(10, 100).sum(axis=1))
assert 80 in live.values()
del x, y
gc.collect()
assert not live
cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)

pool = cp.cuda.MemoryPool()
with cp.cuda.using_allocator(pool.malloc):
    a = cp.arange(1000, dtype=cp.float64)
    assert pool.used_bytes() == 8192
    b = cp.sqrt(a) + 1
    total = b.sum()
    assert pool.used_bytes() == 2 * 8192 + 512
    del b
    assert pool.used_bytes() == 8192 + 512
del a, total
assert pool.used_bytes() == 0 and pool.free_bytes() == pool.total_bytes() > 0
pool.free_all_blocks()
assert pool.total_bytes() == 0


class Peak(cp.cuda.MemoryHook):
    name = "Peak"

    def __init__(self):
        self.live, self.peak, self.calls = 0, 0, 0

    def malloc_postprocess(self, device_id, size, mem_size, mem_ptr, pmem_id):
        self.live += mem_size
        self.calls += 1
        self.peak = max(self.peak, self.live)

    def free_postprocess(self, device_id, mem_size, mem_ptr, pmem_id):
        self.live -= mem_size


with Peak() as peak:
    a = cp.ones(1024, dtype=cp.float32)
    b = a + 1
    c = b * a
    del a, b
assert (peak.calls, peak.peak, peak.live) == (3, 3 * 4096, 4096)

hook = memory_hooks.LineProfileHook()
with hook:
    d = cp.zeros((64, 64))
    e = d.T.copy()
report = io.StringIO()
hook.print_report(report)
assert "allocators_and_hooks.py" in report.getvalue() and "64.00KB" in report.getvalue()
print("allocators", peak.peak, float(c.sum() + e.sum()))
