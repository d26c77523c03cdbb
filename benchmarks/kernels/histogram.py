"""256-bin histogram of 2^26 bytes: shared-memory bins with atomics, merged into global bins."""

import numpy as np

from . import Case

NAME = "histogram"
BINS = 256


def python(cuda):
    def histogram(data, bins):
        local = cuda.shared.array(BINS, np.int32)
        tid = cuda.threadIdx.x
        local[tid] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
            cuda.atomic.add(local, data[i], 1)
        cuda.syncthreads()
        cuda.atomic.add(bins, tid, local[tid])

    return histogram


CUDA = r"""
extern "C" __global__ void histogram(const unsigned char* data, long long n, int* bins, long long) {
    __shared__ int local[256];
    int tid = threadIdx.x;
    local[tid] = 0;
    __syncthreads();
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + tid; i < n; i += stride) atomicAdd(&local[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[tid], local[tid]);
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 26) * scale)
    data = rng.integers(0, BINS, n, dtype=np.uint8)
    bins = np.zeros(BINS, np.int32)
    expected = np.bincount(data, minlength=BINS)
    return Case([data, bins], (132 * 8,), (BINS,), {1: (expected, 0)}, 1.0 * n, repeatable=False)
