"""Launching CUDA C++ kernels: forms of the call, limits, streams, threads, failures."""

import struct
import threading

import numpy as np
import pytest

from lanewise import RawKernel, RawModule, _core, cuda, errors

from .kernels import Interface

SAXPY = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
SHAPE = """
extern "C" __global__ void shape(unsigned int *out) {
    out[0] = gridDim.x; out[1] = gridDim.y; out[2] = gridDim.z;
    out[3] = blockDim.x; out[4] = blockDim.y; out[5] = blockDim.z;
}
"""
DYNAMIC = """
extern "C" __global__ void reversed(const int *x, int *out, int n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}
"""


@pytest.fixture
def saxpy():
    return RawKernel(SAXPY, "saxpy")


@pytest.fixture
def xy(device):
    return _core.Array.from_host(np.arange(8, dtype=np.float32)), _core.Array.from_host(np.ones(8, np.float32))


def expected(a=2.0):
    return a * np.arange(8, dtype=np.float32) + 1


@pytest.mark.parametrize(
    "call",
    [
        lambda k, args: k((1,), (8,), args),
        lambda k, args: k(1, 8, args),
        lambda k, args: k([1, 1], (8, 1, 1), list(args)),
        lambda k, args: k(np.int64(1), np.int32(8), args),
        lambda k, args: k(grid=(1,), block=(8,), args=args),
        lambda k, args: k((1,), (8,), args, shared_mem=64, stream=None),
        lambda k, args: k((1,), (8,), args, stream=0),
        lambda k, args: k((1,), (8,), args=args, stream=_core.current_device().create_stream()),
        lambda k, args: k[1, 8](*args),
        lambda k, args: k[(1,), (8,), _core.current_device().create_stream(), 128](*args),
    ],
)
def test_forms_of_the_call(saxpy, xy, call):
    x, y = xy
    _core.current_stream().synchronize()
    call(saxpy, (2.0, x, y, 8))
    _core.current_device().synchronize()
    np.testing.assert_array_equal(y.to_host(), expected())


@pytest.mark.parametrize(
    ("grid", "block"), [((3,), (4,)), ((3, 2), (4, 5)), ((3, 2, 5), (4, 5, 6)), (7, 32), ((1, 2), 8)]
)
def test_grid_and_block_have_one_to_three_extents(device, grid, block):
    out = _core.Array.empty(6, np.uint32)
    RawKernel(SHAPE, "shape")(grid, block, (out,))

    def three(dim):
        dim = dim if isinstance(dim, tuple) else (dim,)
        return [*dim, *[1] * (3 - len(dim))]

    assert list(out.to_host()) == three(grid) + three(block)


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "text"),
    [
        ((), {}, TypeError, "kernel 'saxpy': a launch needs grid and block"),
        ((1,), {}, TypeError, "a launch needs grid and block"),
        ((1, 8, (), 5), {}, TypeError, r"is called as kernel\(grid, block, args, \*, shared_mem=0, stream=None\)"),
        ((1, 8, ()), {"shared": 5}, TypeError, "unknown keyword 'shared'"),
        ((1, 8), {"grid": 5}, TypeError, "two values for 'grid'"),
        ((1.5, 8, ()), {}, TypeError, "grid must be an int or a sequence of up to three ints"),
        (("1", 8, ()), {}, TypeError, "grid must be an int or a sequence of up to three ints"),
        ((1, (1, 1, 1, 1), ()), {}, ValueError, "block must be a sequence of 1, 2 or 3 integers"),
        ((1, (), ()), {}, ValueError, "block must be a sequence of 1, 2 or 3 integers"),
        ((-1, 8, ()), {}, ValueError, "grid -1: extents are from 0"),
        ((1, 8, ()), {"stream": "x"}, TypeError, "expected a stream"),
        ((1, 8, ()), {"shared_mem": "x"}, TypeError, "the size of dynamic shared memory must be an int"),
        ((1, 8, 5), {}, TypeError, "arguments are given as a tuple, .* not as a int"),
        ((1, 8, np.zeros(4)), {}, TypeError, "arguments are given as a tuple"),
    ],
)
def test_malformed_calls_are_refused(device, saxpy, args, kwargs, error, text):
    with pytest.raises(error, match=text):
        saxpy(*args, **kwargs)


