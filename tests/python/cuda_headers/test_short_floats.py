"""Half precision against NumPy's float16, and bfloat16 against the definition of rounding."""

import numpy as np
import pytest

from .evaluate import evaluate

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore::RuntimeWarning")]

HALF = "#include <cuda_fp16.h>\n"
BFLOAT = "#include <cuda_bf16.h>\n"
ALL = np.arange(65536, dtype=np.uint16)
INCLUDES = {"half": HALF, "bfloat16": BFLOAT}


def numbers():
    """Floats over the range of half precision and past it, ties and neighbours of halves among them."""
    random = np.random.default_rng(3)
    halves = ALL.view(np.float16).astype(np.float32)
    halves = halves[np.isfinite(halves)]
    ties = (halves[:-1] + halves[1:]) / 2
    near = np.nextafter(ties, np.float32(np.inf))
    spread = np.exp(random.uniform(-40, 40, 20000)).astype(np.float32) * random.choice([-1, 1], 20000)
    return np.concatenate([halves, ties, near, spread]).astype(np.float32)


def bfloat_value(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def bfloat_nearest(x):
    bits = x.astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(x), 0x7FFF, rounded).astype(np.uint16)


def canonical(bits, infinity):
    return np.where((bits & 0x7FFF) > infinity, 0x7FFF, bits)


def test_each_half_is_the_float_that_numpy_says():
    got = evaluate("__half2float(__ushort_as_half(a))", "f4", ALL, before=HALF)
    np.testing.assert_array_equal(got, ALL.view(np.float16).astype(np.float32))


def test_each_bfloat16_is_the_upper_half_of_its_float():
    got = evaluate("__bfloat162float(__ushort_as_bfloat16(a))", "f4", ALL, before=BFLOAT)
    np.testing.assert_array_equal(got, bfloat_value(ALL))


def test_floats_round_to_the_nearest():
    x = numbers()
    got = evaluate("__half_as_ushort(__float2half(a))", "u2", x, before=HALF)
    np.testing.assert_array_equal(canonical(got, 0x7C00), canonical(x.astype(np.float16).view(np.uint16), 0x7C00))
    got = evaluate("__bfloat16_as_ushort(__float2bfloat16(a))", "u2", x, before=BFLOAT)
    np.testing.assert_array_equal(got, bfloat_nearest(x))


def test_doubles_are_rounded_once():
    halves = ALL[:0x7BFF].view(np.float16).astype(np.float64)
    ties = (halves[:-1] + halves[1:]) / 2
    x = np.concatenate([ties, np.nextafter(ties, 0), np.nextafter(ties, np.inf), -ties, [1e300, -1e-300, np.inf]])
    got = evaluate("__half_as_ushort(__double2half(a))", "u2", x, before=HALF)
    np.testing.assert_array_equal(got, x.astype(np.float16).view(np.uint16))


@pytest.mark.parametrize("name, value", [("half", lambda b: b.view(np.float16)), ("bfloat16", bfloat_value)])
@pytest.mark.parametrize("mode", ["rz", "ru", "rd"])
def test_directed_rounding_gives_the_neighbour_in_that_direction(name, value, mode):
    x = numbers()
    got = evaluate(f"__{name}_as_ushort(__float2{name}_{mode}(a))", "u2", x, before=INCLUDES[name])
    exact, rounded = x.astype(np.float64), value(got).astype(np.float64)
    toward = {"rz": np.where(x > 0, -1, 1), "ru": np.ones_like(x), "rd": -np.ones_like(x)}[mode]
    assert np.all((rounded - exact) * toward >= 0)
    # The next number back is on the other side, or the number is met.
    order = np.where(got >> 15, -(got.astype(np.int64) & 0x7FFF), got.astype(np.int64)) - toward.astype(np.int64)
    back = value(np.where(order < 0, 0x8000 - order, order).astype(np.uint16)).astype(np.float64)
    assert np.all((rounded == exact) | ((back - exact) * toward < 0))


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
def test_half_arithmetic_is_numpys(operator):
    random = np.random.default_rng(5)
    x, y = (random.integers(0, 65536, 50000).astype(np.uint16) for _ in range(2))
    # No contraction is possible in a single operation.
    got = evaluate(f"__half_as_ushort(__ushort_as_half(a) {operator} __ushort_as_half(b))", "u2", x, y, before=HALF)
    wanted = eval(f"x {operator} y", {"x": x.view(np.float16), "y": y.view(np.float16)})
    np.testing.assert_array_equal(canonical(got, 0x7C00), canonical(wanted.view(np.uint16), 0x7C00))


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
def test_bfloat16_arithmetic_rounds_the_float_result(operator):
    random = np.random.default_rng(6)
    x, y = (random.integers(0, 65536, 50000).astype(np.uint16) for _ in range(2))
    got = evaluate(
        f"__bfloat16_as_ushort(__ushort_as_bfloat16(a) {operator} __ushort_as_bfloat16(b))", "u2", x, y, before=BFLOAT
    )
    wanted = eval(f"x {operator} y", {"x": bfloat_value(x), "y": bfloat_value(y)})
    np.testing.assert_array_equal(canonical(got, 0x7F80), bfloat_nearest(wanted))


