"""cupy.cuda: memory by its address, pools, allocators, hooks, page-locked memory, the runtime's functions."""

import ctypes
import io
import json

import numpy as np
import pytest

from lanewise.compat.cupy.cuda import memory_hooks


def on_host(pointer, count):
    target = np.zeros(count, np.uint8)
    pointer.copy_to_host(target.ctypes.data, count)
    return target


def test_pointers_move_and_copy(cp):
    memory = cp.cuda.alloc(256)
    memory.memset(7, 256)
    part = memory + 100
    assert int(part) == part.ptr == memory.ptr + 100 and part.mem is memory.mem
    assert (part - 100).ptr == memory.ptr and (5 + memory).ptr == memory.ptr + 5
    part.memset(1, 10)
    other = cp.cuda.alloc(256)
    other.copy_from(memory, 256)
    assert on_host(other, 256).tolist() == [7] * 100 + [1] * 10 + [7] * 146


@pytest.mark.parametrize("how", ["address", "void_p", "pointer", "array"])
def test_host_memory_in_all_forms(cp, how):
    host = np.arange(16, dtype=np.uint8)
    given = {
        "address": host.ctypes.data,
        "void_p": host.ctypes.data_as(ctypes.c_void_p),
        "pointer": host.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8)),
        "array": (ctypes.c_uint8 * 16)(*range(16)),
    }[how]
    memory = cp.cuda.alloc(16)
    memory.copy_from_host(given, 16)
    np.testing.assert_array_equal(on_host(memory, 16), host)


def test_asynchronous_copies_follow_their_stream(cp):
    stream = cp.cuda.Stream(non_blocking=True)
    source = np.frombuffer(cp.cuda.alloc_pinned_memory(1000), np.uint8, 1000)
    source[...] = np.arange(1000) % 251
    memory, target = cp.cuda.alloc(1000), np.zeros(1000, np.uint8)
    memory.copy_from_host_async(source.ctypes.data, 1000, stream)
    copy = cp.cuda.alloc(1000)
    copy.copy_from_device_async(memory, 1000, stream)
    copy.copy_to_host_async(target.ctypes.data, 1000, stream)
    stream.synchronize()
    np.testing.assert_array_equal(target, source)


def test_allocations_of_nothing(cp):
    memory = cp.cuda.alloc(0)
    assert memory.ptr == 0
    memory.memset(1, 0)
    assert cp.cuda.MemoryPool().malloc(0).ptr == 0


def test_memory_of_others(cp):
    owner = cp.cuda.alloc(64)
    memory = cp.cuda.UnownedMemory(owner.ptr, 64, owner)
    pointer = cp.cuda.MemoryPointer(memory, 16)
    pointer.memset(3, 8)
    assert on_host(owner, 64)[16:24].tolist() == [3] * 8
    assert memory.size == 64 and memory.device == cp.cuda.Device()


def test_pool_counts_rounded_blocks(cp):
    pool = cp.cuda.MemoryPool()
    first, second = pool.malloc(1), pool.malloc(513)
    assert (pool.used_bytes(), pool.free_bytes(), pool.total_bytes(), pool.n_free_blocks()) == (1536, 0, 1536, 0)
    address = first.ptr
    del first
    assert (pool.used_bytes(), pool.free_bytes(), pool.total_bytes(), pool.n_free_blocks()) == (1024, 512, 1536, 1)
    assert pool.malloc(100).ptr == address
    del second
    pool.free_all_blocks()
    assert (pool.used_bytes(), pool.total_bytes()) == (0, 0)


def test_freed_memory_cannot_be_freed_again(cp):
    pool = cp.cuda.MemoryPool()
    memory = pool.malloc(10)
    memory.mem.free()
    memory.mem.free()
    assert pool.n_free_blocks() == 1 and memory.mem.ptr == 0


def test_limit_of_a_pool(cp):
    pool = cp.cuda.MemoryPool()
    pool.set_limit(size=2048)
    kept = pool.malloc(1024)
    pool.malloc(512)
    with pytest.raises(cp.cuda.memory.OutOfMemoryError, match="limit is 2048 bytes, 1024 are in use and 1536"):
        pool.malloc(1536)
    assert pool.malloc(1024).ptr and kept.ptr
    assert pool.get_limit() == 2048
    pool.set_limit(fraction=0.5)
    assert pool.get_limit() == cp.cuda.Device().mem_info[1] // 2
    pool.set_limit(size=0)
    assert pool.malloc(1 << 20).ptr


@pytest.mark.parametrize("arguments", [{}, {"size": 1, "fraction": 0.5}, {"size": -1}, {"fraction": 1.5}])
def test_limits_that_make_no_sense(cp, arguments):
    for pool in (cp.cuda.MemoryPool(), cp.get_default_memory_pool()):
        with pytest.raises(ValueError):
            pool.set_limit(**arguments)


