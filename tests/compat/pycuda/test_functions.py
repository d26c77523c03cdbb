"""Modules, kernels and their calls."""

import struct

import numpy as np
import pytest

from lanewise.compat.pycuda import driver as cuda
from lanewise.compat.pycuda.compiler import SourceModule

SOURCE = """
__device__ int counter = 5;
__constant__ float table[8];

__global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

__global__ void positions(int *out)
{
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] = block * 1000 + thread;
}

__global__ void reversed(int *x)
{
    extern __shared__ int cache[];
    cache[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = cache[blockDim.x - 1 - threadIdx.x];
}

struct Mixed { char tag; double value; short counts[3]; };

__global__ void by_value(Mixed mixed, float2 z, bool flag, double *out)
{
    out[0] = mixed.tag; out[1] = mixed.value;
    out[2] = mixed.counts[0] + mixed.counts[1] + mixed.counts[2];
    out[3] = z.x; out[4] = z.y; out[5] = flag;
}

__global__ void pointers(const int *a, const int *b, int *out) { out[0] = a[0] + b[0]; }

__global__ void nothing() {}

__global__ void slow(float *x, int count)
{
    float value = x[threadIdx.x];
    for (int i = 0; i < count; ++i) value = value * 0.5f + 1.0f;
    x[threadIdx.x] = value;
}
"""


@pytest.fixture
def module(device):
    return SourceModule(SOURCE)


def test_call(module):
    x = np.arange(1000, dtype=np.float32)
    memory = cuda.to_device(x)
    scale = module.get_function("scale")
    assert scale(memory, np.float32(3), np.int32(1000), block=(256, 1, 1), grid=(4, 1)) is None
    assert (cuda.from_device_like(memory, x) == 3 * x).all()
    # Parts of the allocation by address.
    scale(np.intp(int(memory) + 400), np.float32(0), np.int32(10), block=(32, 1, 1))
    assert (cuda.from_device_like(memory, x) == np.where((x >= 100) & (x < 110), 0, 3 * x)).all()


@pytest.mark.parametrize(
    ("grid", "block"), [((2,), (3, 1, 1)), ((2, 3), (2, 2, 2)), ((2, 3, 2), (4, 2, 1)), ([2, 1], [3, 1, 1])]
)
def test_shapes(module, grid, block):
    threads = int(np.prod(block))
    blocks = int(np.prod(grid))
    out = np.zeros(threads * blocks, np.int32)
    module.get_function("positions")(cuda.Out(out), block=block, grid=grid)
    assert (out.reshape(blocks, threads) == np.arange(blocks)[:, None] * 1000 + np.arange(threads)).all()


def test_default_grid_is_one_block(module):
    out = np.full(8, -1, np.int32)
    module.get_function("positions")(cuda.InOut(out), block=(4, 1, 1))
    assert out.tolist() == [0, 1, 2, 3, -1, -1, -1, -1]


def test_dynamic_shared_memory(module):
    x = np.arange(64, dtype=np.int32)
    function = module.get_function("reversed")
    function(cuda.InOut(x), block=(64, 1, 1), shared=64 * 4)
    assert x.tolist() == list(range(63, -1, -1))
    function.prepare("P")
    memory = cuda.to_device(x)
    function.prepared_call((1, 1), (64, 1, 1), memory, shared_size=64 * 4)
    assert cuda.from_device_like(memory, x).tolist() == list(range(64))


def test_block_must_be_given(module):
    with pytest.raises(ValueError, match="must specify block size"):
        module.get_function("nothing")()
    with pytest.raises(ValueError, match="extra keyword arguments: blocks"):
        module.get_function("nothing")(block=(1, 1, 1), blocks=1)
    with pytest.raises(NotImplementedError, match="texrefs"):
        module.get_function("nothing")(block=(1, 1, 1), texrefs=[object()])


