"""Blocks of two and three dimensions with barriers: each thread keeps its own values across them."""

import numpy as np
import pytest

from lanewise import cuda
from lanewise.cuda import float32

SIZE = 8


def rows_then_barrier(a, c):
    tile = cuda.shared.array((SIZE, SIZE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[ty, tx]
    cuda.syncthreads()
    total = float32(0)
    for k in range(SIZE):
        total += tile[ty, k]
    cuda.syncthreads()
    c[ty, tx] = total


def rows_in_a_loop(a, c):
    tile = cuda.shared.array((SIZE, SIZE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for k in range(SIZE):
        tile[ty, tx] = a[ty, (tx + k) % SIZE]
        cuda.syncthreads()
        total += tile[ty, 0]
        cuda.syncthreads()
    c[ty, tx] = total


def one_value_of_a_row(a, c):
    tile = cuda.shared.array((SIZE, SIZE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[ty, tx]
    cuda.syncthreads()
    total = (
        tile[ty, 0] + tile[ty, 1] + tile[ty, 2] + tile[ty, 3] + tile[ty, 4] + tile[ty, 5] + tile[ty, 6] + tile[ty, 7]
    )
    cuda.syncthreads()
    c[ty, tx] = total


def of_global_memory(a, c):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for k in range(SIZE):
        total += a[ty, k]
    cuda.syncthreads()
    c[ty, tx] = total


@pytest.mark.parametrize("body", [rows_then_barrier, rows_in_a_loop, one_value_of_a_row, of_global_memory])
def test_sums_of_rows(device, body):
    a = np.arange(SIZE * SIZE, dtype=np.float32).reshape(SIZE, SIZE)
    c = np.zeros_like(a)
    cuda.jit(body)[1, (SIZE, SIZE)](a, c)
    np.testing.assert_array_equal(c, np.repeat(a.sum(1), SIZE).reshape(SIZE, SIZE))


def test_three_dimensions(device):
    @cuda.jit
    def kernel(a, c):
        tile = cuda.shared.array((4, 4, 4), float32)
        x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
        tile[z, y, x] = a[z, y, x]
        cuda.syncthreads()
        layer = tile[z, 0, 0]
        row = tile[z, y, 0]
        column = tile[0, 0, x]
        cuda.syncthreads()
        c[z, y, x] = 10000 * layer + 100 * row + column

    a = np.arange(64, dtype=np.float32).reshape(4, 4, 4)
    c = np.zeros_like(a)
    kernel[1, (4, 4, 4)](a, c)
    np.testing.assert_array_equal(c, 10000 * a[:, :1, :1] + 100 * a[:, :, :1] + a[:1, :1, :])


def test_tiled_product(device):
    tile_size = 8

    @cuda.jit
    def matmul(a, b, c):
        tile_a = cuda.shared.array((tile_size, tile_size), float32)
        tile_b = cuda.shared.array((tile_size, tile_size), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        column, row = cuda.grid(2)
        total = float32(0)
        for step in range(a.shape[1] // tile_size):
            tile_a[ty, tx] = a[row, step * tile_size + tx]
            tile_b[ty, tx] = b[step * tile_size + ty, column]
            cuda.syncthreads()
            for k in range(tile_size):
                total += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        c[row, column] = total

    random = np.random.default_rng(3)
    a, b = random.integers(-3, 4, (2, 32, 32)).astype(np.float32)
    c = np.zeros_like(a)
    matmul[(4, 4), (8, 8)](a, b, c)
    np.testing.assert_array_equal(c, a @ b)
