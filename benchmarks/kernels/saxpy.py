"""y = a * x + y over 2^26 float32: the plain memory-bound kernel."""

import numpy as np

from . import Case

NAME = "saxpy"


def python(cuda):
    def saxpy(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]

    return saxpy


CUDA = r"""
extern "C" __global__ void saxpy(float a, const float* x, long long n, float* y, long long) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 26) * scale)
    x = rng.standard_normal(n, dtype=np.float32)
    y = rng.standard_normal(n, dtype=np.float32)
    a = np.float32(1.5)
    return Case([a, x, y], ((n + 255) // 256,), (256,), {2: (a * x + y, 1e-5)}, 12.0 * n, repeatable=False)
