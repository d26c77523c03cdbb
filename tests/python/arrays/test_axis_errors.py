"""Axes that an array does not have: NumPy's AxisError, which is a ValueError and an IndexError."""

import numpy as np
import pytest

import lanewise as lw

CALLS = """
x.sum(axis=AXIS)
x.mean(AXIS)
x.argmax(AXIS)
x.cumsum(AXIS)
x.take([0], AXIS)
x.repeat(2, AXIS)
x.squeeze(AXIS)
x.swapaxes(0, AXIS)
x.transpose(0, AXIS)
x.any(axis=(0, AXIS))
x.diagonal(0, 0, AXIS)
xp.sum(x, axis=AXIS)
xp.std(x, axis=AXIS)
xp.nanmax(x, axis=AXIS)
xp.cumprod(x, axis=AXIS)
xp.flip(x, AXIS)
xp.roll(x, 1, AXIS)
xp.concatenate([x, x], AXIS)
xp.stack([x, x], AXIS + 9)
xp.expand_dims(x, AXIS + 9)
xp.moveaxis(x, AXIS, 0)
xp.rollaxis(x, AXIS)
xp.swapaxes(x, AXIS, 0)
xp.take_along_axis(x, x.argmax(1, keepdims=True), AXIS)
xp.compress([True], x, AXIS)
xp.diff(x, axis=AXIS)
xp.gradient(x, axis=AXIS)
xp.count_nonzero(x, axis=AXIS)
xp.add.reduce(x, AXIS)
xp.add.accumulate(x, AXIS)
xp.add.reduceat(x, [0], AXIS)
xp.average(x, axis=AXIS)
xp.unstack(x, axis=AXIS)
xp.cumulative_sum(x, axis=AXIS)
xp.packbits(x > 0, axis=AXIS)
xp.delete(x, 0, AXIS)
xp.insert(x, 0, 1, AXIS)
xp.append(x, x, AXIS)
""".strip().splitlines()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("axis", [2, -3, 7])
def test_axis_error(device, call, axis):
    host = np.arange(6.0).reshape(2, 3)
    for xp, x in ((np, host), (lw, lw.asarray(host))):
        with pytest.raises(np.exceptions.AxisError, match="axis"):
            eval(call, {"xp": xp, "x": x, "AXIS": axis})
