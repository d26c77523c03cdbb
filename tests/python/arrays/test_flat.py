"""x.flat: the elements in C order, whatever the layout; x.shape = ...; x == None; x.base."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanewise as lw

from .comparison import LAYOUTS, Input

SHAPES = [(7,), (3, 4), (2, 3, 4), (1, 5), ()]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_reading(device, shape, layout):
    x = Input(shape, "float64", layout)
    assert len(x.ours.flat) == len(x.theirs.flat)
    assert [float(value) for value in x.ours.flat] == list(x.theirs.flat)
    for key in (0, -1, slice(None), slice(None, None, 2), slice(1, 3), [0, 0], np.array([0])):
        np.testing.assert_array_equal(x.ours.flat[key].get(), x.theirs.flat[key])
    np.testing.assert_array_equal(x.ours.flat.copy().get(), x.theirs.flat.copy())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES[:4])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        (2, 9),
        (-1, 9),
        (slice(None), 3),
        (slice(1, 4), [7, 8, 9]),
        ([0, 3], [5, 6]),
        (slice(None), [1, 2]),
        (slice(2, 2), 5),
    ],
)
def test_writing(device, shape, layout, key, value):
    x = Input(shape, "float64", layout)
    x.theirs.flat[key] = value
    x.ours.flat[key] = value
    np.testing.assert_array_equal(x.ours.get(), x.theirs)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_assigning_all(device, layout):
    x = Input((3, 4), "int32", layout)
    x.theirs.flat = [1, 2, 3, 4, 5]
    x.ours.flat = [1, 2, 3, 4, 5]
    np.testing.assert_array_equal(x.ours.get(), x.theirs)


def test_slices_are_copies(device):
    x = lw.arange(6.0)
    part = x.flat[1:3]
    part[...] = 9
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5]


def test_walking(device):
    x = lw.arange(6).reshape(2, 3)
    walk = x.flat
    assert walk.base is x and (walk.index, walk.coords) == (0, (0, 0))
    assert int(next(walk)) == 0 and int(walk.next()) == 1
    assert (walk.index, walk.coords) == (2, (0, 2))
    assert [int(value) for value in walk] == [0, 1, 2, 3, 4, 5]
    for _ in range(4):
        next(walk)
    with pytest.raises(StopIteration):
        next(walk)


def test_flat_elements_are_operands_of_functions(device):
    x = lw.arange(6.0).reshape(2, 3).T
    assert float(lw.sum(x.flat)) == 15
    np.testing.assert_array_equal(lw.asarray(x.flat).get(), x.get().ravel())


def test_index_out_of_bounds(device):
    with pytest.raises(IndexError):
        lw.arange(3).flat[5]
    with pytest.raises(IndexError):
        lw.arange(3).flat[5] = 1


@pytest.mark.parametrize("shape", [(12,), (3, 4), (2, -1), 12, [4, 3], (1, 12, 1), -1])
@pytest.mark.parametrize("pending", [False, True])
def test_shape_is_assignable(device, shape, pending):
    theirs = np.arange(12.0).reshape(2, 6)
    ours = lw.asarray(theirs) + 0
    if not pending:
        lw.evaluate(ours)
    alias, expected = ours, theirs + 0
    expected = expected.reshape(shape)
    ours.shape = shape
    assert alias.shape == expected.shape and alias.flags.c_contiguous
    np.testing.assert_array_equal(ours.get(), expected)
    ours[...] = 5
    assert alias.get().min() == 5


def test_shapes_that_do_not_fit(device):
    x = lw.arange(12.0).reshape(3, 4)
    with pytest.raises(ValueError, match="5"):
        x.shape = (5, 3)
    with pytest.raises(AttributeError, match="without a copy"):
        x.T.shape = (12,)
    assert x.shape == (3, 4)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=0, max_size=4), st.randoms(use_true_random=False))
def test_any_shape_of_equal_size(extents, random):
    theirs = np.arange(float(np.prod(extents, dtype=int))).reshape(extents)
    ours = lw.asarray(theirs)
    shuffled = list(extents)
    random.shuffle(shuffled)
    ours.shape = shuffled
    np.testing.assert_array_equal(ours.get(), theirs.reshape(shuffled))


class Thing:
    """Equal to itself alone."""


@pytest.mark.parametrize("other", [None, Ellipsis, Thing(), Thing, np.sum])
def test_no_element_equals_other_objects(device, other):
    x = lw.arange(6.0).reshape(2, 3)
    for got, expected in ((x == other, False), (x != other, True), (other == x, False), (other != x, True)):
        assert isinstance(got, lw.ndarray) and got.dtype == bool
        np.testing.assert_array_equal(got.get(), np.full((2, 3), expected))


def test_base_is_the_memory_of_a_view(device):
    x = lw.arange(6.0) + 1
    assert x.base is None
    base = x[2:].base
    np.testing.assert_array_equal(base.get(), np.arange(6.0) + 1)
    assert lw.shares_memory(base, x)