@pytest.mark.parametrize("block", [(1, 1), (1,), (1, 1, 1, 1), 64, (1.0, 1, 1)])
def test_block_is_three_ints(module, block):
    nothing = module.get_function("nothing")
    with pytest.raises(TypeError, match="block"):
        nothing(block=block)
    with pytest.raises(TypeError, match="block"):
        nothing.prepare("").prepared_call((1, 1), block)


def test_grid_is_up_to_three_ints(module):
    nothing = module.get_function("nothing")
    for grid in ((1.0, 1), ("1", 1)):
        with pytest.raises(TypeError, match="grid"):
            nothing(block=(1, 1, 1), grid=grid)
    with pytest.raises(cuda.LogicError, match="cuLaunchKernel failed: invalid argument"):
        nothing(block=(1, 1, 1), grid=(1, 1, 1, 1))


def test_launches_that_the_device_refuses(module):
    nothing = module.get_function("nothing")
    for shape in (dict(block=(1024, 2, 1)), dict(block=(0, 1, 1)), dict(block=(1, 1, 1), grid=(0, 1))):
        with pytest.raises(cuda.LogicError, match="cuLaunchKernel failed: invalid argument"):
            nothing(**shape)
    with pytest.raises(cuda.LogicError, match="dynamic shared memory"):
        nothing(block=(1, 1, 1), shared=10 << 20)


@pytest.mark.parametrize("bad", [3, 3.0, True, None, "3", [3]])
def test_arguments_without_a_width_are_refused(module, bad):
    memory = cuda.mem_alloc(4)
    with pytest.raises(TypeError, match=r"invalid type on parameter #1 \(0-based\)"):
        module.get_function("scale")(memory, bad, np.int32(1), block=(1, 1, 1))


def test_wrong_number_of_arguments(module):
    with pytest.raises(TypeError, match="scale"):
        module.get_function("scale")(cuda.mem_alloc(4), np.float32(1), block=(1, 1, 1))


@pytest.mark.parametrize("mixed", ["array", "void", "array of one"])
def test_values_are_passed_by_their_bytes(module, mixed):
    dtype = np.dtype([("tag", "i1"), ("value", "f8"), ("counts", "i2", 3)], align=True)
    value = np.zeros(1, dtype)
    value[0] = (-3, 2.5, [1, 10, 100])
    value = {"array": value[0:1].reshape(()), "void": value[0], "array of one": value}[mixed]
    out = np.zeros(6)
    z = np.array([0.5, 1.5], np.float32)
    module.get_function("by_value")(value, z, np.bool_(True), cuda.Out(out), block=(1, 1, 1))
    assert out.tolist() == [-3, 2.5, 111, 0.5, 1.5, 1]
    module.get_function("by_value")(value, np.complex64(0.5 + 1.5j), np.bool_(False), cuda.Out(out), block=(1, 1, 1))
    assert out.tolist() == [-3, 2.5, 111, 0.5, 1.5, 0]


