"""Sum of 2^26 float32 with shuffles: one atomic a warp."""

import numpy as np

from . import Case

NAME = "warp_reduction"


def python(cuda):
    def warp_reduction(x, out):
        total = np.float32(0)
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            total += x[i]
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 16)
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 8)
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 4)
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 2)
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, 1)
        if cuda.laneid == 0:
            cuda.atomic.add(out, 0, total)

    return warp_reduction


CUDA = r"""
extern "C" __global__ void warp_reduction(const float* x, long long n, float* out, long long) {
    float total = 0;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += stride) total += x[i];
    for (int d = 16; d; d /= 2) total += __shfl_down_sync(0xffffffff, total, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, total);
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 26) * scale)
    x = rng.random(n, dtype=np.float32)
    out = np.zeros(1, np.float32)
    expected = np.array([x.sum(dtype=np.float64)])
    return Case([x, out], (132 * 8,), (256,), {1: (expected, 1e-4)}, 4.0 * n, repeatable=False)
