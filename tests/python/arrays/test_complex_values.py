"""Functions of complex numbers part by part: branch cuts, infinities, NaN, zeros with signs, near singularities."""

import numpy as np
import pytest

import lanewise as lw

PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, np.inf, -np.inf, np.nan, 1e-9, -1e-9, 1 + 1e-6, 1e-6 - 1, 1e15, -1e15]
FUNCTIONS = [
    "absolute",
    "angle",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "conjugate",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log2",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_of_special_complex_numbers(device, name):
    z = np.array([complex(re, im) for re in PARTS for im in PARTS])
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(z)
    got = getattr(lw, name)(lw.asarray(z)).get()
    assert got.dtype == expected.dtype
    finite = np.isfinite(z)
    for part in ("real", "imag") if expected.dtype.kind == "c" else ("real",):
        ours, theirs = getattr(got, part), getattr(expected, part)
        what = f"the {part} part of {name}"
        with np.errstate(all="ignore"):
            # The other part of a large number takes its last digits from the argument's reduction.
            near = np.abs(ours - theirs) <= 4e-13 * np.maximum(np.abs(theirs), 1e-3 * np.abs(expected))
        wrong = ~(near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
        assert not wrong.any(), [(z[i], ours[i], theirs[i]) for i in np.flatnonzero(wrong)[:6]] + [what]
        # Of infinite and undefined numbers C leaves the signs of zeros open.
        flipped = finite & (theirs == 0) & (np.signbit(ours) != np.signbit(theirs))
        assert not flipped.any(), [(z[i], ours[i], theirs[i]) for i in np.flatnonzero(flipped)[:6]] + [what]
