"""Sums in shared memory, with shuffles, with atomics."""

import numpy as np
import pytest

from lanewise import cuda

SIZES = (1, 2, 63, 64, 65, 1000, 4097, 100_003)


def _numbers(rng, n, dtype):
    # Sums of small integers are exact in any order and in every dtype.
    return rng.integers(-8, 9, n).astype(dtype)


@pytest.mark.parametrize("variant", ["reduce_interleaved", "reduce_strided", "reduce_sequential"])
@pytest.mark.parametrize(("c_type", "dtype"), [("float", np.float32), ("double", np.float64), ("int", np.int32)])
def test_tree_in_dynamic_shared_memory(compiled, rng, variant, c_type, dtype):
    name = f"{variant}<{c_type}>"
    kernel = compiled("reduction", name).get_function(name)
    for n in SIZES:
        for block in (64, 256, 1024):
            x = _numbers(rng, n, dtype)
            grid = -(-n // block)
            out = cuda.device_array(grid, dtype)
            kernel((grid,), (block,), (cuda.to_device(x), out, n), shared_mem=block * x.itemsize)
            whole = np.pad(x, (0, grid * block - n)).reshape(grid, block)
            np.testing.assert_array_equal(out.copy_to_host(), whole.sum(axis=1, dtype=dtype))


@pytest.mark.parametrize("block", [64, 128, 256, 512, 1024])
@pytest.mark.parametrize(("c_type", "dtype"), [("float", np.float32), ("double", np.float64), ("int", np.int32)])
def test_unrolled(compiled, rng, block, c_type, dtype):
    name = f"reduce_unrolled<{c_type}, {block}>"
    kernel = compiled("reduction", name).get_function(name)
    for n in SIZES:
        x = _numbers(rng, n, dtype)
        grid = -(-n // (2 * block))
        out = cuda.device_array(grid, dtype)
        kernel((grid,), (block,), (cuda.to_device(x), out, n))
        whole = np.pad(x, (0, grid * 2 * block - n)).reshape(grid, 2 * block)
        np.testing.assert_array_equal(out.copy_to_host(), whole.sum(axis=1, dtype=dtype))


@pytest.mark.parametrize("grid", [1, 7, 64])
@pytest.mark.parametrize(
    ("c_type", "dtype"),
    [("float", np.float32), ("double", np.float64), ("int", np.int32), ("unsigned long long", np.uint64)],
)
def test_grid_stride_with_atomics(compiled, rng, grid, c_type, dtype):
    name = f"reduce_grid_stride<{c_type}>"
    kernel = compiled("reduction", name).get_function(name)
    for n in SIZES:
        for block in (64, 512, 1024):
            x = np.abs(_numbers(rng, n, np.int64)).astype(dtype)
            out = cuda.to_device(np.zeros(1, dtype))
            kernel((grid,), (block,), (cuda.to_device(x), out, n))
            assert out.copy_to_host()[0] == x.sum(dtype=dtype)


def test_vector_loads(compiled, rng):
    kernel = compiled("reduction").get_function("reduce_float4")
    for n in (*SIZES, 3, 4, 5, 1 << 16):
        x = _numbers(rng, n, np.float32)
        out = cuda.to_device(np.zeros(1, np.float32))
        kernel((5,), (128,), (cuda.to_device(x), out, n))
        assert out.copy_to_host()[0] == x.sum(dtype=np.float64)
