"""Pools, occupancy, names of types, default contexts."""

import gc

import numpy as np
import pytest

from lanewise.compat.pycuda import characterize, tools
from lanewise.compat.pycuda import driver as cuda


def test_bitlog2():
    assert [tools.bitlog2(n) for n in (0, 1, 2, 3, 4, 1023, 1024)] == [0, 0, 1, 1, 2, 9, 10]


@pytest.mark.parametrize("pool", [tools.DeviceMemoryPool, tools.PageLockedMemoryPool])
def test_bins(device, pool):
    pool = pool()
    for size in [*range(1, 200), 4095, 4096, 4097, 10**6, 2**30 + 1]:
        number = pool.bin_number(size)
        assert pool.alloc_size(number) >= size
        assert pool.bin_number(pool.alloc_size(number)) == number
        assert pool.alloc_size(number) <= max(size * 17 // 16, size)


def test_device_pool(device):
    pool = tools.DeviceMemoryPool()
    memory = pool.allocate(1000)
    assert isinstance(memory, tools.PooledDeviceAllocation) and isinstance(memory, cuda.DeviceAllocation)
    assert len(memory) >= 1000 and int(memory) != 0
    assert (pool.active_blocks, pool.held_blocks) == (1, 0)
    assert pool.active_bytes == pool.managed_bytes == len(memory)
    cuda.memset_d8(memory, 3, 1000)
    assert (cuda.from_device(memory, 1000, np.uint8) == 3).all()
    size = len(memory)
    memory.free()
    assert (pool.active_blocks, pool.held_blocks, pool.active_bytes, pool.managed_bytes) == (0, 1, 0, size)
    with pytest.raises(cuda.LogicError, match="freed already"):
        memory.free()
    again = pool.allocate(1000)
    assert (pool.active_blocks, pool.held_blocks) == (1, 0)
    del again
    gc.collect()
    assert (pool.active_blocks, pool.held_blocks) == (0, 1)
    pool.free_held()
    assert pool.held_blocks == 0
    pool.stop_holding()
    pool.allocate(10).free()
    assert (pool.active_blocks, pool.held_blocks, pool.managed_bytes) == (0, 0, 0)


def test_memory_of_a_pool_as_an_argument(device):
    from lanewise.compat.pycuda.compiler import SourceModule

    put = SourceModule("__global__ void put(int *x) { *x = 5; }").get_function("put")
    memory = tools.DeviceMemoryPool().allocate(4)
    put(memory, block=(1, 1, 1))
    put.prepare("P").prepared_call((1, 1), (1, 1, 1), memory)
    assert cuda.from_device(memory, 1, np.int32)[0] == 5


def test_pool_without_enough_memory(device):
    pool = tools.DeviceMemoryPool()
    with pytest.raises(cuda.MemoryError, match="cuMemAlloc failed: out of memory"):
        pool.allocate(1 << 50)
    assert (pool.active_blocks, pool.active_bytes) == (0, 0)


def test_page_locked_pool(device):
    pool = tools.PageLockedMemoryPool(tools.PageLockedAllocator(cuda.host_alloc_flags.PORTABLE))
    array = pool.allocate((3, 4), np.float32)
    assert array.shape == (3, 4) and array.dtype == np.float32
    assert isinstance(array.base, tools.PooledHostAllocation) and len(array.base) == 48
    assert (pool.active_blocks, pool.held_blocks) == (1, 0)
    assert pool.allocate(5, "i2", "F").shape == (5,)
    array[:] = 7
    address = array.ctypes.data
    del array
    gc.collect()
    assert pool.held_blocks == 2
    again = pool.allocate(12, np.float32)
    assert again.ctypes.data == address
    pool.stop_holding()
    assert pool.held_blocks == 0
    again[:] = 1
    assert again.sum() == 12


def test_page_locked_blocks_wait_for_their_copies(device):
    pool = tools.PageLockedMemoryPool()
    stream = cuda.Stream()
    n = 4 << 20
    memory = cuda.mem_alloc(n)
    for value in range(10):
        array = pool.allocate(n, np.uint8)
        array[:] = value
        cuda.memcpy_htod_async(memory, array, stream)
        del array
        other = pool.allocate(n, np.uint8)
        other[:] = 255
        del other
        stream.synchronize()
        assert (cuda.from_device(memory, n, np.uint8) == value).all()


def test_debug_pool(device, capsys):
    tools.DebugMemoryPool().allocate(100)
    assert "allocate 100 bytes" in capsys.readouterr().out


def test_occupancy(device):
    data = tools.DeviceData()
    assert data.warp_size == 32 and data.max_threads >= 512
    record = tools.OccupancyRecord(data, 256)
    assert record.warps_per_mp == record.tb_per_mp * 8
    assert record.occupancy == record.warps_per_mp / data.warps_per_mp
    shared = tools.OccupancyRecord(data, 32, shared_mem=data.shared_memory // 3)
    assert shared.tb_per_mp in (2, 3) and shared.limited_by == "smem"
    registers = tools.OccupancyRecord(data, 128, registers=128)
    assert registers.tb_per_mp == 65536 // (128 * 128) and registers.limited_by == "regs"
    for bad in (
        dict(threads=data.max_threads + 1),
        dict(threads=32, shared_mem=1 << 30),
        dict(threads=data.max_threads, registers=255),
    ):
        with pytest.raises(ValueError, match="too m"):
            tools.OccupancyRecord(data, **bad)


def test_occupancy_is_the_drivers(gpu):
    from lanewise.compat.pycuda.compiler import SourceModule

    function = SourceModule("""
    __global__ void f(float *x)
    {
        __shared__ float cache[3000];
        cache[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = cache[blockDim.x - threadIdx.x];
    }
    """).get_function("f")
    for threads in (32, 96, 256, 1024):
        record = tools.OccupancyRecord(tools.DeviceData(), threads, function.shared_size_bytes, function.num_regs)
        assert record.tb_per_mp == function._kernel.max_active_blocks(threads)


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        ("f4", "float"),
        ("f8", "double"),
        ("i4", "int"),
        ("u4", "unsigned"),
        ("c8", "pycuda::complex<float>"),
        ("?", "bool"),
        ("u1", "unsigned char"),
        ("i2", "short"),
    ],
)
def test_names_of_types(dtype, name):
    assert tools.dtype_to_ctype(dtype) == name
    assert tools.get_or_register_dtype(name) == np.dtype(dtype)


