"""The 8-bit floating-point formats against their definition: values of codes, and the nearest code of each number."""

import numpy as np
import pytest

from .evaluate import evaluate

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore::RuntimeWarning")]

BEFORE = "#include <cuda_fp8.h>\n"
# Bits of exponent and of fraction, and the code of the largest number.
FORMATS = {"E4M3": (4, 3, 0x7E), "E5M2": (5, 2, 0x7B)}


def values(name):
    """The number of each code from 0 to the largest."""
    exponent_bits, fraction_bits, largest = FORMATS[name]
    codes = np.arange(largest + 1)
    exponent, fraction = codes >> fraction_bits, codes & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    normal = (1 + fraction / 2**fraction_bits) * 2.0 ** (exponent - bias)
    return np.where(exponent == 0, fraction / 2**fraction_bits * 2.0 ** (1 - bias), normal)


@pytest.mark.parametrize("name", FORMATS)
def test_codes_are_their_numbers(name):
    codes = np.arange(256, dtype=np.uint8)
    got = evaluate(
        "value(a)",
        "f4",
        codes,
        before=BEFORE
        + f"__device__ float value(unsigned char c) {{ __nv_fp8_{name.lower()} q; q.__x = c; return float(q); }}\n",
    )
    number = values(name)
    np.testing.assert_array_equal(got[: number.size], number)
    np.testing.assert_array_equal(got[128 : 128 + number.size], -number)
    if name == "E5M2":
        np.testing.assert_array_equal(got[[0x7C, 0xFC]], [np.inf, -np.inf])
    assert np.all(np.isnan(got[[0x7F, 0xFF]]))


@pytest.mark.parametrize("source", ["float", "double"])
@pytest.mark.parametrize("saturation", ["SATFINITE", "NOSAT"])
@pytest.mark.parametrize("name", FORMATS)
def test_numbers_round_to_the_nearest_code(name, saturation, source):
    number, largest = values(name), FORMATS[name][2]
    dtype = {"float": "f4", "double": "f8"}[source]
    ties = ((number[:-1] + number[1:]) / 2).astype(dtype)
    zero, infinity = np.array(0, dtype), np.array(np.inf, dtype)
    spread = np.exp(np.random.default_rng(17).uniform(-25, 13, 3000)).astype(dtype)
    x = np.concatenate([number.astype(dtype), ties, np.nextafter(ties, zero), np.nextafter(ties, infinity), spread])
    got = evaluate(f"__nv_cvt_{source}_to_fp8(a, __NV_{saturation}, __NV_{name})", "u1", x, before=BEFORE)
    # The number after the largest, were there one, bounds what rounds to the largest.
    extended = np.append(number, 2 * number[-1] - number[-2])
    upper = np.clip(np.searchsorted(extended, x.astype("f8")), 1, extended.size - 1)
    below, above = x.astype("f8") - extended[upper - 1], extended[upper] - x.astype("f8")
    wanted = np.where((below < above) | ((below == above) & (upper % 2 == 1)), upper - 1, upper)
    wanted = np.where(x == 0, 0, wanted)
    overflow = largest if saturation == "SATFINITE" else {"E4M3": 0x7F, "E5M2": 0x7C}[name]
    wanted = np.where(wanted > largest, overflow, wanted)
    np.testing.assert_array_equal(got, wanted)
    got = evaluate(f"__nv_cvt_{source}_to_fp8(-a, __NV_{saturation}, __NV_{name})", "u1", x, before=BEFORE)
    np.testing.assert_array_equal(got, wanted | 0x80)


@pytest.mark.parametrize("name", FORMATS)
def test_infinities_and_nan(name):
    x = np.array([np.inf, -np.inf, np.nan], np.float32)
    got = evaluate(f"__nv_cvt_float_to_fp8(a, __NV_SATFINITE, __NV_{name})", "u1", x, before=BEFORE)
    largest = FORMATS[name][2]
    np.testing.assert_array_equal(got, [largest, largest | 0x80, 0x7F])
    got = evaluate(f"__nv_cvt_float_to_fp8(a, __NV_NOSAT, __NV_{name})", "u1", x, before=BEFORE)
    overflow = {"E4M3": 0x7F, "E5M2": 0x7C}[name]
    np.testing.assert_array_equal(got, [overflow, overflow | 0x80, 0x7F])
