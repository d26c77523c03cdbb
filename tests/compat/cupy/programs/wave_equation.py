"""The wave equation by three kinds of kernels: slices, an ElementwiseKernel with a raw array, a RawKernel."""

import cupy as cp
import numpy as np

n, steps, c = 400, 60, 0.9
x = cp.linspace(0, 1, n)
start = cp.exp(-((x - 0.5) ** 2) / 0.002)


def by_slices():
    old, u = start.copy(), start.copy()
    for _ in range(steps):
        new = cp.zeros_like(u)
        new[1:-1] = 2 * u[1:-1] - old[1:-1] + c**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        old, u = u, new
    return u


step = cp.ElementwiseKernel(
    "raw float64 u, float64 old, float64 c2",
    "float64 y",
    "y = i == 0 || i == _ind.size() - 1 ? 0 : 2 * u[i] - old + c2 * (u[i + 1] - 2 * u[i] + u[i - 1])",
    "wave_step",
)


def by_elementwise_kernel():
    old, u = start.copy(), start.copy()
    for _ in range(steps):
        old, u = u, step(u, old, c**2)
    return u


raw = cp.RawKernel(
    r"""
    extern "C" __global__ void wave(const double *u, const double *old, double *y, double c2, int n) {
        int i = blockDim.x * blockIdx.x + threadIdx.x;
        if (i >= n) return;
        y[i] = i == 0 || i == n - 1 ? 0 : 2 * u[i] - old[i] + c2 * (u[i + 1] - 2 * u[i] + u[i - 1]);
    }
    """,
    "wave",
)


def by_raw_kernel():
    old, u = start.copy(), start.copy()
    for _ in range(steps):
        new = cp.empty_like(u)
        raw(((n + 127) // 128,), (128,), (u, old, new, c**2, n))
        old, u = u, new
    return u


h_old = h = start.get()
for _ in range(steps):
    new = np.zeros_like(h)
    new[1:-1] = 2 * h[1:-1] - h_old[1:-1] + c**2 * (h[2:] - 2 * h[1:-1] + h[:-2])
    h_old, h = h, new
for solve in (by_slices, by_elementwise_kernel, by_raw_kernel):
    np.testing.assert_allclose(solve().get(), h, atol=1e-10)
print("wave", float(cp.abs(by_slices()).max()))
