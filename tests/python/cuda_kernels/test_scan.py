"""Prefix sums by blocks, by warps and in one pass."""

import numpy as np
import pytest

from lanewise import cuda

SIZES = (1, 31, 32, 33, 255, 256, 257, 5000, 70_001)


def _exclusive(x):
    return np.concatenate([np.zeros(1, x.dtype), np.cumsum(x, dtype=x.dtype)[:-1]])


@pytest.mark.parametrize("threads", [32, 128, 512])
@pytest.mark.parametrize(("c_type", "dtype"), [("int", np.int32), ("float", np.float32), ("double", np.float64)])
def test_block_scan_and_sums_of_blocks(compiled, rng, threads, c_type, dtype):
    scan, add = f"scan_blocks<{c_type}, {threads}>", f"add_offsets<{c_type}>"
    module = compiled("scan", scan, add)
    run = 2 * threads

    def exclusive(x, n):
        blocks = -(-n // run)
        out, sums = cuda.device_array(n, dtype), cuda.device_array(blocks, dtype)
        module.get_function(scan)((blocks,), (threads,), (x, out, sums, n))
        if blocks > 1:
            offsets = exclusive(sums, blocks)
            module.get_function(add)((-(-n // 256),), (256,), (out, offsets, run, n))
        return out

    for n in SIZES:
        x = rng.integers(0, 10, n).astype(dtype)
        np.testing.assert_array_equal(exclusive(cuda.to_device(x), n).copy_to_host(), _exclusive(x))


@pytest.mark.parametrize("block", [32, 96, 1024])
@pytest.mark.parametrize(("c_type", "dtype"), [("int", np.int32), ("float", np.float32), ("long long", np.int64)])
def test_warp_scan(compiled, rng, block, c_type, dtype):
    name = f"scan_warps<{c_type}>"
    kernel = compiled("scan", name).get_function(name)
    for n in SIZES:
        x = rng.integers(-9, 10, n).astype(dtype)
        out = cuda.device_array(n, dtype)
        grid = -(-n // block)
        kernel((grid,), (block,), (cuda.to_device(x), out, n))
        expected = np.pad(x, (0, grid * block - n)).reshape(grid, block).cumsum(axis=1).ravel()[:n]
        np.testing.assert_array_equal(out.copy_to_host(), expected)


@pytest.mark.parametrize("block", [64, 256])
def test_single_pass_with_look_back(compiled, rng, block):
    kernel = compiled("scan").get_function("scan_lookback")
    for n in (*SIZES, 300_000):
        x = rng.integers(0, 2**32, n, dtype=np.uint32)
        tiles = -(-n // block)
        out = cuda.device_array(n, np.uint32)
        state, counter = cuda.to_device(np.zeros(tiles, np.uint64)), cuda.to_device(np.zeros(1, np.uint32))
        kernel((tiles,), (block,), (cuda.to_device(x), out, state, counter, n))
        np.testing.assert_array_equal(out.copy_to_host(), _exclusive(x))