def test_what_stands_for_a_pointer(module):
    pointers = module.get_function("pointers")
    seven = cuda.to_device(np.int32(7))
    out = np.zeros(1, np.int32)

    class Array:
        gpudata = seven

    class Interface:
        __cuda_array_interface__ = dict(shape=(1,), typestr="<i4", data=(int(seven), False), version=3, stream=None)

    class Holder(cuda.PointerHolderBase):
        def get_pointer(self):
            return int(seven)

    managed = cuda.managed_zeros(1, np.int32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    managed[0] = 7
    for argument in (seven, np.intp(int(seven)), np.uint64(int(seven)), Array(), Interface(), Holder(), managed):
        pointers(argument, seven, cuda.Out(out), block=(1, 1, 1))
        assert out[0] == 14, argument


@pytest.mark.parametrize("handler", [cuda.In, cuda.Out, cuda.InOut])
def test_handlers_take_arrays(handler):
    with pytest.raises(TypeError, match=rf"{handler.__name__}\(\) takes a NumPy array, not a list"):
        handler([1, 2])


def test_handlers_on_a_stream(module):
    stream = cuda.Stream()
    scale = module.get_function("scale")
    for make in (np.empty, cuda.pagelocked_empty):
        x = make(1 << 16, np.float32)
        for value in range(1, 10):
            x[:] = value
            scale(cuda.InOut(x), np.float32(2), np.int32(x.size), block=(256, 1, 1), grid=(256, 1), stream=stream)
            stream.synchronize()
            assert (x == 2 * value).all()


def test_handlers_are_ordered_behind_earlier_work_of_the_stream(module):
    stream = cuda.Stream(cuda.stream_flags.NON_BLOCKING)
    slow, pointers = module.get_function("slow"), module.get_function("pointers")
    x = cuda.to_device(np.zeros(32, np.float32))
    out = np.zeros(1, np.int32)
    for value in range(5):
        slow(x, np.int32(100000), block=(32, 1, 1), stream=stream)
        pointers(
            cuda.In(np.array([value], np.int32)),
            cuda.In(np.array([1], np.int32)),
            cuda.Out(out),
            block=(1, 1, 1),
            stream=stream,
        )
        stream.synchronize()
        assert out[0] == value + 1


def test_a_handler_may_be_used_again(module):
    x = np.ones(10, np.float32)
    handler = cuda.InOut(x)
    for power in range(1, 4):
        module.get_function("scale")(handler, np.float32(2), np.int32(10), block=(32, 1, 1))
        assert (x == 2**power).all()
    assert handler.array is x and isinstance(handler.get_device_alloc(), cuda.DeviceAllocation)
    assert issubclass(cuda.InOut, cuda.In) and issubclass(cuda.InOut, cuda.Out)


def test_own_handlers(module):
    class Doubling(cuda.ArgumentHandler):
        def pre_call(self, stream):
            cuda.memcpy_htod_async(self.get_device_alloc(), 2 * self.array, stream)

    out = np.zeros(1, np.int32)
    seven = Doubling(np.array([7], np.int32))
    module.get_function("pointers")(seven, seven, cuda.Out(out), block=(1, 1, 1))
    assert out[0] == 28


def test_time_kernel(module):
    memory = cuda.mem_alloc(128)
    slow = module.get_function("slow")
    short = slow(memory, np.int32(1), block=(32, 1, 1), time_kernel=True)
    long = slow(memory, np.int32(3_000_000), block=(32, 1, 1), time_kernel=True)
    assert 0 < short < long


def test_attributes(module):
    scale, reverse = module.get_function("scale"), module.get_function("reversed")
    for name in (
        "num_regs",
        "local_size_bytes",
        "shared_size_bytes",
        "const_size_bytes",
        "ptx_version",
        "binary_version",
        "cache_mode_ca",
        "max_threads_per_block",
        "max_dynamic_shared_size_bytes",
        "preferred_shared_memory_carveout",
    ):
        value = getattr(scale, name)
        assert isinstance(value, int)
        assert scale.get_attribute(getattr(cuda.function_attribute, name.upper())) == value
    assert scale.shared_size_bytes == 0
    reverse.set_attribute(cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10)
    assert reverse.max_dynamic_shared_size_bytes == 64 << 10
    reverse(cuda.to_device(np.zeros(4, np.int32)), block=(4, 1, 1), shared=64 << 10)
    with pytest.raises(cuda.LogicError, match="cuFuncSetAttribute failed: invalid argument"):
        scale.set_attribute(cuda.function_attribute.NUM_REGS, 1)
    for config in cuda.func_cache:
        assert scale.set_cache_config(config) is None
    with pytest.raises(NotImplementedError, match="param_set_texref"):
        scale.param_set_texref(None)
    with pytest.raises(AttributeError, match="no_such"):
        scale.no_such


def test_prepared_calls(module):
    scale = module.get_function("scale")
    x = np.arange(64, dtype=np.float32)
    memory = cuda.to_device(x)
    expected = x
    stream = cuda.Stream()
    for types in ("Pfi", ["P", "f", "i"], [np.intp, np.float32, np.int32], [memory, np.dtype("f4"), "i"], ["P", "fi"]):
        assert scale.prepare(types) is scale
        scale.prepared_call((1, 1), (64, 1, 1), memory, 2, 64)
        scale.prepared_async_call((1, 1), (64, 1, 1), stream, int(memory), 0.25, np.int32(64))
        scale.prepared_async_call((1, 1), (64, 1, 1), None, memory, np.float64(4), 64)
        stream.synchronize()
        expected = expected * 2
        assert (cuda.from_device_like(memory, x) == expected).all()
    seconds = scale.prepared_timed_call((1, 1), (64, 1, 1), memory, 1, 64)()
    assert 0 <= seconds < 60


def test_prepared_values(module):
    by_value = module.get_function("by_value")
    mixed = np.dtype([("tag", "i1"), ("value", "f8"), ("counts", "i2", 3)], align=True)
    value = np.array((1, 2, [3, 4, 5]), mixed)
    memory = cuda.mem_alloc(48)
    for types in ([mixed, "F", "?", "P"], [mixed, np.complex64, np.bool_, np.intp], f"{mixed.itemsize}sF?P"):
        cuda.memset_d8(memory, 0, 48)
        by_value.prepare(types).prepared_call((1, 1), (1, 1, 1), value.tobytes(), 6 + 7j, True, memory)
        assert cuda.from_device(memory, 6, float).tolist() == [1, 2, 12, 6, 7, 1]


def test_prepared_calls_that_do_not_fit(module):
    scale = module.get_function("scale")
    with pytest.raises(cuda.LogicError, match=r"prepare\(\) has not been called"):
        scale.prepared_call((1, 1), (1, 1, 1))
    scale.prepare("Pfi")
    with pytest.raises(struct.error):
        scale.prepared_call((1, 1), (1, 1, 1), 1, 2)
    with pytest.raises(struct.error):
        scale.prepared_call((1, 1), (1, 1, 1), 0, 1.0, 1.5)
    with pytest.raises(ValueError, match="2 types for a kernel of 3 parameters"):
        scale.prepare("Pf")
    with pytest.raises(ValueError, match="type 1 .* has 8 bytes, the kernel's parameter 4"):
        scale.prepare("Pdi")
    with pytest.raises(NotImplementedError, match="texrefs"):
        scale.prepare("Pfi", texrefs=[object()])


def test_names_that_are_not_there(module):
    with pytest.raises(cuda.LogicError, match="cuModuleGetFunction failed: named symbol not found"):
        module.get_function("no_such")
    with pytest.raises(cuda.LogicError, match="cuModuleGetGlobal failed: named symbol not found"):
        module.get_global("no_such")
    for call in (module.get_texref, module.get_surfref):
        with pytest.raises(NotImplementedError, match="pass a pointer"):
            call("tex")


def test_globals(module):
    address, size = module.get_global("counter")
    assert isinstance(address, int) and size == 4
    assert cuda.from_device(address, 1, np.int32)[0] == 5
    assert module.get_global("table")[1] == 32


def test_a_function_keeps_its_module(device):
    function = SourceModule(SOURCE).get_function("nothing")
    assert isinstance(function, cuda.Function)
    function(block=(1, 1, 1))


def test_a_failed_assert_is_a_logic_error(lanewise, device):
    program = """
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
f = SourceModule('''
#include <assert.h>
__global__ void check(int x) { assert(x == 1); }
''').get_function("check")
f(np.int32(1), block=(1, 1, 1))
cuda.Context.synchronize()
f(np.int32(2), block=(1, 1, 1))
try:
    cuda.Context.synchronize()
except cuda.LogicError as error:
    assert "cuCtxSynchronize failed: device-side assert triggered" in str(error), error
    print("caught")
"""
    result = lanewise("run", "-c", program, env={"LANEWISE_DEVICE": device})
    assert result.stdout.endswith("caught\n") and result.returncode == 0, result.stdout + result.stderr
