"""A polynomial whose coefficients lie in constant memory, and a counter that kernels share."""
import numpy
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

mod = SourceModule("""
#define DEGREE 4
__constant__ float coefficients[DEGREE];
__device__ int calls;

__global__ void evaluate(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) atomicAdd(&calls, 1);
    if (i >= n) return;
    float sum = 0;
    for (int k = DEGREE - 1; k >= 0; --k) sum = sum * x[i] + coefficients[k];
    y[i] = sum;
}
""")
c = numpy.array([1, -2, 0.5, 3], numpy.float32)
address, size = mod.get_global("coefficients")
assert size == c.nbytes
cuda.memcpy_htod(address, c)

x = numpy.linspace(-1, 1, 1000).astype(numpy.float32)
y = numpy.zeros_like(x)
evaluate = mod.get_function("evaluate")
for _ in range(3):
    evaluate(cuda.Out(y), cuda.In(x), numpy.int32(x.size), block=(128, 1, 1), grid=(8, 1))
expected = numpy.polyval(c[::-1].astype(numpy.float64), x)
assert numpy.allclose(y, expected, atol=1e-5)

calls = numpy.zeros(1, numpy.int32)
cuda.memcpy_dtoh(calls, mod.get_global("calls")[0])
assert calls[0] == 3, calls
print("constants")
