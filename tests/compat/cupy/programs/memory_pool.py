"""The memory pool: its figures, limits, allocators, hooks."""

import cupy as cp
import numpy as np

pool = cp.get_default_memory_pool()
pinned = cp.get_default_pinned_memory_pool()
pool.free_all_blocks()
before = pool.used_bytes()

host = np.arange(1000, dtype=np.float32)
x = cp.asarray(host)
assert pool.used_bytes() >= before + 4000
assert pool.total_bytes() >= pool.used_bytes()
assert pool.free_bytes() == pool.total_bytes() - pool.used_bytes()
del x
assert pool.used_bytes() == before
pool.free_all_blocks()
assert pool.total_bytes() <= pool.used_bytes() + (4 << 20)
pinned.free_all_blocks()
assert pinned.n_free_blocks() == 0

pool.set_limit(size=64 << 20)
assert pool.get_limit() == 64 << 20
try:
    cp.empty(40 << 20, dtype=cp.float64)
except cp.cuda.memory.OutOfMemoryError as error:
    assert isinstance(error, MemoryError)
    print("refused:", str(error).splitlines()[0][:60])
else:
    raise AssertionError("the limit was ignored")
pool.set_limit(size=0)

mine = cp.cuda.MemoryPool()
with cp.cuda.using_allocator(mine.malloc):
    a = cp.zeros(1000, dtype=cp.uint8)
    b = cp.arange(10)
    assert mine.used_bytes() == 1024 + 512
    a += 5
    assert int(a.sum(dtype=cp.int64)) == 5000
del a
assert mine.used_bytes() == 512 and mine.free_bytes() >= 1024 and mine.n_free_blocks() >= 1
mine.free_all_blocks()
assert mine.total_bytes() == 512

managed = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
cp.cuda.set_allocator(managed.malloc)
c = cp.ones((100, 100))
assert float(c.sum()) == 10_000 and managed.used_bytes() >= 80_000
cp.cuda.set_allocator(pool.malloc)


class Counter(cp.cuda.MemoryHook):
    name = "Counter"

    def __init__(self):
        self.sizes = []

    def malloc_postprocess(self, *, size, **facts):
        self.sizes.append(size)


with Counter() as counter:
    d = cp.empty(100, dtype=cp.float32)
    e = cp.cuda.alloc(50)
assert counter.sizes == [400, 50], counter.sizes
print("memory", b.sum())
