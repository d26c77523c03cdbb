"""All distances between points: by broadcasting, by a matrix product, and by a RawKernel."""

import cupy as cp
import numpy as np

n, d = 120, 3
points = cp.sin(cp.arange(n * d, dtype=cp.float64)).reshape(n, d)
host = cp.asnumpy(points)
expected = np.sqrt(((host[:, None] - host[None]) ** 2).sum(-1))

by_broadcasting = cp.sqrt(((points[:, cp.newaxis, :] - points[cp.newaxis, :, :]) ** 2).sum(axis=-1))
np.testing.assert_allclose(by_broadcasting.get(), expected, rtol=1e-12, atol=1e-14)

squares = (points**2).sum(axis=1)
gram = points @ points.T
by_product = cp.sqrt(cp.maximum(squares[:, None] + squares[None, :] - 2 * gram, 0))
np.testing.assert_allclose(by_product.get(), expected, atol=1e-7)

kernel = cp.RawKernel(
    r"""
    extern "C" __global__ void distances(const double *p, double *out, int n, int d) {
        int i = blockDim.y * blockIdx.y + threadIdx.y;
        int j = blockDim.x * blockIdx.x + threadIdx.x;
        if (i >= n || j >= n) return;
        double sum = 0;
        for (int k = 0; k < d; ++k) {
            double step = p[i * d + k] - p[j * d + k];
            sum += step * step;
        }
        out[i * n + j] = sqrt(sum);
    }
    """,
    "distances",
)
out = cp.empty((n, n))
blocks = (n + 15) // 16
kernel((blocks, blocks), (16, 16), (points, out, n, d))
np.testing.assert_allclose(out.get(), expected, rtol=1e-12, atol=1e-14)
print("distances", float(out.max()))
