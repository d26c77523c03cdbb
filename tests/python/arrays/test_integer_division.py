"""Division of integers by numbers: every dtype, the ends of each range, signs, and 0."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanewise as lw

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def _expected(name, x, divisor):
    """As NumPy, whose results for 0 are 0."""
    with np.errstate(all="ignore"):
        return getattr(np, name)(x, np.full_like(x, divisor))


def _dividends(dtype, divisor, seed=0):
    info = np.iinfo(dtype)
    random = np.random.default_rng(seed)
    around = [n * divisor + d for n in (-3, -2, -1, 0, 1, 2, 3) for d in (-1, 0, 1)]
    ends = [info.min, info.min + 1, info.max, info.max - 1, 0, 1]
    fixed = [x for x in around + ends if info.min <= x <= info.max]
    return np.concatenate([np.array(fixed, dtype), random.integers(info.min, info.max, 300, dtype, endpoint=True)])


@pytest.mark.parametrize("dtype", DTYPES)
def test_small_and_extreme_divisors(device, dtype):
    info = np.iinfo(dtype)
    powers = [1 << k for k in range(0, info.bits, 7)]
    for divisor in {0, 1, 2, 3, 5, 7, 10, 100, info.min, info.max, info.max - 1, *powers} | (
        {-1, -2, -3, -7, -100, info.min + 1} if info.min else set()
    ):
        if not info.min <= divisor <= info.max:
            continue
        x = _dividends(dtype, divisor)
        for name in ("floor_divide", "remainder", "fmod"):
            result = getattr(lw, name)(lw.array(x), divisor)
            np.testing.assert_array_equal(result.get(), _expected(name, x, divisor), f"{name} by {divisor}")
            assert result.dtype == dtype


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_divisor(device, dtype):
    info = np.iinfo(dtype)

    @settings(max_examples=40, deadline=None)
    @given(divisor=st.integers(int(info.min), int(info.max)), seed=st.integers(0, 99))
    def check(divisor, seed):
        x = _dividends(dtype, divisor, seed)
        for name in ("floor_divide", "remainder", "fmod"):
            np.testing.assert_array_equal(
                getattr(lw, name)(lw.array(x), divisor).get(), _expected(name, x, divisor), f"{name} by {divisor}"
            )

    check()


def test_every_pair_of_bytes(device):
    for dtype in ("int8", "uint8"):
        info = np.iinfo(dtype)
        x = np.arange(info.min, info.max + 1).astype(dtype)
        for divisor in range(info.min, info.max + 1, 3):
            for name in ("floor_divide", "remainder"):
                np.testing.assert_array_equal(
                    getattr(lw, name)(lw.array(x), divisor).get(), _expected(name, x, divisor), f"{name} by {divisor}"
                )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
def test_arrays_by_arrays(device, name, dtype):
    info = np.iinfo(dtype)
    if info.bits == 8:
        every = np.arange(info.min, info.max + 1).astype(dtype)
        x, y = (grid.ravel() for grid in np.meshgrid(every, every))
    else:
        random = np.random.default_rng(5)
        x = random.integers(info.min, info.max, 40000, dtype, endpoint=True)
        y = np.concatenate([x[:10000] // 3, random.integers(info.min, info.max, 30000, dtype, endpoint=True)])
        y[::7] = random.integers(0, 50, y[::7].size)
        x[::11], y[::13] = info.min, -1 if info.min else info.max
        x[:40000:2] = (x * y)[:40000:2]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x, y)
    np.testing.assert_array_equal(getattr(lw, name)(lw.array(x), lw.array(y)).get(), expected)


def test_divisors_share_a_kernel_and_fuse(device):
    x = np.arange(-40, 40)
    for divisor in (3, -7, 11):
        result = (lw.array(x) * 2 + 1) // divisor + lw.array(x) % divisor
        np.testing.assert_array_equal(result.get(), (x * 2 + 1) // divisor + x % divisor)
