"""Escape times of the Mandelbrot set, 4096 x 4096, at most 256 iterations: divergent control flow."""

import numpy as np

from . import Case

NAME = "mandelbrot"


def python(cuda):
    four = np.float32(4)
    two = np.float32(2)

    def mandelbrot(image, left, top, step, limit):
        x, y = cuda.grid(2)
        if x < image.shape[1] and y < image.shape[0]:
            cr = left + np.float32(x) * step
            ci = top + np.float32(y) * step
            zr = np.float32(0)
            zi = np.float32(0)
            n = np.int32(0)
            while n < limit and zr * zr + zi * zi < four:
                t = zr * zr - zi * zi + cr
                zi = two * zr * zi + ci
                zr = t
                n = np.int32(n + 1)
            image[y, x] = n

    return mandelbrot


CUDA = r"""
extern "C" __global__ void mandelbrot(int* image, long long rows, long long cols, float left, float top, float step,
                                      int limit) {
    long long x = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long y = blockIdx.y * (long long)blockDim.y + threadIdx.y;
    if (x < cols && y < rows) {
        float cr = left + (float)x * step, ci = top + (float)y * step, zr = 0, zi = 0;
        int n = 0;
        while (n < limit && zr * zr + zi * zi < 4.0f) {
            float t = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = t;
            ++n;
        }
        image[y * cols + x] = n;
    }
}
"""


def setup(rng, scale=1.0):
    n = int(4096 * scale**0.5)
    image = np.zeros((n, n), np.int32)
    step = np.float32(2.5 / n)
    arguments = [image, np.float32(-2), np.float32(-1.25), step, np.int32(256)]
    # Points on the boundary depend on rounding and contraction: the mean is what is compared.
    return Case(arguments, ((n + 31) // 32, (n + 7) // 8), (32, 8), {}, 1.0 * n * n, unit="Mpixel/s")
