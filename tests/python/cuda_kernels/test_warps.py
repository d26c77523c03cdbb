"""Reductions within warps: cooperative groups, shuffles, votes."""

import numpy as np
import pytest

from lanewise import cuda

SIZES = (1, 31, 32, 33, 255, 1000, 10_001)


@pytest.mark.parametrize("tile", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize(("c_type", "dtype"), [("int", np.int32), ("float", np.float32), ("double", np.float64)])
def test_sums_of_tiles(compiled, rng, tile, c_type, dtype):
    name = f"sum_runs<{c_type}, {tile}>"
    kernel = compiled("warp_reduction", name).get_function(name)
    for n in SIZES:
        x = rng.integers(-9, 10, n).astype(dtype)
        runs = -(-n // tile)
        out = cuda.device_array(runs, dtype)
        kernel((-(-n // 128),), (128,), (cuda.to_device(x), out, n))
        expected = np.pad(x, (0, runs * tile - n)).reshape(runs, tile).sum(axis=1, dtype=dtype)
        np.testing.assert_array_equal(out.copy_to_host(), expected)


@pytest.mark.parametrize(("c_type", "dtype"), [("int", np.int32), ("float", np.float32), ("double", np.float64)])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 31), (8, 32), (9, 33), (50, 700)])
def test_statistics_of_rows(compiled, rng, c_type, dtype, rows, cols):
    name = f"row_statistics<{c_type}>"
    kernel = compiled("warp_reduction", name).get_function(name)
    x = rng.integers(-20, 21, (rows, cols)).astype(dtype)
    sums, maxima = cuda.device_array(rows, dtype), cuda.device_array(rows, dtype)
    columns = cuda.device_array(rows, np.int32)
    kernel((-(-rows // 4),), (128,), (cuda.to_device(x), rows, cols, sums, maxima, columns))
    np.testing.assert_array_equal(sums.copy_to_host(), x.sum(axis=1, dtype=dtype))
    np.testing.assert_array_equal(maxima.copy_to_host(), x.max(axis=1))
    np.testing.assert_array_equal(columns.copy_to_host(), x.argmax(axis=1))


@pytest.mark.parametrize(
    ("c_type", "dtype"), [("int", np.int32), ("float", np.float32), ("unsigned long long", np.uint64)]
)
def test_two_stages_of_shuffles(compiled, rng, c_type, dtype):
    name = f"sum_by_shuffles<{c_type}>"
    kernel = compiled("warp_reduction", name).get_function(name)
    for n in SIZES:
        for block in (32, 64, 1024):
            x = rng.integers(0, 10, n).astype(dtype)
            out = cuda.to_device(np.zeros(1, dtype))
            kernel((-(-n // block),), (block,), (cuda.to_device(x), out, n))
            assert out.copy_to_host()[0] == x.sum(dtype=dtype)


def test_threads_that_take_a_branch_form_a_group(compiled, rng):
    kernel = compiled("warp_reduction").get_function("count_above")
    for n in SIZES:
        for block in (32, 100, 256):
            x = rng.integers(-100, 100, n, dtype=np.int32)
            count = cuda.to_device(np.zeros(1, np.uint32))
            kernel((-(-n // block),), (block,), (cuda.to_device(x), n, 20, count))
            assert count.copy_to_host()[0] == (x > 20).sum()


@pytest.mark.parametrize("warps", [1, 4, 33])
def test_votes_and_reductions_of_warps(compiled, rng, warps):
    kernel = compiled("warp_reduction").get_function("warp_votes")
    x = rng.integers(-5, 10, (warps, 32), dtype=np.int32)
    x[::3] = np.abs(x[::3]) + 1
    x[1::3] = -np.abs(x[1::3])
    outputs = [cuda.device_array(warps, np.int32) for _ in range(4)] + [cuda.device_array(warps, np.uint32)]
    kernel((-(-warps // 4),), (128,), (cuda.to_device(x), x.size, *outputs))
    every, some, smallest, largest, parity = (out.copy_to_host() for out in outputs)
    np.testing.assert_array_equal(every != 0, (x > 0).all(axis=1))
    np.testing.assert_array_equal(some != 0, (x > 0).any(axis=1))
    np.testing.assert_array_equal(smallest, x.min(axis=1))
    np.testing.assert_array_equal(largest, x.max(axis=1))
    np.testing.assert_array_equal(parity, np.bitwise_xor.reduce(x.view(np.uint32), axis=1))
