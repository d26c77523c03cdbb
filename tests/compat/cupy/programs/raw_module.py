"""RawModule: several kernels, templates by name expressions, a constant in device memory."""

import cupy as cp
import numpy as np

module = cp.RawModule(
    code=r"""
    __constant__ float coefficients[3];

    template <typename T>
    __global__ void cube(const T *x, T *y, int n) {
        int i = blockDim.x * blockIdx.x + threadIdx.x;
        if (i < n) y[i] = x[i] * x[i] * x[i];
    }

    extern "C" __global__ void polynomial(const float *x, float *y, int n) {
        int i = blockDim.x * blockIdx.x + threadIdx.x;
        if (i < n) y[i] = coefficients[0] + x[i] * (coefficients[1] + x[i] * coefficients[2]);
    }
    """,
    options=("-std=c++17",),
    name_expressions=("cube<float>", "cube<double>", "cube<int>"),
)
for spelling, dtype in (("float", "f4"), ("double", "f8"), ("int", "i4")):
    x = cp.arange(50, dtype=dtype)
    y = cp.empty_like(x)
    module.get_function(f"cube<{spelling}>")((1,), (64,), (x, y, 50))
    np.testing.assert_array_equal(y.get(), np.arange(50, dtype=dtype) ** 3)

coefficients = cp.ndarray((3,), dtype=cp.float32, memptr=module.get_global("coefficients"))
coefficients[...] = cp.array([1, 2, 3], dtype=cp.float32)
x = cp.arange(20, dtype=cp.float32)
y = cp.empty_like(x)
module.get_function("polynomial")((1,), (32,), (x, y, 20))
h = np.arange(20, dtype="f4")
np.testing.assert_array_equal(y.get(), 1 + 2 * h + 3 * h * h)

try:
    cp.RawModule(code="__global__ void broken( {").get_function("broken")
except cp.cuda.compiler.CompileException as error:
    assert "error" in error.get_message()
else:
    raise AssertionError("nonsense was compiled")
print("modules", y[-1])
