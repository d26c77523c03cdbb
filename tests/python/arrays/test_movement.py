"""Scans, masks, gathers, joins, repeats, rolls and pads of random arrays, against NumPy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lanewise as lw

from .comparison import LAYOUTS, Input, assert_same

SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
DTYPES = st.sampled_from(["float32", "float64", "int16", "int64", "uint8", "bool", "complex64"])
LAYOUT = st.sampled_from(sorted(LAYOUTS))
SHAPES = hnp.array_shapes(max_dims=3, max_side=6, min_side=0)


@SETTINGS
@given(shape=SHAPES, layout=LAYOUT, dtype=st.sampled_from(["int8", "uint16", "int64", "bool"]), data=st.data())
def test_running_reductions(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    assert_same(lw.cumsum(x.ours, axis), np.cumsum(x.theirs, axis))
    assert_same(lw.cumsum(x.ours), np.cumsum(x.theirs))
    for name in ("maximum", "minimum", "logical_or"):
        ours, theirs = getattr(lw, name), getattr(np, name)
        assert_same(ours.accumulate(x.ours, axis), theirs.accumulate(x.theirs, axis))


@SETTINGS
@given(shape=SHAPES, layout=LAYOUT, dtype=DTYPES, data=st.data())
def test_masks(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    mask = data.draw(hnp.arrays(bool, shape))
    ours = lw.asarray(mask)
    assert_same(x.ours[ours], x.theirs[mask])
    assert_same(x.ours[x.ours != 0], x.theirs[x.theirs != 0])
    for got, wanted in zip(lw.nonzero(ours), np.nonzero(mask), strict=True):
        assert_same(got, wanted)
    assert_same(lw.compress(ours.ravel(), x.ours), np.compress(mask.ravel(), x.theirs))


@SETTINGS
@given(shape=hnp.array_shapes(max_dims=3, max_side=6), layout=LAYOUT, dtype=DTYPES, data=st.data())
def test_rows(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    axis = data.draw(st.integers(0, len(shape) - 1))
    extent = shape[axis]
    places = data.draw(hnp.arrays(np.int64, st.integers(0, 5), elements=st.integers(-extent, extent - 1)))
    assert_same(lw.take(x.ours, lw.asarray(places), axis), np.take(x.theirs, places, axis))
    index = (slice(None),) * axis
    assert_same(x.ours[(*index, lw.asarray(places))], x.theirs[(*index, places)])
    ours, theirs = x.ours.copy(), x.theirs.copy()
    ours[(*index, lw.asarray(places))] = 1
    theirs[(*index, places)] = 1
    assert_same(ours, theirs)


@SETTINGS
@given(shape=SHAPES, layout=LAYOUT, dtypes=st.lists(DTYPES, min_size=1, max_size=7), data=st.data())
def test_joins(device, shape, layout, dtypes, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    parts = []
    for seed, dtype in enumerate(dtypes):
        own = list(shape)
        own[axis] = data.draw(st.integers(0, 4))
        parts.append(Input(tuple(own), dtype, layout, seed))
    assert_same(
        lw.concatenate([part.ours for part in parts], axis), np.concatenate([part.theirs for part in parts], axis)
    )
    alike = [Input(shape, dtype, layout, seed) for seed, dtype in enumerate(dtypes)]
    assert_same(lw.stack([part.ours for part in alike], axis), np.stack([part.theirs for part in alike], axis))


@SETTINGS
@given(shape=SHAPES, layout=LAYOUT, dtype=DTYPES, data=st.data())
def test_repeats(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    axis = data.draw(st.one_of(st.none(), st.integers(-len(shape), len(shape) - 1)))
    extent = x.theirs.size if axis is None else shape[axis]
    counts = data.draw(hnp.arrays(np.int64, st.sampled_from([1, extent]), elements=st.integers(0, 4)))
    wanted = np.repeat(x.theirs, counts, axis)
    assert_same(lw.repeat(x.ours, lw.asarray(counts), axis), wanted)
    assert_same(lw.repeat(x.ours, counts, axis), wanted)
    assert_same(lw.repeat(x.ours, counts.tolist(), axis), wanted)
    assert_same(x.ours.repeat(lw.asarray(counts), axis), wanted)


@pytest.mark.parametrize(
    ("counts", "error"),
    [([1, -1, 2], ValueError), ([1, 2], ValueError), ([1.0, 2.0, 3.0], TypeError), ([[1, 2, 3]], ValueError)],
)
def test_repeats_refuse_counts_that_numpy_refuses(device, counts, error):
    with pytest.raises(error):
        np.repeat(np.arange(3), np.array(counts))
    with pytest.raises(error, match="repeat"):
        lw.repeat(lw.arange(3), lw.asarray(np.array(counts)))


@SETTINGS
@given(shape=SHAPES, layout=LAYOUT, dtype=DTYPES, data=st.data())
def test_rolls(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    shift = data.draw(st.integers(-9, 9))
    assert_same(lw.roll(x.ours, shift), np.roll(x.theirs, shift))
    axes = data.draw(st.lists(st.integers(-len(shape), len(shape) - 1), min_size=1, max_size=4))
    shifts = data.draw(st.lists(st.integers(-9, 9), min_size=len(axes), max_size=len(axes)))
    assert_same(lw.roll(x.ours, tuple(shifts), tuple(axes)), np.roll(x.theirs, tuple(shifts), tuple(axes)))


@SETTINGS
@given(
    shape=hnp.array_shapes(max_dims=3, max_side=6),
    layout=LAYOUT,
    dtype=DTYPES,
    mode=st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]),
    data=st.data(),
)
def test_pads(device, shape, layout, dtype, mode, data):
    x = Input(shape, dtype, layout)
    widths = data.draw(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=x.theirs.ndim, max_size=x.theirs.ndim)
    )
    assert_same(lw.pad(x.ours, widths, mode=mode), np.pad(x.theirs, widths, mode=mode))


def test_a_scan_of_elements_out_of_bounds_reports_them(device):
    x, places = lw.arange(10), lw.asarray(np.array([1, 2, 10]))
    with pytest.raises(IndexError, match="index 10 is out of bounds"):
        lw.cumsum(x[places]).get()


@pytest.mark.parametrize("elements", [70_000, 1_100_000])
def test_counts_of_integers(device, elements):
    x = np.random.default_rng(3).integers(0, 500, elements).astype(np.int32)
    weights = np.random.default_rng(4).integers(0, 8, elements).astype(np.float64)
    assert_same(lw.bincount(lw.asarray(x)), np.bincount(x))
    assert_same(lw.bincount(lw.asarray(x), lw.asarray(weights)), np.bincount(x, weights))
    assert_same(lw.bincount(lw.asarray(x[::-3])), np.bincount(x[::-3]))