def test_configurations_are_refused_as_those_of_kernels_in_python(device, saxpy):
    with pytest.raises(ValueError, match="a launch configuration is kernel"):
        saxpy[1]
    with pytest.raises(TypeError, match="block must be an int"):
        saxpy[1, "8"]
    with pytest.raises(TypeError, match="takes no keyword arguments"):
        saxpy[1, 8](a=1)
    assert saxpy[1, 8].kernel is saxpy


def test_limits_of_the_device_are_named(saxpy, xy):
    x, y = xy
    args = (2.0, x, y, 8)
    with pytest.raises(ValueError, match=r"kernel 'saxpy': block \(2048, 1, 1\) has 2048 threads .* at most 1024"):
        saxpy(1, 2048, args)
    with pytest.raises(ValueError, match=r"block \(32, 32, 2\) has 2048 threads; .* at most 1024 threads per block"):
        saxpy(1, (32, 32, 2), args)
    with pytest.raises(ValueError, match=r"grid \(0, 1, 1\) has 0 blocks"):
        saxpy(0, 8, args)
    with pytest.raises(ValueError, match="1048576 bytes of dynamic shared memory; .* allows at most"):
        saxpy(1, 8, args, shared_mem=1 << 20)
    saxpy(1, 8, args)
    np.testing.assert_array_equal(y.to_host(), expected())


@pytest.mark.parametrize("kilobytes", [1, 47, 48, 96])
def test_dynamic_shared_memory(device, kilobytes):
    n = kilobytes * 256
    x = _core.Array.from_host(np.arange(n, dtype=np.int32))
    out = _core.Array.empty(n, np.int32)
    RawKernel(DYNAMIC, "reversed")(1, 256, (x, out, n), shared_mem=4 * n)
    np.testing.assert_array_equal(out.to_host(), np.arange(n)[::-1])


def test_the_bound_of_dynamic_shared_memory_can_be_set(device):
    kernel = RawKernel(DYNAMIC, "reversed")
    kernel.max_dynamic_shared_size_bytes = 64 * 1024
    assert kernel.max_dynamic_shared_size_bytes == 64 * 1024
    n = 16 * 1024
    x, out = _core.Array.from_host(np.arange(n, dtype=np.int32)), _core.Array.empty(n, np.int32)
    kernel(1, 256, (x, out, n), shared_mem=4 * n)
    np.testing.assert_array_equal(out.to_host(), np.arange(n)[::-1])
    with pytest.raises(ValueError, match="MaxDynamicSharedBytes"):
        kernel.max_dynamic_shared_size_bytes = 1 << 20


def test_a_bound_that_was_lowered_is_named_with_the_remedy(device):
    if device != "cpu":
        pytest.skip("on CUDA devices a launch raises the bound by itself")
    kernel = RawKernel(DYNAMIC, "reversed")
    kernel.max_dynamic_shared_size_bytes = 1024
    x = _core.Array.from_host(np.zeros(512, np.int32))
    with pytest.raises(ValueError, match="2048 bytes of dynamic .* at most 1024 .*max_dynamic_shared_size_bytes"):
        kernel(1, 32, (x, x, 512), shared_mem=2048)


def test_a_failed_launch_leaves_the_kernel_usable(saxpy, xy):
    x, y = xy
    for bad in ((), (2.0, x, y, 2**40), (2.0, x.view(np.int32), y, 8), (2.0, "x", y, 8)):
        with pytest.raises((TypeError, OverflowError)):
            saxpy(1, 8, bad)
    saxpy(1, 8, (2.0, x, y, 8))
    np.testing.assert_array_equal(y.to_host(), expected())


