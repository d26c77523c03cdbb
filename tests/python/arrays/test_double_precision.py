"""Functions of float64 against extended precision: their error in ulps, and what they give where formulas end."""

import numpy as np
import pytest

import lanewise as lw

INFINITY = np.inf
# The domain of each function.
UNARY = {
    "arccos": (-1, 1),
    "arccosh": (1, INFINITY),
    "arcsin": (-1, 1),
    "arcsinh": (-INFINITY, INFINITY),
    "arctan": (-INFINITY, INFINITY),
    "arctanh": (-1, 1),
    "cos": (-INFINITY, INFINITY),
    "cosh": (-INFINITY, INFINITY),
    "exp": (-INFINITY, INFINITY),
    "exp2": (-INFINITY, INFINITY),
    "expm1": (-INFINITY, INFINITY),
    "log": (0, INFINITY),
    "log10": (0, INFINITY),
    "log1p": (-1, INFINITY),
    "log2": (0, INFINITY),
    "sin": (-INFINITY, INFINITY),
    "sinh": (-INFINITY, INFINITY),
    "tan": (-INFINITY, INFINITY),
    "tanh": (-INFINITY, INFINITY),
}
BINARY = ("arctan2", "hypot", "power")
COUNT = 1 << 12
SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.2e-308, 1.7e308, -1.7e308, 709.9, -745.2, 1e15]
)

extended = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant <= np.finfo(np.float64).nmant, reason="long double is no wider than double here"
)


def _numbers(low, high, seed):
    """Of every magnitude, near 1, and near the multiples of a quarter of pi."""
    random = np.random.default_rng(seed)
    scale = np.ldexp(1 + random.random(COUNT), random.integers(-60, 20, COUNT)) * random.choice([-1.0, 1.0], COUNT)
    near_one = 1 + random.uniform(-1, 1, COUNT) * np.ldexp(1.0, -random.integers(0, 40, COUNT))
    turns = random.integers(1, 1 << 20, COUNT) * (np.pi / 4)
    turns += random.integers(-3, 4, COUNT) * np.spacing(turns)
    any_bits = random.integers(-(2**63), 2**63 - 1, COUNT).view(np.float64)
    x = np.concatenate([random.uniform(-30, 30, COUNT), scale, near_one, turns, any_bits])
    return np.concatenate([x[(x >= low) & (x <= high)], np.repeat(SPECIAL, 3)])


def _check(name, ulps, *arguments):
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(*(x.astype(np.longdouble) for x in arguments))
        expected = exact.astype(np.float64)
        result = getattr(lw, name)(*map(lw.array, arguments)).get()
        numbers = np.isfinite(expected) & np.isfinite(result)
        unit = np.maximum(np.spacing(abs(expected)), 5e-324).astype(np.longdouble)
        error = np.where(numbers, abs(result - exact) / unit, 0)
        same = (result == expected) & (np.signbit(result) == np.signbit(expected))
        rounds_over = np.isinf(expected) ^ np.isinf(result)  # next to the largest number
    other = ~numbers & ~same & ~(np.isnan(expected) & np.isnan(result)) & ~rounds_over
    other |= (expected == 0) & ~same & (abs(exact) == 0)
    assert not other.any(), [(x[other][0]) for x in arguments] + [result[other][0], expected[other][0]]
    assert not (rounds_over & (abs(np.where(numbers, 0, exact)) < 1.79e308)).any()
    worst = error.argmax()
    assert error[worst] <= ulps, (float(error[worst]), [x[worst] for x in arguments], result[worst])


@extended
@pytest.mark.parametrize("name", UNARY)
def test_unary_functions_are_right_to_an_ulp(device, name):
    _check(name, 1.1 if device == "cpu" else 2, _numbers(*UNARY[name], 11))


@extended
@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_are_right_to_an_ulp(device, name):
    x, y = _numbers(-INFINITY, INFINITY, 12), _numbers(-INFINITY, INFINITY, 13)
    _check(name, 1.1 if device == "cpu" else 2, x[: y.size], y[: x.size])


@extended
@pytest.mark.parametrize("name", BINARY)
def test_special_numbers_of_binary_functions(device, name):
    x, y = (grid.ravel() for grid in np.meshgrid(SPECIAL, SPECIAL))
    _check(name, 2, np.tile(x, 3), np.tile(y, 3))


@extended
def test_cube_roots_are_right_to_an_ulp(device):
    x = _numbers(-1e200, 1e200, 14)
    x = x[~np.isfinite(x) | (abs(x) > 1e-200) | (x == 0)]  # the C library's is less exact beyond
    _check("cbrt", 1.1 if device == "cpu" else 2, x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["fmod", "remainder", "floor_divide", "divmod"])
def test_remainders_are_exact(device, name, dtype):
    random = np.random.default_rng(15)
    word = np.dtype(dtype.replace("float", "int"))
    x = random.integers(np.iinfo(word).min, np.iinfo(word).max, COUNT).astype(word).view(dtype)
    with np.errstate(all="ignore"):
        close = (x * random.uniform(1e-6, 2, COUNT)).astype(dtype)
    with np.errstate(all="ignore"):
        special = SPECIAL.astype(dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(special, special))
    small = random.integers(-50, 50, (2, COUNT)).astype(dtype) / 4
    for left, right in ((x, x[::-1].copy()), (x, close), (a, b), tuple(small)):
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(left, right)
        result = getattr(lw, name)(lw.array(left), lw.array(right))
        for one, other in zip(np.atleast_2d(expected), result if name == "divmod" else [result]):
            np.testing.assert_array_equal(other.get(), one)
            np.testing.assert_array_equal(np.signbit(other.get())[one == 0], np.signbit(one[one == 0]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_scaling_by_powers_of_two_rounds_once(device, dtype):
    random = np.random.default_rng(16)
    word = np.dtype(dtype.replace("float", "int"))
    x = random.integers(np.iinfo(word).min, np.iinfo(word).max, COUNT).astype(word).view(dtype)
    n = np.where(random.random(COUNT) < 0.5, random.integers(-60, 60, COUNT), random.integers(-2200, 2200, COUNT))
    n = n.astype(np.int32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(lw.ldexp(lw.array(x), lw.array(n)).get(), np.ldexp(x, n))
