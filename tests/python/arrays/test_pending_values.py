"""Values still to be computed that several others read: they come out right whatever is computed first."""

import itertools

import numpy as np
import pytest

import lanewise as lw

# `o` is pending and a variable's; each statement reads it directly and by way of what has to be computed first.
STATEMENTS = [
    "x[...] = o * 3 + 7",
    "x[...] = o * 5 + (7 - o * 2).sum()",
    "x[...] = (7 - x * o).sum() + o * 5",
    "x[1:] = o[:-1] - (5 - o).max()",
    "x[::-1] = o + (5 - o * o).min()",
    "x += o * 5 + (7 - x * o).sum()",
    "x = o * 5 + (7 - o).sum()",
    "x = (7 - o).sum() + y",
    "x = xp.where(o > 20, (9 - o).sum(), o)",
    "x = o[[2, 0, 1]] + (4 - o * 3)",
    "x[[2, 0]] = (4 - o)[:2] * o.max()",
    "x = xp.cumsum(2 - o) + o",
    "x = (3 - o[:, None]) @ o[None] + o",
    "x = (6 - o).view('int64') * 0 + o",
    "o += (7 - o).sum()",
    "o[...] = (7 - o).sum() - o * x",
    "o[1:] += (8 - o)[:-1]",
    "x *= (8 - o).sum(keepdims=True); o -= x",
]
READERS = ["", "r = x * o", "r = x - o * o; s = 3 - r", "r = (3 - o) * y; s = (1 - r).sum() + o", "r = o[::-1] * x"]


def run(program, xp, asarray):
    names = {"xp": xp, "x": asarray([1.0, 2.0, 3.0]), "y": asarray([10.0, 20.0, 30.0])}
    exec(program, names)
    return {name: names[name] for name in ("x", "y", "o", "r", "s") if name in names}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_values_with_several_readers(device, statement, reader):
    program = f"o = y + 1\n{reader}\n{statement}"
    expected = run(program, np, np.array)
    orders = list(itertools.permutations(expected))
    for order in orders[:: max(1, len(orders) // 6)]:
        values = run(program, lw, lambda numbers: lw.asarray(np.array(numbers)))
        for name in order:
            np.testing.assert_array_equal(values[name].get(), expected[name], f"{name} of {program}, read as {order}")