def test_default_pool_reports_lanewises(cp):
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.used_bytes()
    memory = pool.malloc(10_000)
    assert pool.used_bytes() >= before + 10_000
    assert pool.total_bytes() == pool.used_bytes() + pool.free_bytes()
    del memory
    assert pool.used_bytes() == before
    assert pool.n_free_blocks() == (1 if pool.free_bytes() else 0)


def test_allocators_are_chosen_by_thread_and_for_all(cp):
    everyones, mine = cp.cuda.MemoryPool(), cp.cuda.MemoryPool()
    cp.cuda.set_allocator(everyones.malloc)
    try:
        assert cp.cuda.get_allocator() == everyones.malloc
        with cp.cuda.using_allocator(mine.malloc):
            memory = cp.cuda.alloc(100)
            with pytest.raises(ValueError, match="within using_allocator"):
                cp.cuda.set_allocator(None)
        assert (everyones.used_bytes(), mine.used_bytes()) == (0, 512) and memory.ptr
        cp.cuda.set_allocator(None)
        assert cp.cuda.alloc(100).ptr and everyones.used_bytes() == 0
    finally:
        cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
    assert cp.cuda.get_allocator() == cp.get_default_memory_pool().malloc


def test_allocator_of_python_functions(cp):
    live = {}

    def allocate(size, device_id):
        pointer = cp.cuda.runtime.malloc(size)
        live[pointer] = (size, device_id)
        return pointer

    def release(pointer, device_id):
        del live[pointer]
        cp.cuda.runtime.free(pointer)

    pool = cp.cuda.MemoryPool(cp.cuda.PythonFunctionAllocator(allocate, release).malloc)
    memory = pool.malloc(1000)
    assert live == {memory.ptr: (1024, cp.cuda.get_device_id())}
    memory.memset(9, 1000)
    assert on_host(memory, 1000).tolist() == [9] * 1000
    del memory
    assert len(live) == 1
    pool.free_all_blocks()
    assert live == {}


def test_allocator_of_c_functions(cp):
    allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(
        lambda parameter, size, device: cp.cuda.runtime.malloc(size)
    )
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
        lambda parameter, pointer, device: cp.cuda.runtime.free(pointer)
    )
    addresses = [ctypes.cast(function, ctypes.c_void_p).value for function in (allocate, release)]
    memory = cp.cuda.CFunctionAllocator(0, *addresses, (allocate, release)).malloc(64)
    memory.memset(4, 64)
    assert on_host(memory, 64).tolist() == [4] * 64


def test_hooks_see_pools(cp):
    events = []

    class Watch(cp.cuda.MemoryHook):
        name = "Watch"

        def malloc_preprocess(self, **facts):
            events.append(("malloc", facts["size"], facts["mem_size"]))

        def alloc_preprocess(self, **facts):
            events.append(("alloc", facts["mem_size"]))

        def free_postprocess(self, **facts):
            events.append(("free", facts["mem_size"]))

    pool = cp.cuda.MemoryPool()
    with Watch() as hook:
        memory = pool.malloc(600)
        del memory
        memory = pool.malloc(1000)
        with pytest.raises(KeyError, match="Watch"), hook:
            pass
    assert events == [("malloc", 600, 1024), ("alloc", 1024), ("free", 1024), ("malloc", 1000, 1024)]
    del memory
    assert len(events) == 4


def test_hook_that_prints(cp):
    text = io.StringIO()
    with memory_hooks.DebugPrintHook(file=text):
        memory = cp.cuda.MemoryPool().malloc(5)
        del memory
    lines = [json.loads(line) for line in text.getvalue().splitlines()]
    assert [line["hook"] for line in lines] == ["alloc", "malloc", "free"]
    assert lines[1]["size"] == 5 and lines[1]["mem_size"] == 512


def test_pinned_pool_uses_blocks_again(cp):
    pool = cp.cuda.PinnedMemoryPool()
    memory = pool.malloc(1000)
    array = np.frombuffer(memory, np.float32, 250)
    address = memory.ptr
    assert array.ctypes.data == address and memory.size() == 1000
    view = np.asarray(memory)[10:]
    del memory, array
    assert pool.n_free_blocks() == 0
    del view
    assert pool.n_free_blocks() == 1
    assert pool.malloc(900).ptr == address
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0


def test_pinned_allocator_can_be_chosen(cp):
    sizes = []

    def allocate(size):
        sizes.append(size)
        return cp.cuda.PinnedMemory(size)

    cp.cuda.set_pinned_memory_allocator(allocate)
    try:
        assert cp.cuda.alloc_pinned_memory(123).size() == 123
    finally:
        cp.cuda.set_pinned_memory_allocator(cp.get_default_pinned_memory_pool().malloc)
    assert sizes == [123]