def test_a_launch_goes_to_the_device_of_its_stream():
    kernel = RawKernel(SAXPY, "saxpy")
    for device in _core.devices():
        stream = device.create_stream()
        x = _core.Array.from_host(np.arange(8, dtype=np.float32), stream=stream)
        y = _core.Array.from_host(np.ones(8, np.float32), stream=stream)
        kernel(1, 8, (2.0, x, y, 8), stream=stream)
        np.testing.assert_array_equal(y.to_host(stream=stream), expected())


def test_one_kernel_runs_on_every_device():
    kernel = RawKernel(SAXPY, "saxpy")
    before = _core.current_device()
    for device in _core.devices():
        _core.set_current_device(device)
        x, y = _core.Array.from_host(np.arange(8, dtype=np.float32)), _core.Array.from_host(np.ones(8, np.float32))
        kernel(1, 8, (2.0, x, y, 8))
        np.testing.assert_array_equal(y.to_host(), expected())
        assert kernel.signature == "void saxpy(float a, const float *x, float *y, int n)"
    _core.set_current_device(before)


def test_launches_follow_the_work_of_the_producer(gpu):
    slow = RawKernel(
        'extern "C" __global__ void f(float *x) { for (long long t = clock64(); clock64() - t < 200000000;); *x = 5; }',
        "f",
    )
    copy = RawKernel('extern "C" __global__ void g(const float *x, float *y) { *y = *x; }', "g")
    producer, consumer = (_core.current_device().create_stream(blocking=False) for _ in range(2))
    x = _core.Array.from_host(np.zeros(1, np.float32), stream=producer)
    y = _core.Array.from_host(np.zeros(1, np.float32), stream=consumer)
    slow(1, 1, (x,), stream=producer)
    copy(1, 1, (Interface(x, stream=producer.handle), y), stream=consumer)
    assert y.to_host(stream=consumer)[0] == 5


def test_launches_from_many_threads_compile_once(device):
    before = _core.statistics()["compiles"]
    kernel = RawKernel(SAXPY.replace("a * x[i]", "a * x[i] * 1.0f"), "saxpy")
    start = threading.Barrier(8)
    failures = []

    def work():
        try:
            _core.set_current_device(_core.device(device))
            x, y = (_core.Array.from_host(v) for v in (np.arange(8, dtype=np.float32), np.ones(8, np.float32)))
            start.wait()
            for _ in range(50):
                kernel(1, 8, (1.0, x, y, 8))
            np.testing.assert_array_equal(y.to_host(), expected(50.0))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert _core.statistics()["compiles"] - before <= 1


def test_every_waiting_thread_gets_the_error(device):
    kernel = RawKernel("__global__ void f() { this is no C++ }", "f")
    start = threading.Barrier(4)
    texts = []

    def work():
        _core.set_current_device(_core.device(device))
        start.wait()
        try:
            kernel(1, 1)
        except _core.CompileError as error:
            texts.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 4
    assert len(set(texts)) == 1


def test_cooperative_kernels_are_launched_as_such(device):
    code = """
    extern "C" __global__ void total(int *arrived, int *out) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {}  // until all blocks run
        atomicAdd(out, blockIdx.x + 1);
    }
    """
    kernel = RawKernel(code, "total", enable_cooperative_groups=True)
    assert kernel.cooperative
    arrived, out = (_core.Array.from_host(np.zeros(1, np.int32)) for _ in range(2))
    kernel(8, 1, (arrived, out))
    assert out.item(0) == 36
    with pytest.raises(ValueError, match="cooperative grid of 1000000 blocks"):
        kernel(1000000, 1, (arrived, out))


