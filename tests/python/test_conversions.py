"""Conversions of floats to integers: truncated, saturated, NaN to 0, whatever the length of the array."""

import math
import platform

import numpy as np
import pytest

from lanewise import cuda

BOUNDS = [float(sign * 2**k) for k in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (-1, 1)]


def values(dtype):
    near = [np.nextafter(dtype(b), dtype(to)) for b in BOUNDS for to in (-math.inf, math.inf)]
    plain = [0.0, -0.0, 0.5, -0.5, 0.999, -0.999, 1.5, -1.5, 100.7, -100.7, 1e30, -1e30, math.inf, -math.inf, math.nan]
    return np.array([*plain, *BOUNDS, *near], dtype)


def converted(value, integer):
    bounds = np.iinfo(integer)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return bounds.max if value > 0 else bounds.min
    return min(max(math.trunc(value), bounds.min), bounds.max)


def conversion(integer):
    @cuda.jit
    def convert(out, x):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = integer(x[i])

    return convert


@pytest.mark.parametrize("integer", [np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_saturate(device, dtype, integer):
    x = np.resize(values(dtype), 1000)
    out = np.zeros(x.size, integer)
    conversion(integer)[4, 256](out, x)
    assert out.tolist() == [converted(float(v), integer) for v in x]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86 assembly")
def test_the_cpu_device_converts_in_vectors(device):
    if device != "cpu":
        pytest.skip("reads the cpu device's assembly")
    kernel = conversion(np.int32)
    kernel[4, 256](np.zeros(1000, np.int32), np.ones(1000, np.float32))
    (assembly,) = kernel.inspect_asm().values()
    assert "cvttps2dq" in assembly