def test_runtime_memory_by_address(cp):
    runtime = cp.cuda.runtime
    source, target = np.arange(100, dtype=np.uint8), np.zeros(100, np.uint8)
    pointer, second = runtime.malloc(100), runtime.mallocAsync(100, 0)
    runtime.memcpy(pointer, source.ctypes.data, 100, runtime.memcpyHostToDevice)
    runtime.memcpy(second, pointer, 100, runtime.memcpyDeviceToDevice)
    runtime.memset(second, 255, 3)
    runtime.memcpy(target.ctypes.data, second, 100, runtime.memcpyDeviceToHost)
    assert target.tolist() == [255] * 3 + list(range(3, 100))
    runtime.free(pointer)
    runtime.freeAsync(second, 0)
    with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidValue.*nothing was allocated"):
        runtime.free(pointer)


def test_runtime_copies_find_their_kind(cp):
    runtime = cp.cuda.runtime
    source, target = np.arange(9.0), np.zeros(9)
    pointer = runtime.malloc(72)
    runtime.memcpy(pointer, source.ctypes.data, 72, runtime.memcpyDefault)
    runtime.memcpy(target.ctypes.data, pointer, 72, runtime.memcpyDefault)
    np.testing.assert_array_equal(target, source)
    attributes = runtime.pointerGetAttributes(pointer)
    assert attributes.type == runtime.memoryTypeDevice and attributes.devicePointer == pointer
    runtime.free(pointer)
    with pytest.raises(runtime.CUDARuntimeError, match="none of the kinds"):
        runtime.memcpy(1, 1, 1, 9)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_runtime_copies_rows(cp, asynchronous):
    runtime = cp.cuda.runtime
    host = np.arange(24, dtype=np.uint8).reshape(4, 6)
    device, back = cp.zeros((4, 8), dtype=cp.uint8), np.zeros((4, 5), np.uint8)
    copy, stream = (runtime.memcpy2DAsync, (0,)) if asynchronous else (runtime.memcpy2D, ())
    copy(device.data.ptr, 8, host.ctypes.data, 6, 3, 4, runtime.memcpyHostToDevice, *stream)
    assert device.get().tolist() == [[*row[:3], 0, 0, 0, 0, 0] for row in host.tolist()]
    copy(back.ctypes.data, 5, device.data.ptr, 8, 3, 4, runtime.memcpyDeviceToHost, *stream)
    cp.cuda.Stream.null.synchronize()
    assert (back[:, :3] == host[:, :3]).all() and not back[:, 3:].any()
    with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidValue.*rows of 9 bytes"):
        runtime.memcpy2D(device.data.ptr, 8, host.ctypes.data, 6, 9, 4, runtime.memcpyHostToDevice)


def test_runtime_host_memory(cp):
    runtime = cp.cuda.runtime
    pointer = runtime.hostAlloc(64, runtime.hostAllocDefault)
    ctypes.memset(pointer, 5, 64)
    device = runtime.malloc(64)
    runtime.memcpyAsync(device, pointer, 64, runtime.memcpyHostToDevice, 0)
    target = np.zeros(64, np.uint8)
    runtime.memcpy(target.ctypes.data, device, 64, runtime.memcpyDeviceToHost)
    assert target.tolist() == [5] * 64
    runtime.free(device)
    runtime.freeHost(pointer)
    runtime.hostRegister(target.ctypes.data, 64)
    runtime.hostUnregister(target.ctypes.data)
    with pytest.raises(runtime.CUDARuntimeError, match="nothing was registered"):
        runtime.hostUnregister(target.ctypes.data)


def test_runtime_streams_and_events_by_handle(cp):
    runtime = cp.cuda.runtime
    stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    start, end = runtime.eventCreate(), runtime.eventCreateWithFlags(runtime.eventBlockingSync)
    seen = []
    runtime.eventRecord(start, stream)
    runtime.launchHostFunc(stream, seen.append, 1)
    runtime.streamAddCallback(stream, lambda handle, status, arg: seen.append((handle, status, arg)), 2)
    runtime.eventRecord(end, stream)
    runtime.streamWaitEvent(0, end)
    runtime.eventSynchronize(end)
    runtime.streamSynchronize(stream)
    assert seen == [1, (stream, 0, 2)]
    assert runtime.streamQuery(stream) == runtime.eventQuery(end) == 0
    assert runtime.eventElapsedTime(start, end) >= 0
    for destroy, handle in ((runtime.eventDestroy, start), (runtime.streamDestroy, stream)):
        destroy(handle)
        with pytest.raises(runtime.CUDARuntimeError, match="InvalidResourceHandle"):
            destroy(handle)


def test_runtime_names_that_are_missing(cp):
    with pytest.raises(AttributeError, match=r"cupy\.cuda\.runtime\.graphLaunch is not offered by lanewise"):
        cp.cuda.runtime.graphLaunch  # noqa: B018
