"""Allocators and hooks of cupy.cuda see the memory of every array, also of results that are computed later."""

import gc
import io
import threading

import numpy as np
import pytest

from lanewise import _core, cuda


@pytest.fixture
def pool(cp):
    """A pool of its own as the allocator of all threads."""
    own = cp.cuda.MemoryPool()
    cp.cuda.set_allocator(own.malloc)
    yield own
    cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)


# What makes an array of 64 float64: 512 bytes.
MAKERS = [
    "cp.arange(64.0)",
    "cp.zeros(64)",
    "cp.empty(64)",
    "cp.ndarray((8, 8))",
    "cp.asarray(np.arange(64.0))",
    "cp.full((4, 16), 2.0, order='F')",
    "x + 1",
    "cp.sqrt(x) * 2 - x",
    "x.copy()",
    "x.T.copy()",
    "x.astype(complex).real.copy()",
    "x[::-1] + 0",
    "cp.cumsum(x)",
    "x.take(cp.arange(64))",
    "x[x >= 0]",
    "cp.stack([x, x])[0].copy()",
    "cp.where(x > 3, x, 0)",
    "cp.concatenate([x[:32], x[32:]])",
    "x.reshape(8, 8) @ x.reshape(8, 8)",
    "cp.ElementwiseKernel('T x', 'T y', 'y = x + 1', 'plus_one')(x)",
    "np.cos(x)",
    "cp.empty_like(x)",
    "cp.from_dlpack(x).copy()",
]


@pytest.mark.parametrize("make", MAKERS)
def test_arrays_come_from_the_allocator(cp, make):
    names = {"cp": cp, "np": np, "x": cp.arange(64.0)}
    own = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(own.malloc):
        result = eval(make, names)
        assert own.used_bytes() >= 512
    assert result.size == 64 and result.nbytes <= own.used_bytes()
    expected = result.get()
    del result
    gc.collect()
    assert own.used_bytes() == 0 and own.free_bytes() >= 512
    if "empty" not in make and "ndarray" not in make:
        np.testing.assert_array_equal(eval(make, names).get(), expected)


def test_expressions_stay_one_kernel(cp, pool):
    x = cp.arange(1000.0)
    _core.functions.evaluate()
    launches = _core.functions.engine_statistics()["launches"]
    y = cp.sqrt(x) * 2 + 1
    assert y.pending
    assert pool.used_bytes() == 2 * 8192
    assert _core.functions.engine_statistics()["launches"] == launches + 1
    np.testing.assert_allclose(y.get(), np.sqrt(np.arange(1000.0)) * 2 + 1)


def test_what_is_pending_keeps_the_allocator_of_its_place(cp):
    own = cp.cuda.MemoryPool()
    outside = cp.arange(64.0) + 1
    with cp.cuda.using_allocator(own.malloc):
        inside = cp.arange(64.0) + 2
    later = cp.arange(64.0) + 3
    assert not inside.pending
    np.testing.assert_array_equal(outside.get() + inside.get() + later.get(), 3 * np.arange(64.0) + 6)
    assert own.used_bytes() == 512


def test_memory_is_used_again(cp, pool):
    for _ in range(20):
        x = cp.arange(1000.0) * 2
        assert float(x.sum()) == 999_000
    assert pool.total_bytes() < 20 * 8192


