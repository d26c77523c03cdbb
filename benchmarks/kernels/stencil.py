"""Five-point stencil on an 8192 x 8192 float32 grid."""

import numpy as np

from . import Case

NAME = "stencil"


def python(cuda):
    quarter = np.float32(0.25)

    def stencil(src, dst):
        x, y = cuda.grid(2)
        if x > 0 and y > 0 and x < src.shape[1] - 1 and y < src.shape[0] - 1:
            dst[y, x] = quarter * (src[y - 1, x] + src[y + 1, x] + src[y, x - 1] + src[y, x + 1])

    return stencil


CUDA = r"""
extern "C" __global__ void stencil(const float* src, long long rows, long long cols,
                                   float* dst, long long, long long) {
    long long x = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long y = blockIdx.y * (long long)blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < cols - 1 && y < rows - 1)
        dst[y * cols + x] = 0.25f * (src[(y - 1) * cols + x] + src[(y + 1) * cols + x]
                                     + src[y * cols + x - 1] + src[y * cols + x + 1]);
}
"""


def setup(rng, scale=1.0):
    n = int(8192 * scale**0.5)
    src = rng.standard_normal((n, n), dtype=np.float32)
    dst = np.zeros_like(src)
    expected = np.zeros_like(src)
    inner = src[:-2, 1:-1] + src[2:, 1:-1] + src[1:-1, :-2] + src[1:-1, 2:]
    expected[1:-1, 1:-1] = np.float32(0.25) * inner
    return Case([src, dst], ((n + 31) // 32, (n + 7) // 8), (32, 8), {1: (expected, 1e-5)}, 8.0 * n * n)
