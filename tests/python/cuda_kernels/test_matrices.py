"""Transposition, products, convolution and a stencil: tiles in shared memory."""

import numpy as np
import pytest

from lanewise import _core, cuda

SHAPES = ((1, 1), (1, 33), (33, 1), (16, 16), (32, 64), (31, 65), (100, 77))


@pytest.mark.parametrize(
    ("name", "block", "tile", "dtype"),
    [
        ("transpose_direct<float>", (16, 16), 16, np.float32),
        ("transpose_direct<short>", (32, 4), (32, 4), np.int16),
        ("transpose_tiled<float, 32, 8>", (32, 8), 32, np.float32),
        ("transpose_tiled<double, 16, 16>", (16, 16), 16, np.float64),
        ("transpose_tiled<unsigned char, 32, 32>", (32, 32), 32, np.uint8),
        ("transpose_tiled<long long, 8, 2>", (8, 2), 8, np.int64),
    ],
)
def test_transpose(compiled, rng, name, block, tile, dtype):
    kernel = compiled("transpose", name).get_function(name)
    width, height = tile if isinstance(tile, tuple) else (tile, tile)
    for rows, cols in SHAPES:
        x = rng.integers(0, 100, (rows, cols)).astype(dtype)
        out = cuda.device_array((cols, rows), dtype)
        kernel((-(-cols // width), -(-rows // height)), block, (cuda.to_device(x), out, rows, cols))
        np.testing.assert_array_equal(out.copy_to_host(), x.T)


@pytest.mark.parametrize(
    ("name", "block", "tile", "dtype"),
    [
        ("matmul_tiled<float, 16>", (16, 16), 16, np.float32),
        ("matmul_tiled<double, 32>", (32, 32), 32, np.float64),
        ("matmul_tiled<int, 8>", (8, 8), 8, np.int32),
        ("matmul_registers<float, 64, 8, 4>", (256,), 64, np.float32),
        ("matmul_registers<double, 32, 16, 2>", (256,), 32, np.float64),
    ],
)
@pytest.mark.parametrize(
    ("m", "n", "k"), [(1, 1, 1), (16, 16, 16), (64, 128, 32), (65, 33, 17), (1, 100, 7), (50, 1, 129)]
)
def test_matmul(compiled, rng, name, block, tile, dtype, m, n, k):
    kernel = compiled("matmul", name).get_function(name)
    # Products and sums of small integers are exact in every dtype.
    a, b = rng.integers(-9, 10, (m, k)).astype(dtype), rng.integers(-9, 10, (k, n)).astype(dtype)
    c = cuda.device_array((m, n), dtype)
    kernel((-(-n // tile), -(-m // tile)), block, (cuda.to_device(a), cuda.to_device(b), c, m, n, k))
    np.testing.assert_array_equal(c.copy_to_host(), a @ b)


@pytest.mark.parametrize("radius", [1, 3, 7])
@pytest.mark.parametrize("tile", [None, 8, 16, 32])
def test_convolution_with_a_constant_mask(compiled, rng, radius, tile):
    name = f"convolve_direct<{radius}>" if tile is None else f"convolve_tiled<{radius}, {tile}>"
    module = compiled("convolution", name)
    kernel = module.get_function(name)
    edge = 2 * radius + 1
    mask = rng.integers(-4, 5, (edge, edge)).astype(np.float32)
    constant = np.zeros(15 * 15, np.float32)
    constant[: mask.size] = mask.ravel()
    _core.Array.from_buffer(module.get_global("mask"), constant.shape, constant.dtype).copy_from(constant)
    width = tile or 16
    for rows, cols in SHAPES:
        x = rng.integers(-9, 10, (rows, cols)).astype(np.float32)
        out = cuda.device_array((rows, cols), np.float32)
        kernel((-(-cols // width), -(-rows // width)), (width, width), (cuda.to_device(x), out, rows, cols))
        padded = np.pad(x, radius)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (edge, edge))
        np.testing.assert_array_equal(out.copy_to_host(), np.einsum("yxij,ij->yx", windows, mask))


@pytest.mark.parametrize(
    ("name", "block", "dtype"),
    [
        ("stencil7<float, 32, 8>", (32, 8), np.float32),
        ("stencil7<double, 16, 16>", (16, 16), np.float64),
        ("stencil7<int, 8, 4>", (8, 4), np.int32),
    ],
)
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (3, 3, 3), (5, 16, 32), (17, 33, 40), (4, 8, 65)])
def test_stencil(compiled, rng, name, block, dtype, shape):
    kernel = compiled("stencil3d", name).get_function(name)
    nz, ny, nx = shape
    x = rng.integers(-50, 50, shape).astype(dtype)
    out = cuda.device_array(shape, dtype)
    centre, side = dtype(-6), dtype(2)
    kernel((-(-nx // block[0]), -(-ny // block[1])), block, (cuda.to_device(x), out, nx, ny, nz, centre, side))
    expected = x.copy()
    c = slice(1, -1)
    around = x[c, c, :-2] + x[c, c, 2:] + x[c, :-2, c] + x[c, 2:, c] + x[:-2, c, c] + x[2:, c, c]
    expected[c, c, c] = centre * x[c, c, c] + side * around
    np.testing.assert_array_equal(out.copy_to_host(), expected)
