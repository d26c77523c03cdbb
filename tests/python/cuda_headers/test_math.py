"""Math functions against the C library, through Python and NumPy."""

import math

import numpy as np
import pytest

from .evaluate import evaluate

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore::RuntimeWarning")]

RANDOM = np.random.default_rng(11)
UNIT = RANDOM.uniform(-1, 1, 500)
POSITIVE = np.exp(RANDOM.uniform(-20, 20, 500))
ANY = np.concatenate([RANDOM.uniform(-20, 20, 500), RANDOM.normal(0, 1, 100), [0.0, 1.0, -1.0]])
ANY_2 = ANY[::-1].copy()
SMALL = RANDOM.uniform(-3, 3, 500)

# function: (arguments, reference in double precision)
UNARY = {
    "acos": (UNIT, np.arccos),
    "acosh": (1 + POSITIVE, np.arccosh),
    "asin": (UNIT, np.arcsin),
    "asinh": (ANY, np.arcsinh),
    "atan": (ANY, np.arctan),
    "atanh": (UNIT, np.arctanh),
    "cbrt": (ANY, np.cbrt),
    "ceil": (ANY, np.ceil),
    "cos": (ANY, np.cos),
    "cosh": (ANY, np.cosh),
    "cospi": (SMALL, lambda x: np.cos(np.pi * x)),
    "erf": (SMALL, np.vectorize(math.erf)),
    "erfc": (SMALL, np.vectorize(math.erfc)),
    "exp": (ANY, np.exp),
    "exp10": (ANY, lambda x: 10.0**x),
    "exp2": (ANY, np.exp2),
    "expm1": (ANY, np.expm1),
    "fabs": (ANY, np.abs),
    "floor": (ANY, np.floor),
    "lgamma": (POSITIVE, np.vectorize(math.lgamma)),
    "log": (POSITIVE, np.log),
    "log10": (POSITIVE, np.log10),
    "log1p": (POSITIVE, np.log1p),
    "log2": (POSITIVE, np.log2),
    "nearbyint": (ANY, np.rint),
    "normcdf": (SMALL, np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))),
    "rcbrt": (POSITIVE, lambda x: 1 / np.cbrt(x)),
    "rint": (ANY, np.rint),
    "round": (ANY, np.vectorize(lambda x: math.copysign(math.floor(abs(x) + 0.5), x))),
    "rsqrt": (POSITIVE, lambda x: 1 / np.sqrt(x)),
    "sin": (ANY, np.sin),
    "sinh": (ANY, np.sinh),
    "sinpi": (SMALL, lambda x: np.sin(np.pi * x)),
    "sqrt": (POSITIVE, np.sqrt),
    "tan": (ANY, np.tan),
    "tanh": (ANY, np.tanh),
    "tgamma": (np.abs(SMALL) + 0.1, np.vectorize(math.gamma)),
    "trunc": (ANY, np.trunc),
}
BINARY = {
    "atan2": (ANY, ANY_2, np.arctan2),
    "copysign": (ANY, ANY_2, np.copysign),
    "fdim": (ANY, ANY_2, lambda x, y: np.maximum(x - y, 0)),
    "fmax": (ANY, ANY_2, np.fmax),
    "fmin": (ANY, ANY_2, np.fmin),
    "fmod": (ANY, np.abs(ANY_2) + 0.5, np.fmod),
    "hypot": (ANY, ANY_2, np.hypot),
    "pow": (POSITIVE[:400], np.clip(SMALL[:400], -2, 2), np.power),
    "remainder": (ANY, np.abs(ANY_2) + 0.5, np.vectorize(math.remainder)),
}
# Units in the last place, of double and of single precision, and an allowance near zeros of the function.
TOLERANCE = {"float64": (1e-13, 1e-14), "float32": (3e-6, 2e-6)}


def close(got, wanted, dtype):
    relative, absolute = TOLERANCE[np.dtype(dtype).name]
    finite = np.abs(wanted) < np.finfo(dtype).max
    np.testing.assert_allclose(got[finite], wanted[finite], rtol=relative, atol=absolute)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name, dtype):
    arguments, reference = UNARY[name]
    x = arguments.astype(dtype)
    close(evaluate(f"{name}(a)", dtype, x), reference(x.astype("float64")), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name, dtype):
    first, second, reference = BINARY[name]
    x, y = first.astype(dtype), second.astype(dtype)
    close(evaluate(f"{name}(a, b)", dtype, x, y), reference(x.astype("float64"), y.astype("float64")), dtype)


@pytest.mark.parametrize("name", ["sin", "exp", "sqrt", "floor"])
def test_integers_become_doubles(name):
    x = np.arange(1, 50, dtype=np.int32)
    close(evaluate(f"{name}(a)", "f8", x), getattr(np, name)(x.astype("f8")), "f8")


