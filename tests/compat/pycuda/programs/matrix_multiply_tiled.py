"""Tiled matrix multiplication; the sizes are put into the text by % formatting."""
import numpy as np
from pycuda import autoinit, compiler, driver

TEMPLATE = """
__global__ void multiply(float *A, float *B, float *C)
{
    const unsigned wA = %(SIZE)s, wB = %(SIZE)s;
    const unsigned bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (unsigned step = 0; step < wA / %(TILE)s; ++step) {
        __shared__ float As[%(TILE)s][%(TILE)s];
        __shared__ float Bs[%(TILE)s][%(TILE)s];
        As[ty][tx] = A[(by * %(TILE)s + ty) * wA + step * %(TILE)s + tx];
        Bs[ty][tx] = B[(step * %(TILE)s + ty) * wB + bx * %(TILE)s + tx];
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < %(TILE)s; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[(by * %(TILE)s + ty) * wB + bx * %(TILE)s + tx] = sum;
}
"""
size, tile = 128, 16
a, b = (np.random.randn(size, size).astype(np.float32) for _ in range(2))
c = np.empty_like(a)
module = compiler.SourceModule(TEMPLATE % {"SIZE": size, "TILE": tile})
multiply = module.get_function("multiply")
multiply(driver.In(a), driver.In(b), driver.Out(c), block=(tile, tile, 1), grid=(size // tile, size // tile))
assert np.allclose(c, a @ b, atol=1e-3)
print("multiplied")