@pytest.mark.parametrize("name", ["half", "bfloat16"])
def test_pairs_compute_as_their_elements_do(name):
    random = np.random.default_rng(7)
    x, y = (random.integers(0, 2**32, 20000).astype(np.uint32) for _ in range(2))
    pair = f"__{'half2' if name == 'half' else 'nv_bfloat162'}"
    union = f"union U {{ unsigned u; {pair} v; __device__ U() {{}} }};\n"
    code = (
        INCLUDES[name] + union + f"__device__ {pair} p(unsigned u) {{ U x; x.u = u; return x.v; }}\n"
        f"__device__ unsigned w({pair} v) {{ U x; x.v = v; return x.u; }}\n"
    )
    packed = evaluate("w(p(a) * p(b) )", "u4", x, y, before=code)
    for shift in (0, 16):
        single = evaluate(
            f"__{name}_as_ushort(__ushort_as_{name}(a) * __ushort_as_{name}(b))",
            "u2",
            (x >> shift).astype(np.uint16),
            (y >> shift).astype(np.uint16),
            before=INCLUDES[name],
        )
        infinity = 0x7C00 if name == "half" else 0x7F80
        np.testing.assert_array_equal(
            canonical((packed >> shift).astype(np.uint16), infinity), canonical(single, infinity)
        )


@pytest.mark.parametrize("text, function", [("<", np.less), (">=", np.greater_equal), ("==", np.equal)])
def test_comparisons_with_nan_are_false(text, function):
    random = np.random.default_rng(8)
    x, y = (random.choice([0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0x7E00, 1], 500).astype(np.uint16) for _ in range(2))
    got = evaluate(f"__ushort_as_half(a) {text} __ushort_as_half(b)", "i4", x, y, before=HALF)
    np.testing.assert_array_equal(got.astype(bool), function(x.view(np.float16), y.view(np.float16)))


def test_extremes_prefer_numbers_to_nan():
    edges = np.array([0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00], np.uint16)
    x, y = np.repeat(edges, len(edges)), np.tile(edges, len(edges))
    a, b = x.view(np.float16), y.view(np.float16)
    for name, function in {"min": np.fmin, "max": np.fmax}.items():
        got = evaluate(
            f"__half_as_ushort(__h{name}(__ushort_as_half(a), __ushort_as_half(b)))", "u2", x, y, before=HALF
        )
        np.testing.assert_array_equal(got.view(np.float16), function(a, b))
        got = evaluate(
            f"__half_as_ushort(__h{name}_nan(__ushort_as_half(a), __ushort_as_half(b)))", "u2", x, y, before=HALF
        )
        np.testing.assert_array_equal(np.isnan(got.view(np.float16)), np.isnan(a) | np.isnan(b))


@pytest.mark.parametrize("name, infinity", [("half", 0x7C00), ("bfloat16", 0x7F80)])
def test_integers_convert_with_one_rounding(name, infinity):
    random = np.random.default_rng(9)
    x = np.concatenate([random.integers(-(2**63), 2**63, 2000), random.integers(-70000, 70000, 2000), [2**63 - 1, 0]])
    got = evaluate(f"__{name}_as_ushort(__ll2{name}_rn(a))", "u2", x, before=INCLUDES[name])
    value = got.view(np.float16).astype(np.float64) if name == "half" else bfloat_value(got).astype(np.float64)
    for integer, rounded, bits in zip(x.tolist(), value.tolist(), got.tolist(), strict=True):
        magnitude = bits & 0x7FFF
        if magnitude == infinity:
            assert abs(integer) >= 65520
            continue
        around = np.array([max(magnitude - 1, 0), min(magnitude + 1, infinity - 1)], np.uint16)
        near = around.view(np.float16).astype(float) if name == "half" else bfloat_value(around).astype(float)
        error = abs(abs(integer) - int(abs(rounded)))
        assert all(error <= abs(abs(integer) - int(other)) for other in near)


def test_conversion_to_integers_rounds_as_named():
    x = np.array([0x3E00, 0x4100, 0x3800, 0xBE00, 0xC100, 0x7BFF, 0x7E00, 0x7C00, 0xFC00], np.uint16)
    value = x.view(np.float16).astype(np.float64)
    limits = np.iinfo(np.int16)
    for mode, function in {"rn": np.rint, "rz": np.trunc, "ru": np.ceil, "rd": np.floor}.items():
        got = evaluate(f"__half2short_{mode}(__ushort_as_half(a))", "i2", x, before=HALF)
        wanted = np.nan_to_num(np.clip(function(value), limits.min, limits.max), nan=0)
        np.testing.assert_array_equal(got, wanted.astype(np.int16))
