"""Sum of 2^26 float32: grid-stride accumulation, shared-memory tree, one atomic a block."""

import numpy as np

from . import Case

NAME = "reduction"
THREADS = 256


def python(cuda):
    def reduction(x, out):
        buffer = cuda.shared.array(THREADS, np.float32)
        tid = cuda.threadIdx.x
        total = np.float32(0)
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            total += x[i]
        buffer[tid] = total
        cuda.syncthreads()
        stride = cuda.blockDim.x // 2
        while stride > 0:
            if tid < stride:
                buffer[tid] += buffer[tid + stride]
            cuda.syncthreads()
            stride //= 2
        if tid == 0:
            cuda.atomic.add(out, 0, buffer[0])

    return reduction


CUDA = r"""
extern "C" __global__ void reduction(const float* x, long long n, float* out, long long) {
    __shared__ float buffer[256];
    int tid = threadIdx.x;
    float total = 0;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + tid; i < n; i += stride) total += x[i];
    buffer[tid] = total;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) buffer[tid] += buffer[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, buffer[0]);
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 26) * scale)
    x = rng.random(n, dtype=np.float32)
    out = np.zeros(1, np.float32)
    expected = np.array([x.sum(dtype=np.float64)])
    return Case([x, out], (132 * 8,), (THREADS,), {1: (expected, 1e-4)}, 4.0 * n, repeatable=False)
