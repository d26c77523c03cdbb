"""cupy.RawKernel and cupy.RawModule: CuPy's arguments and rules."""

import pickle

import numpy as np
import pytest

SCALE = r"""
extern "C" __global__ void scale(float *x, float factor, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
"""


def floats(cp, count, value=1.0):
    return cp.full(count, value, dtype=cp.float32)


def test_grids_and_blocks_are_tuples_of_one_to_three(cp):
    kernel = cp.RawKernel(SCALE, "scale")
    x = floats(cp, 10)
    kernel((1,), (16,), (x, 2, 10))
    kernel((1, 1), (16, 1), (x, np.float32(2), np.int32(10)))
    kernel((1, 1, 1), (16, 1, 1), (x, 2.0, np.int64(10)), shared_mem=0)
    np.testing.assert_array_equal(x.get(), np.full(10, 8.0))


def test_launches_are_on_the_current_stream(cp):
    kernel, stream = cp.RawKernel(SCALE, "scale"), cp.cuda.Stream(non_blocking=True)
    with stream:
        x = floats(cp, 100)
        kernel((1,), (128,), (x, 3, 100))
    stream.synchronize()
    assert float(x.sum()) == 300


def test_pointers_go_as_memory_and_numbers(cp):
    kernel = cp.RawKernel(SCALE, "scale")
    x = floats(cp, 8)
    kernel((1,), (8,), (x.data, 2, 8))
    kernel((1,), (8,), (x.data.ptr, 2, 8))
    kernel((1,), (4,), (x.data + 16, 2, 4))
    np.testing.assert_array_equal(x.get(), [4] * 4 + [8] * 4)


def test_pointers_take_arrays_of_any_dtype(cp):
    kernel = cp.RawKernel('extern "C" __global__ void bits(unsigned int *x) { x[threadIdx.x] ^= 0x80000000u; }', "bits")
    x = floats(cp, 4)
    kernel((1,), (4,), (x,))
    np.testing.assert_array_equal(x.get(), np.full(4, -1.0))


def test_views_pass_their_first_element(cp):
    kernel = cp.RawKernel(SCALE, "scale")
    x = floats(cp, 10)
    kernel((1,), (4,), (x[6:], 5, 4))
    np.testing.assert_array_equal(x.get(), [1] * 6 + [5] * 4)


def test_kernels_see_pending_operations_and_later_ones_see_the_kernel(cp):
    kernel = cp.RawKernel(SCALE, "scale")
    x = floats(cp, 10) * 3 + 1
    before = x + 0
    kernel((1,), (16,), (x, 10, 10))
    after = x + 1
    np.testing.assert_array_equal(before.get(), np.full(10, 4.0))
    np.testing.assert_array_equal(after.get(), np.full(10, 41.0))


@pytest.mark.parametrize("backend", ["nvrtc", "auto", "clang"])
def test_backends(cp, backend):
    x = floats(cp, 4)
    cp.RawKernel(SCALE, "scale", backend=backend)((1,), (4,), (x, 2, 4))
    assert float(x.sum()) == 8


def test_kernels_say_what_was_asked_for(cp):
    source = 'extern "C" __global__ void k(int* x) { *x = 1; }'
    assert cp.RawKernel(source, "k").backend == cp.RawModule(code=source).backend == "nvrtc"
    assert cp.RawKernel(source, "k", backend="clang").backend == "clang"
    assert not cp.RawKernel(source, "k").enable_cooperative_groups
    assert cp.RawModule(code=source, enable_cooperative_groups=True).enable_cooperative_groups


def test_backend_that_there_is_not(cp):
    with pytest.raises(ValueError, match="'hiprtc'"):
        cp.RawKernel(SCALE, "scale", backend="hiprtc")


def test_attributes(cp):
    kernel = cp.RawKernel(SCALE, "scale", options=("-DUNUSED=1",))
    assert kernel.name == "scale" and kernel.code == SCALE and kernel.options == ("-DUNUSED=1",)
    assert kernel.attributes["max_threads_per_block"] == kernel.max_threads_per_block > 0
    assert kernel.num_regs == kernel.attributes["num_regs"]


def test_kernels_pickle(cp):
    kernel = pickle.loads(pickle.dumps(cp.RawKernel(SCALE, "scale")))
    assert isinstance(kernel, cp.RawKernel)
    x = floats(cp, 4)
    kernel((1,), (4,), (x, 2, 4))
    assert float(x.sum()) == 8


def test_compile_errors(cp):
    with pytest.raises(cp.cuda.compiler.CompileException, match="undeclared|undefined"):
        cp.RawKernel('extern "C" __global__ void f() { nothing = 1; }', "f")((1,), (1,), ())


def test_name_that_there_is_not(cp):
    with pytest.raises(ValueError, match="other"):
        cp.RawKernel(SCALE, "other")((1,), (1,), ())


def test_cooperative_kernels(cp):
    code = r"""
    #include <cooperative_groups.h>
    extern "C" __global__ void sum(float *x, float *out) {
        int i = blockDim.x * blockIdx.x + threadIdx.x;
        x[i] *= 2;
        cooperative_groups::this_grid().sync();
        if (i == 0)
            for (int k = 0; k < blockDim.x * gridDim.x; ++k) out[0] += x[k];
    }
    """
    x, out = floats(cp, 64), floats(cp, 1, 0.0)
    cp.RawKernel(code, "sum", enable_cooperative_groups=True)((2,), (32,), (x, out))
    assert float(out[0]) == 128


def test_module_without_code_or_path(cp):
    with pytest.raises(TypeError):
        cp.RawModule()


def test_module_function_by_plain_name(cp):
    x = floats(cp, 4)
    cp.RawModule(code=SCALE).get_function("scale")((1,), (4,), (x, 2, 4))
    assert float(x.sum()) == 8


def test_globals_are_memory_pointers(cp):
    module = cp.RawModule(code='__device__ int counter[4]; extern "C" __global__ void up() { counter[threadIdx.x]++; }')
    module.get_function("up")((1,), (4,), ())
    pointer = module.get_global("counter")
    assert isinstance(pointer, cp.cuda.MemoryPointer)
    np.testing.assert_array_equal(cp.ndarray((4,), cp.int32, pointer).get(), np.ones(4))
    with pytest.raises(ValueError, match="absent"):
        module.get_global("absent")


def test_texture_references_are_refused(cp):
    with pytest.raises(NotImplementedError, match="since CUDA 12"):
        cp.RawModule(code=SCALE).get_texref("t")
