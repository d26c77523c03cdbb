"""Matrix transpose through a padded 32 x 32 shared tile, 32 x 8 threads."""

import numpy as np

from . import Case

NAME = "transpose"
TILE = 32
ROWS = 8


def python(cuda):
    width = TILE + 1

    def transpose(src, dst):
        tile = cuda.shared.array((TILE, width), np.float32)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        x = cuda.blockIdx.x * TILE + tx
        y = cuda.blockIdx.y * TILE + ty
        for j in range(0, TILE, ROWS):
            if x < src.shape[1] and y + j < src.shape[0]:
                tile[ty + j, tx] = src[y + j, x]
        cuda.syncthreads()
        x = cuda.blockIdx.y * TILE + tx
        y = cuda.blockIdx.x * TILE + ty
        for j in range(0, TILE, ROWS):
            if x < dst.shape[1] and y + j < dst.shape[0]:
                dst[y + j, x] = tile[tx, ty + j]

    return transpose


CUDA = r"""
extern "C" __global__ void transpose(const float* src, long long rows, long long cols,
                                     float* dst, long long drows, long long dcols) {
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    long long x = blockIdx.x * 32LL + tx, y = blockIdx.y * 32LL + ty;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows) tile[ty + j][tx] = src[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32LL + tx; y = blockIdx.x * 32LL + ty;
    for (int j = 0; j < 32; j += 8)
        if (x < dcols && y + j < drows) dst[(y + j) * dcols + x] = tile[tx][ty + j];
}
"""


def setup(rng, scale=1.0):
    rows, cols = int(8192 * scale**0.5), int(8192 * scale**0.5) + 96
    src = rng.standard_normal((rows, cols), dtype=np.float32)
    dst = np.zeros((cols, rows), np.float32)
    grid = ((cols + 31) // 32, (rows + 31) // 32)
    return Case([src, dst], grid, (TILE, ROWS), {1: (np.ascontiguousarray(src.T), 0)}, 8.0 * rows * cols)
