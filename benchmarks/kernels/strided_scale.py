"""x *= f over 2^26 float32 with a grid-stride loop and a fixed grid."""

import numpy as np

from . import Case

NAME = "strided_scale"


def python(cuda):
    def strided_scale(x, factor):
        start = cuda.grid(1)
        stride = cuda.gridsize(1)
        for i in range(start, x.size, stride):
            x[i] *= factor

    return strided_scale


CUDA = r"""
extern "C" __global__ void strided_scale(float* x, long long n, float factor) {
    long long start = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long stride = (long long)blockDim.x * gridDim.x;
    for (long long i = start; i < n; i += stride) x[i] *= factor;
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 26) * scale)
    x = rng.standard_normal(n, dtype=np.float32)
    f = np.float32(0.999)
    return Case([x, f], (132 * 8,), (256,), {0: (x * f, 1e-6)}, 8.0 * n, repeatable=False)