def test_packed_parameters(saxpy, xy):
    x, y = xy
    packed = struct.pack("fPPi", 2.0, x.pointer, y.pointer, 8)
    saxpy.launch_packed((1,), (8, 1, 1), 0, None, packed)
    np.testing.assert_array_equal(y.to_host(), expected())
    saxpy.launch_packed(1, 8, 0, _core.current_stream(), memoryview(bytearray(packed)))
    assert saxpy.parameter_bytes == len(packed) == 28
    with pytest.raises(ValueError, match="24 bytes of packed parameters given; the kernel takes 28"):
        saxpy.launch_packed(1, 8, 0, None, packed[:24])
    with pytest.raises(TypeError, match="bytes-like"):
        saxpy.launch_packed(1, 8, 0, None, 5)


def test_arrays_pass_between_kernels_of_both_kinds(device, saxpy):
    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += x[i]

    x = cuda.to_device(np.arange(8, dtype=np.float32))
    y = cuda.to_device(np.ones(8, np.float32))
    double[1, 8](x)
    saxpy(1, 8, (1, x, y, 8))
    double[1, 8](y)
    np.testing.assert_array_equal(y.copy_to_host(), 2 * expected())


def test_memory_of_a_dropped_array_is_kept_until_the_kernel_is_through(device):
    module = RawModule(
        """
        extern "C" __global__ void fill(int *x, int n, int v) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = v;
        }
        extern "C" __global__ void add(const int *x, int *sum, int n) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, x[i]);
        }
        """
    )
    fill, add = module.get_function("fill"), module.get_function("add")
    side = _core.current_device().create_stream()
    n = 100_000
    total = _core.Array.from_host(np.zeros(1, np.int32), stream=side)
    for value in range(10):
        x = _core.Array.empty(n, np.int32)
        _core.current_stream().synchronize()
        fill(1, 128, (x, n, value), stream=side)
        add(1, 128, (x, total, n), stream=side)
        del x
        fill(1, 128, (_core.Array.empty(n, np.int32), n, -1))
    assert total.to_host(stream=side)[0] == n * sum(range(10))


def test_an_object_without_its_init_is_not_callable():
    with pytest.raises(TypeError):
        RawKernel.__new__(RawKernel)(1, 1, ())


def test_blocks_beyond_the_launch_bounds_are_refused(device):
    source = """
    extern "C" __global__ void __launch_bounds__(96) bounded(int *out) { out[threadIdx.x] = threadIdx.x; }
    extern "C" __global__ void open(int *out) { out[threadIdx.x] = threadIdx.x; }
    """
    module = RawModule(source)
    bounded, unbounded = module.get_function("bounded"), module.get_function("open")
    assert (bounded.max_threads_per_block, unbounded.max_threads_per_block) == (96, 1024)
    out = cuda.device_array(1024, np.int32)
    for block in (97, (16, 8), (8, 8, 2), 1024):
        with pytest.raises(ValueError, match="this kernel allows at most 96 threads per block"):
            bounded((1,), block if isinstance(block, tuple) else (block,), (out,))
    unbounded((1,), (1024,), (out,))
    bounded((1,), (12, 8), (out,))
    assert out.copy_to_host()[:12].tolist() == list(range(12))


def test_parameters_beyond_what_a_kernel_can_take_are_refused(device):
    """CUDA's limit since compute capability 7.0: 32764 bytes."""
    source = """
    struct Large { int values[N]; };
    extern "C" __global__ void last(Large large, int *out) { *out = large.values[N - 1]; }
    """
    out = cuda.device_array(1, np.int32)
    fits = RawKernel(source, "last", options=("-DN=8188",))  # with the pointer 32760 bytes
    fits((1,), (1,), (np.arange(8188, dtype=np.int32).view("V32752")[0], out))
    assert out.copy_to_host()[0] == 8187
    with pytest.raises(errors.LanewiseError, match="32764|param"):
        RawKernel(source, "last", options=("-DN=8192",)).compile()
