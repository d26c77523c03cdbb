"""One module with several kernels that work on the same memory: a reduction in two passes."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

BLOCK = 256
mod = SourceModule("""
__global__ void fill(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = 1.0f / (i + 1);
}

__device__ float block_sum(float value)
{
    extern __shared__ float cache[];
    cache[threadIdx.x] = value;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) cache[threadIdx.x] += cache[threadIdx.x + step];
        __syncthreads();
    }
    return cache[0];
}

__global__ void partial_sums(const float *x, float *sums, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void total(const float *sums, float *result)
{
    float sum = block_sum(sums[threadIdx.x]);
    if (threadIdx.x == 0) *result = sum;
}
""", options=["-O3"])
fill, partial_sums, total = map(mod.get_function, ("fill", "partial_sums", "total"))
n = 1 << 18
x, sums, result = drv.mem_alloc(4 * n), drv.mem_alloc(4 * BLOCK), drv.mem_alloc(4)
fill(x, np.int32(n), block=(BLOCK, 1, 1), grid=(64, 1))
partial_sums(x, sums, np.int32(n), block=(BLOCK, 1, 1), grid=(BLOCK, 1), shared=4 * BLOCK)
total(sums, result, block=(BLOCK, 1, 1), shared=4 * BLOCK)
value = drv.from_device(result, 1, np.float32)[0]
assert abs(value - np.sum(1.0 / np.arange(1, n + 1))) < 1e-3, value
print("reduced")