def test_memory_of_several_streams_keeps_its_order(cp, pool):
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(3)]
    results = []
    for repetition in range(10):
        for number, stream in enumerate(streams):
            with stream:
                x = cp.full(50_000, float(number + repetition))
                results.append((x * 2).sum())
                del x
    for place, result in enumerate(results):
        assert float(result) == 100_000.0 * (place % 3 + place // 3)


@cuda.jit
def write_late(x, rounds, value):
    total = 0
    for k in range(rounds):
        total = (total * 3 + k) % 1000003
    x[cuda.grid(1)] = value if total >= 0 else 0


def test_memory_that_kernels_on_other_streams_still_use_is_waited_for(cp, pool):
    write_late[1, 1](cp.zeros(1), 1, 0.0)  # compiles
    stream = _core.current_device().create_stream(blocking=False)
    x = cp.ones(512)
    address = x.data.ptr
    write_late[4, 128, stream](x, 20_000, 7.0)
    del x
    y = cp.zeros(512)
    assert y.data.ptr == address
    stream.synchronize()
    assert not y.get().any()


def test_other_threads_use_the_allocator_of_all(cp, pool):
    own = cp.cuda.MemoryPool()
    kept = []

    def work():
        kept.append(cp.arange(64.0) + 1)
        kept[0].get()

    with cp.cuda.using_allocator(own.malloc):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert own.used_bytes() == 0 and pool.used_bytes() == 512


def test_functions_of_the_program_allocate_and_free(cp):
    live = {}

    def allocate(size, device_id):
        pointer = cp.cuda.runtime.malloc(size)
        live[pointer] = size
        return pointer

    def free(pointer, device_id):
        del live[pointer]
        cp.cuda.runtime.free(pointer)

    with cp.cuda.using_allocator(cp.cuda.PythonFunctionAllocator(allocate, free).malloc):
        x = cp.arange(100.0)
        y = (cp.exp(-x) * x).reshape(10, 10).sum(axis=1)
        h = np.arange(100.0)
        np.testing.assert_allclose(y.get(), (np.exp(-h) * h).reshape(10, 10).sum(axis=1))
        assert sorted(live.values())[-1] >= 80
        del x, y
    gc.collect()
    assert not live


def test_managed_memory_for_results(cp):
    pool = cp.cuda.MemoryPool(cp.cuda.malloc_managed)
    with cp.cuda.using_allocator(pool.malloc):
        y = cp.arange(100.0) * 3
        y += 1
    assert pool.used_bytes() == 1024 and y.data.mem.buffer.kind == "managed"
    np.testing.assert_array_equal(y.get(), np.arange(100.0) * 3 + 1)


def test_errors_of_allocators_reach_the_program_and_lose_nothing(cp):
    x = cp.arange(64.0)
    y = x + 1

    def refuse(size):
        raise RuntimeError(f"no {size} bytes today")

    cp.cuda.set_allocator(refuse)
    try:
        z = y * 2
        with pytest.raises(RuntimeError, match="no 512 bytes today"):
            z.get()
        with pytest.raises(RuntimeError, match="no 8 bytes today"):
            cp.asarray(np.ones(1))
    finally:
        with pytest.raises(RuntimeError):
            cp.cuda.set_allocator(None)  # z is still to be computed
        del z
        cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
    np.testing.assert_array_equal((y * 2).get(), np.arange(64.0) * 2 + 2)


@pytest.mark.parametrize("given", [None, 5, b"memory"])
def test_allocators_must_give_memory(cp, given):
    with cp.cuda.using_allocator(lambda size: given), pytest.raises(TypeError, match="MemoryPointer"):
        cp.asarray(np.ones(3))


def test_allocators_must_give_enough(cp):
    with cp.cuda.using_allocator(lambda size: cp.cuda.MemoryPool().malloc(8)), pytest.raises(ValueError, match="bytes"):
        cp.asarray(np.ones(1000))


def test_allocators_cannot_compute_arrays(cp):
    x = cp.arange(3.0) + 1

    def curious(size):
        x.get()
        return cp.get_default_memory_pool().malloc(size)

    with cp.cuda.using_allocator(curious):
        x = cp.arange(3.0) + 1
        with pytest.raises(ValueError, match="still to be computed"):
            cp.asarray(np.ones(3))
        x = None


def test_arrays_of_allocators_are_as_others(cp, pool):
    x = cp.arange(12.0).reshape(3, 4)
    x[1] = 5
    x.T[0] += 1
    assert x.flags.owndata and not x[1:].flags.owndata
    kernel = cp.RawKernel('extern "C" __global__ void k(double* x) { x[threadIdx.x] *= 2; }', "k")
    kernel((1,), (12,), (x,))
    expected = np.arange(12.0).reshape(3, 4)
    expected[1] = 5
    expected.T[0] += 1
    np.testing.assert_array_equal(x.get(), expected * 2)


class Recorder:
    """Makes a hook that notes the sizes asked for."""

    def __new__(cls, cp):
        class Hook(cp.cuda.MemoryHook):
            name = "Recorder"

            def __init__(self):
                self.sizes, self.live = [], 0

            def malloc_postprocess(self, *, size, mem_size, **facts):
                self.sizes.append(size)
                self.live += mem_size

            def free_postprocess(self, *, mem_size, **facts):
                self.live -= mem_size

        return Hook()


def test_hooks_see_each_operation_where_it_stands(cp):
    with Recorder(cp) as hook:
        x = cp.ones(100, dtype=cp.float32)
        assert hook.sizes == [400]
        y = x * 2
        assert hook.sizes == [400, 400]
        z = y.sum()
        assert hook.sizes[2:][-1] == 4 and hook.live >= 1024 + 512
        del x, y, z
        assert hook.live == 0
    count = len(hook.sizes)
    (cp.arange(3) + 1).get()
    assert len(hook.sizes) == count
    assert (cp.arange(3) + 1).pending


def test_hooks_do_not_see_what_was_there_before(cp):
    before = cp.arange(100.0) + 1
    with Recorder(cp) as hook:
        before.get()
    assert hook.sizes == []


def test_hooks_of_other_threads_are_theirs(cp):
    with Recorder(cp) as hook:
        thread = threading.Thread(target=lambda: (cp.arange(100.0) + 1).get())
        thread.start()
        thread.join()
    assert hook.sizes == []


def test_hooks_watch_pools_of_the_program(cp, pool):
    with Recorder(cp) as hook:
        x = cp.ones(100)
    assert hook.sizes == [800] and pool.used_bytes() == 1024 and x.size == 100


def test_line_profile_names_the_lines_of_the_program(cp):
    hook = cp.cuda.memory_hooks.LineProfileHook()
    with hook:
        x = cp.zeros((64, 64))
        y = x.T.copy()
    report = io.StringIO()
    hook.print_report(report)
    lines = report.getvalue().splitlines()
    assert lines[0] == "_root (64.00KB, 64.00KB)"
    here = [line for line in lines if "test_allocators.py" in line and "test_line_profile" in line]
    assert len(here) == 2 and all("(32.00KB, 32.00KB)" in line for line in here), report.getvalue()
    assert not any("lanewise/compat" in line for line in lines)
    assert y.shape == (64, 64)


def test_line_profile_keeps_so_many_callers(cp):
    hook = cp.cuda.memory_hooks.LineProfileHook(max_depth=1)
    with hook:
        cp.zeros(10)
    report = io.StringIO()
    hook.print_report(report)
    assert len(report.getvalue().splitlines()) == 2


def test_out_of_memory_says_what_holds_it(cp):
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    held = [cp.zeros(3 << 20, dtype=cp.uint8) + 1, cp.zeros(3 << 20, dtype=cp.uint8) + 1]
    pending = held[0] + 1
    pool.used_bytes()
    pool.set_limit(size=pool.total_bytes() + (1 << 20))
    try:
        big = cp.ones(64 << 20, dtype=cp.uint8) + held[0][0]
        with pytest.raises(MemoryError, match=r"64\.00 MiB \(.*largest blocks in use: .*3\.00 MiB.* limit is"):
            big.get()
        assert pending.get().max() == 2
    finally:
        pool.set_limit(size=0)
    assert int(big[5]) == 2
