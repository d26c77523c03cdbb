"""Random shapes, indices and programs: lazy against eager against NumPy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lanewise as lw

from .comparison import LAYOUTS, Input, assert_same

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
DTYPES = st.sampled_from(["float32", "float64", "int32", "int64", "uint8", "bool"])
LAYOUT = st.sampled_from(sorted(LAYOUTS))


@SETTINGS
@given(
    shapes=hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=4, max_side=4, min_side=0),
    layout=LAYOUT,
    dtype=DTYPES,
)
def test_broadcasting(device, shapes, layout, dtype):
    a, b, c = (Input(shape, dtype, layout, seed) for seed, shape in enumerate(shapes.input_shapes))
    assert_same(a.ours + b.ours * c.ours, a.theirs + b.theirs * c.theirs)
    assert_same(lw.where(a.ours > b.ours, b.ours, c.ours), np.where(a.theirs > b.theirs, b.theirs, c.theirs))
    assert lw.broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


@SETTINGS
@given(data=st.data(), shape=hnp.array_shapes(max_dims=4, max_side=5, min_dims=0), layout=LAYOUT, dtype=DTYPES)
def test_basic_indexing(device, data, shape, layout, dtype):
    x = Input(shape, dtype, layout)
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    assert_same(x.ours[index], x.theirs[index])
    ours, theirs = x.ours.copy(), x.theirs.copy()
    ours[index] = 1
    theirs[index] = 1
    assert_same(ours, theirs)


@SETTINGS
@given(data=st.data(), shape=hnp.array_shapes(max_dims=3, max_side=5), layout=LAYOUT)
def test_integer_array_indexing(device, data, shape, layout):
    x = Input(shape, "float32", layout)
    index = data.draw(hnp.integer_array_indices(shape, result_shape=hnp.array_shapes(max_dims=2, max_side=4)))
    assert_same(x.ours[tuple(map(lw.asarray, index))], x.theirs[index])


@SETTINGS
@given(shape=hnp.array_shapes(max_dims=4, max_side=6, min_side=0), layout=LAYOUT, dtype=DTYPES, data=st.data())
def test_reductions(device, shape, layout, dtype, data):
    x = Input(shape, dtype, layout)
    axis = data.draw(st.one_of(st.none(), hnp.valid_tuple_axes(len(shape), min_size=1)))
    keepdims = data.draw(st.booleans())
    for name in ("sum", "any", "all", "count_nonzero"):
        theirs = getattr(np, name)(x.theirs, axis=axis, keepdims=keepdims)
        assert_same(getattr(lw, name)(x.ours, axis=axis, keepdims=keepdims), theirs, tolerance=1e-4)
    if x.theirs.size:
        for name in ("max", "min", "mean"):
            theirs = getattr(np, name)(x.theirs, axis=axis, keepdims=keepdims)
            assert_same(getattr(lw, name)(x.ours, axis=axis, keepdims=keepdims), theirs, tolerance=1e-4)


@SETTINGS
@given(data=st.data(), shape=hnp.array_shapes(min_dims=1, max_dims=3, max_side=6))
def test_reshaping(device, data, shape):
    x = Input(shape, "int32", data.draw(LAYOUT))
    order = data.draw(st.permutations(range(len(shape))))
    assert_same(x.ours.transpose(order).reshape(-1), x.theirs.transpose(order).reshape(-1))
    assert_same(lw.ravel(x.ours, "F"), np.ravel(x.theirs, "F"))
    shift = data.draw(st.integers(-9, 9))
    axis = data.draw(st.integers(0, len(shape) - 1))
    assert_same(lw.roll(x.ours, shift, axis), np.roll(x.theirs, shift, axis))


# A program is a list of steps on a few arrays of one shape; each step is a template of Python source.
STEPS = [
    "{a} = {b} + {c}",
    "{a} = {b} * {c} - 1",
    "{a} = {b}[::-1]",
    "{a} = {b}.T.copy().T",
    "{a} = xp.where({b} > {c}, {b}, {c})",
    "{a} = xp.abs({b}) * 0.5",
    "{a} = {b}.copy()",
    "{a} += {b}",
    "{a} -= {b}[:, ::-1]",
    "{a}[1:] += {b}[:-1]",
    "{a}[:, ::2] = {b}[:, ::2]",
    "{a}[0] = {b}.sum(0) * 0.25",
    "{a}[...] = {a}[::-1] + {b}",
    "{a}[1:] = {a}[:-1]",
    "{a}[{b} > 0] = 0.5",
    "xp.add({a}, {b}, out={c})",
    "{a} = {b} - {b}.mean(1, keepdims=True)",
    "{a} = xp.cumsum({b}, 1) * 0.25",
    "{a} = xp.roll({b}, 1, 0)",
    "{a} = xp.maximum({b}, {c}[0])",
    "{a}[[0, 2]] = {b}[[2, 1]]",
    "{a} = xp.concatenate([{b}[:2], {c}[2:]])",
    "view = {a}[:, 1:]; view *= 0.5",
    "{a} = xp.clip({b}, -3, 3)",
]
VARIABLES = ["p", "q", "r"]


@st.composite
def programs(draw):
    lines = draw(st.lists(st.sampled_from(STEPS), min_size=3, max_size=14))
    return "\n".join(
        line.format(
            a=draw(st.sampled_from(VARIABLES)), b=draw(st.sampled_from(VARIABLES)), c=draw(st.sampled_from(VARIABLES))
        )
        for line in lines
    )


def _run(program, xp, starts):
    names = {"xp": xp, **starts}
    exec(program, names)
    return [names[variable] for variable in VARIABLES]


@settings(SETTINGS, max_examples=100)
@given(program=programs(), layout=LAYOUT)
def test_random_programs(device, program, layout):
    def inputs(side):
        return {name: getattr(Input((4, 5), "float64", layout, seed), side) for seed, name in enumerate(VARIABLES)}

    theirs = _run(program, np, inputs("theirs"))
    lazy = _run(program, lw, inputs("ours"))
    with lw.eager():
        eager = _run(program, lw, inputs("ours"))
    for one, other, expected in zip(lazy, eager, theirs, strict=True):
        assert_same(other, expected, f"eager:\n{program}", 1e-9)
        assert_same(one, expected, f"lazy:\n{program}", 1e-9)


@pytest.mark.parametrize("count", [3, 300])
def test_long_chains(device, count):
    x, host = lw.ones(10), np.ones(10)
    for step in range(count):
        x, host = x * 0.5 + step, host * 0.5 + step
    assert_same(x, host)
