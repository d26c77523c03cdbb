"""float32 matrix product through 16 x 16 shared tiles, one element a thread."""

import numpy as np

from . import Case

NAME = "matmul"
TILE = 16


def python(cuda):
    def matmul(a, b, c):
        sa = cuda.shared.array((TILE, TILE), np.float32)
        sb = cuda.shared.array((TILE, TILE), np.float32)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        col = cuda.blockIdx.x * TILE + tx
        row = cuda.blockIdx.y * TILE + ty
        total = np.float32(0)
        for tile in range(a.shape[1] // TILE):
            sa[ty, tx] = a[row, tile * TILE + tx]
            sb[ty, tx] = b[tile * TILE + ty, col]
            cuda.syncthreads()
            for k in range(TILE):
                total += sa[ty, k] * sb[k, tx]
            cuda.syncthreads()
        c[row, col] = total

    return matmul


CUDA = r"""
extern "C" __global__ void matmul(const float* a, long long m, long long k, const float* b, long long, long long n,
                                  float* c, long long, long long) {
    __shared__ float sa[16][16], sb[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    long long col = blockIdx.x * 16LL + tx, row = blockIdx.y * 16LL + ty;
    float total = 0;
    for (long long tile = 0; tile < k / 16; ++tile) {
        sa[ty][tx] = a[row * k + tile * 16 + tx];
        sb[ty][tx] = b[(tile * 16 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; ++i) total += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    c[row * n + col] = total;
}
"""


def setup(rng, scale=1.0):
    n = max(64, int(2048 * scale ** (1 / 3)) // 16 * 16)
    a = rng.standard_normal((n, n), dtype=np.float32)
    b = rng.standard_normal((n, n), dtype=np.float32)
    c = np.zeros((n, n), np.float32)
    return Case([a, b, c], (n // 16, n // 16), (TILE, TILE), {2: (a @ b, 2e-3)}, 2.0 * n**3, unit="GFLOP/s")