def test_registering_a_record():
    dtype = np.dtype([("first", np.int32), ("second", np.float32)])
    tools.register_dtype(dtype, "test_record_t")
    assert tools.dtype_to_ctype(dtype) == "test_record_t"
    assert tools.get_or_register_dtype("test_record_t") == dtype
    assert tools.get_or_register_dtype(["test_record_t", "test_record_alias"], dtype) is dtype
    assert tools.get_or_register_dtype("test_record_alias") == dtype
    with pytest.raises(RuntimeError, match="stands for"):
        tools.register_dtype(np.dtype("f4"), "test_record_t")
    with pytest.raises(ValueError, match="no name in C"):
        tools.dtype_to_ctype([("x", "f4"), ("y", "u1")])
    with pytest.raises(ValueError, match="None"):
        tools.dtype_to_ctype(None)
    with pytest.raises(TypeError, match="no type named"):
        tools.get_or_register_dtype("no_such_t")
    assert tools.dtype_to_ctype(np.float64, with_fp_tex_hack=True) == "fp_tex_double"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float *x", tools.VectorArg(np.float32, "x")),
        ("const double* __restrict__ y", tools.VectorArg(np.float64, "y")),
        ("int n", tools.ScalarArg(np.int32, "n")),
        ("unsigned int count", tools.ScalarArg(np.uint32, "count")),
        ("unsigned long long big", tools.ScalarArg(np.uint64, "big")),
        ("pycuda::complex<float> *z", tools.VectorArg(np.complex64, "z")),
        ("pycuda::complex<double> z", tools.ScalarArg(np.complex128, "z")),
        ("float x[]", tools.VectorArg(np.float32, "x")),
        ("size_t s", tools.ScalarArg(np.uintp, "s")),
    ],
)
def test_parsing_arguments(text, expected):
    argument = tools.parse_c_arg(text)
    assert argument == expected
    assert tools.get_arg_type(text) == ("P" if isinstance(expected, tools.VectorArg) else expected.dtype.char)
    assert tools.parse_c_arg(argument.declarator()) == expected


def test_arguments_that_cannot_be_parsed():
    with pytest.raises(ValueError, match="pointer to pointers"):
        tools.parse_c_arg("float **x")
    with pytest.raises(ValueError, match="cannot make out"):
        tools.parse_c_arg("float")
    with pytest.raises(TypeError, match="no type named 'widget'"):
        tools.parse_c_arg("widget w")
    made = tools.parse_c_arg_backend("thing *t", lambda *a: ("s", *a), lambda *a: ("v", *a), lambda name: name)
    assert made == ("v", "thing", "t")


def test_memoizing_by_context(device):
    calls = []

    @tools.context_dependent_memoize
    def compute(x, y=1):
        calls.append(x)
        return x + y

    assert [compute(1), compute(1), compute(1, y=5), compute(2)] == [2, 2, 6, 3]
    assert calls == [1, 1, 2]
    tools.clear_context_caches()
    compute(1)
    assert calls == [1, 1, 2, 1]


def test_default_context(device, monkeypatch):
    monkeypatch.delenv("CUDA_DEVICE", raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    context = tools.make_default_context()
    assert cuda.Context.get_current() is context
    assert context.get_device()._core.name == device
    context.pop()
    made = []
    assert tools.make_default_context(lambda dev: made.append(dev) or "made") == "made"
    assert isinstance(made[0], cuda.Device)
    assert isinstance(tools.get_default_device(), cuda.Device)


def test_device_by_environment(device, monkeypatch, tmp_path):
    monkeypatch.setenv("CUDA_DEVICE", "0")
    assert tools.get_default_device() == cuda.Device(0)
    monkeypatch.setenv("CUDA_DEVICE", "first")
    with pytest.raises(RuntimeError, match="'first'"):
        tools.make_default_context()
    monkeypatch.delenv("CUDA_DEVICE")
    (tmp_path / ".cuda_device").write_text("77\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(cuda.LogicError, match="there is no device 77"):
        tools.make_default_context()


def test_context_for_tests(device):
    seen = []

    @tools.mark_cuda_test
    def inner():
        seen.append(cuda.Context.get_current())

    inner()
    assert isinstance(seen[0], cuda.Context) and cuda.Context.get_current() is None


def test_characteristics(device):
    assert characterize.platform_bits() == 64
    assert characterize.has_stack() and characterize.has_double_support()
    assert characterize.sizeof("int") == 4
    assert characterize.sizeof("float4") == 16
    assert characterize.sizeof("pair_t", "struct pair_t { char a; double b; };") == 16
