"""argmin and argmax: the first of equal elements, NaN before all, in every layout and at every length."""

import numpy as np
import pytest

import lanewise as lw

LENGTHS = (1, 33, 2049, 70001)
NAMES = ("argmin", "argmax")


def _same(name, x, axis=None, view=lambda x: x):
    ours = getattr(lw, name)(view(lw.array(x)), axis=axis).get()
    np.testing.assert_array_equal(ours, getattr(np, name)(view(x), axis=axis))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32", "complex64"])
@pytest.mark.parametrize("name", NAMES)
def test_the_first_of_equal_elements(device, name, dtype):
    random = np.random.default_rng(1)
    for length in LENGTHS:
        x = random.integers(0, 2 if dtype == "bool" else 5, length).astype(dtype)
        _same(name, x)
        _same(name, x, view=lambda x: x[::-1])
        _same(name, x, view=lambda x: x[::3])
        _same(name, np.ones(length, dtype))


@pytest.mark.parametrize("dtype", ["float16", "float64", "complex128"])
@pytest.mark.parametrize("name", NAMES)
def test_nan_infinities_and_zeros(device, name, dtype):
    random = np.random.default_rng(2)
    for length in LENGTHS:
        _same(name, np.full(length, np.inf, dtype))
        _same(name, np.full(length, -np.inf, dtype))
        _same(name, np.full(length, np.nan, dtype))
        _same(name, random.choice(np.array([0.0, -0.0]), length).astype(dtype))
        x = random.standard_normal(length).astype(dtype)
        for place in {0, length // 2, length - 1}:
            with_nan = x.copy()
            with_nan[place:] = np.where(random.random(length - place) < 0.3, np.nan, with_nan[place:])
            with_nan[place] = np.nan
            _same(name, with_nan)
            _same(name, with_nan, view=lambda x: x[::-1])


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64"])
@pytest.mark.parametrize("name", NAMES)
def test_the_ends_of_integers(device, name, dtype):
    info = np.iinfo(dtype)
    for length in LENGTHS:
        for value in (info.min, info.max):
            _same(name, np.full(length, value, dtype))
        x = np.random.default_rng(3).choice(np.array([info.min, info.max], dtype), length)
        _same(name, x)


@pytest.mark.parametrize("shape", [(5000, 3), (40, 50, 60), (7, 1, 900), (4, 20000), (300, 300)])
@pytest.mark.parametrize("name", NAMES)
def test_axes_and_layouts(device, name, shape):
    x = np.random.default_rng(4).integers(0, 9, shape).astype(np.float32)
    x[x == 8] = np.nan
    for axis in (None, *range(len(shape))):
        _same(name, x, axis)
        _same(name, np.nan_to_num(x), axis)
        _same(name, x, axis, view=lambda x: x.T)
        _same(name, x, axis, view=lambda x: x[..., ::-1])
        _same(name, x, axis, view=lambda x: x[::2])
