"""packbits and unpackbits against NumPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanewise as lw

shapes = st.lists(st.integers(0, 19), min_size=1, max_size=3)


@settings(max_examples=40, deadline=None)
@given(
    shapes,
    st.sampled_from(["bool", "uint8", "int64"]),
    st.integers(0, 9),
    st.sampled_from(["big", "little"]),
    st.data(),
)
def test_packbits(shape, dtype, seed, bitorder, data):
    x = (np.random.default_rng(seed).integers(0, 3, shape)).astype(dtype)
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    expected = np.packbits(x, axis, bitorder)
    got = lw.packbits(lw.asarray(x), axis, bitorder)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got.get(), expected)


@settings(max_examples=40, deadline=None)
@given(shapes, st.integers(0, 9), st.sampled_from(["big", "little"]), st.none() | st.integers(-5, 40), st.data())
def test_unpackbits(shape, seed, bitorder, count, data):
    x = np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    try:
        expected = np.unpackbits(x, axis, count, bitorder)
        if x.size == 0:
            expected[...] = 0  # NumPy leaves what was in the memory
    except ValueError:
        with pytest.raises(ValueError, match="count"):
            lw.unpackbits(lw.asarray(x), axis, count, bitorder)
        return
    got = lw.unpackbits(lw.asarray(x), axis, count, bitorder)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got.get(), expected)


def test_bits_come_back(device):
    x = lw.arange(1000, dtype="uint8")
    np.testing.assert_array_equal(lw.packbits(lw.unpackbits(x)).get(), x.get())


def test_through_numpy(device):
    x = lw.arange(10) % 2
    np.testing.assert_array_equal(np.packbits(x).get(), np.packbits(np.arange(10) % 2))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: lw.packbits(lw.ones(3)), TypeError),
        (lambda: lw.unpackbits(lw.ones(3, "int8")), TypeError),
        (lambda: lw.packbits(lw.ones(3, bool), bitorder="middle"), ValueError),
        (lambda: lw.unpackbits(lw.ones(3, "uint8"), axis=1), np.exceptions.AxisError),
        (lambda: lw.packbits([1, 0]), TypeError),
    ],
)
def test_refusals(device, call, error):
    with pytest.raises(error):
        call()