def test_inverse_functions_invert():
    x = np.clip(SMALL, -2, 2)
    np.testing.assert_allclose(evaluate("erfinv(erf(a))", "f8", x), x, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(evaluate("normcdfinv(normcdf(a))", "f8", x), x, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(evaluate("erfcinv(erfc(a))", "f8", x), x, rtol=1e-12, atol=1e-13)


def test_bessel_functions_obey_their_recurrence():
    x = np.linspace(0.5, 12, 100)
    for kind in "jy":
        expression = f"{kind}n(3, a) - (4 / a * {kind}n(2, a) - {kind}1(a))"
        np.testing.assert_allclose(evaluate(expression, "f8", x), 0, atol=1e-11)
        expression = f"{kind}n(2, a) - (2 / a * {kind}1(a) - {kind}0(a))"
        np.testing.assert_allclose(evaluate(expression, "f8", x), 0, atol=1e-11)


def test_several_results():
    x = ANY
    code = """
__device__ double mantissa(double x) { int e; return frexp(x, &e); }
__device__ int exponent(double x) { int e; frexp(x, &e); return e; }
__device__ double fraction(double x) { double whole; return modf(x, &whole); }
__device__ double both(double x) { double s, c; sincos(x, &s, &c); return s * 1000 + c; }
__device__ float bothf(float x) { float s, c; sincosf(x, &s, &c); return s * 1000 + c; }
"""
    wanted = np.frexp(x)
    np.testing.assert_array_equal(evaluate("mantissa(a)", "f8", x, before=code), wanted[0])
    np.testing.assert_array_equal(evaluate("exponent(a)", "i4", x, before=code), wanted[1])
    np.testing.assert_array_equal(evaluate("fraction(a)", "f8", x, before=code), np.modf(x)[0])
    np.testing.assert_allclose(evaluate("both(a)", "f8", x, before=code), np.sin(x) * 1000 + np.cos(x), rtol=1e-11)
    x = x.astype("f4")
    wanted = np.sin(x.astype("f8")) * 1000 + np.cos(x.astype("f8"))
    np.testing.assert_allclose(evaluate("bothf(a)", "f4", x, before=code), wanted, rtol=1e-5, atol=1e-3)


def test_norms():
    x, y, z, w = (RANDOM.uniform(-3, 3, 50) for _ in range(4))
    three, four = np.sqrt(x * x + y * y + z * z), np.sqrt(x * x + y * y + z * z + w * w)
    np.testing.assert_allclose(evaluate("norm3d(a, b, c)", "f8", x, y, z), three, rtol=1e-14)
    np.testing.assert_allclose(evaluate("rnorm3d(a, b, c)", "f8", x, y, z), 1 / three, rtol=1e-14)
    np.testing.assert_allclose(evaluate("norm4d(a, b, c, d)", "f8", x, y, z, w), four, rtol=1e-14)
    np.testing.assert_allclose(evaluate("rnorm4d(a, b, c, d)", "f8", x, y, z, w), 1 / four, rtol=1e-14)


def test_classification():
    x = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 5e-324, 1e-310])
    for name, function in {
        "isnan": np.isnan,
        "isinf": np.isinf,
        "isfinite": np.isfinite,
        "signbit": np.signbit,
        "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= 2.2250738585072014e-308),
    }.items():
        np.testing.assert_array_equal(evaluate(f"{name}(a)", "i4", x).astype(bool), function(x))


@pytest.mark.parametrize("mode", ["rn", "rz", "ru", "rd"])
def test_arithmetic_rounds_as_named(mode):
    x, y = (RANDOM.uniform(-4, 4, 300).astype("f4") for _ in range(2))
    toward = {"rn": 0, "rz": None, "ru": 1, "rd": -1}[mode]
    for name, exact in {"fadd": np.add, "fsub": np.subtract, "fmul": np.multiply}.items():
        got = evaluate(f"__{name}_{mode}(a, b)", "f4", x, y)
        # These are exact in double precision, but for sums of numbers far apart, which there are none of.
        true = exact(x.astype("f8"), y.astype("f8"))
        direction = -np.sign(true) if toward is None else np.full_like(true, toward)
        if toward == 0:
            np.testing.assert_array_equal(got, true.astype("f4"))
            continue
        assert np.all((got.astype("f8") - true) * direction >= 0)
        back = np.nextafter(got, np.where(direction > 0, -np.inf, np.inf).astype("f4")).astype("f8")
        assert np.all((got.astype("f8") == true) | ((back - true) * direction < 0))


def test_conversions_round_as_named():
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 1e30, -1e30, np.nan])
    limits = np.iinfo(np.int32)
    for mode, function in {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}.items():
        wanted = np.clip(np.nan_to_num(function(x), nan=0), limits.min, limits.max).astype("i4")
        # NaN comes to 0 from float, and to the lowest integer from double.
        np.testing.assert_array_equal(evaluate(f"__float2int_{mode}(a)", "i4", x.astype("f4")), wanted)
        np.testing.assert_array_equal(evaluate(f"__double2int_{mode}(a)", "i4", x)[:-1], wanted[:-1])


def test_approximations_are_near():
    x = UNIT.astype("f4")
    for name in ["sinf", "cosf", "expf", "exp10f"]:
        wanted = {"sinf": np.sin, "cosf": np.cos, "expf": np.exp, "exp10f": lambda x: 10.0**x}[name](x.astype("f8"))
        np.testing.assert_allclose(evaluate(f"__{name}(a)", "f4", x), wanted, rtol=1e-5, atol=1e-6)
