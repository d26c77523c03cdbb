"""Numbers as arguments of CUDA C++ kernels: by the arithmetic type that the kernel declares."""

import numpy as np
import pytest

from lanewise import _core

from .kernels import INTEGERS, SCALARS, Colour, Hook, Indexed, Interface, echo, sent


@pytest.mark.parametrize(("type_name", "dtype"), INTEGERS.items())
def test_integers_of_the_whole_range(device, type_name, dtype):
    info = np.iinfo(dtype)
    for value in (0, 1, info.min, info.max):
        assert sent(echo(type_name), value, dtype) == value


@pytest.mark.parametrize(("type_name", "dtype"), INTEGERS.items())
def test_integers_out_of_range_are_refused(device, type_name, dtype):
    info = np.iinfo(dtype)
    for value in (int(info.min) - 1, int(info.max) + 1):
        with pytest.raises(OverflowError) as error:
            sent(echo(type_name), value, dtype)
        text = str(error.value)
        assert text.startswith(f"kernel 'echo', parameter 1 'value' ({type_name}): ")
        assert f"{value} is outside" in text or "an integer of about" in text
        assert text.endswith(f"its range, {info.min} to {info.max}")


def test_an_integer_of_many_digits_is_out_of_range(device):
    with pytest.raises(OverflowError, match="an integer of about 1e\\+30 is outside its range"):
        sent(echo("long long"), 10**30, np.int64)


@pytest.mark.parametrize("scalar", [np.int8(-7), np.uint8(200), np.int64(-7), np.uint64(7), np.bool_(True)])
def test_numpy_integers_go_by_value(device, scalar):
    assert sent(echo("long long"), scalar, np.int64) == int(scalar)
    assert sent(echo("float"), scalar, np.float32) == float(scalar)


def test_numpy_integers_are_checked_for_their_range(device):
    with pytest.raises(OverflowError, match="300 is outside its range, -128 to 127"):
        sent(echo("char"), np.int64(300), np.int8)
    with pytest.raises(OverflowError, match="-1 is outside its range, 0 to 4294967295"):
        sent(echo("unsigned int"), np.int32(-1), np.uint32)
    assert sent(echo("unsigned long long"), np.uint64(2**64 - 1), np.uint64) == 2**64 - 1


@pytest.mark.parametrize("value", [True, False, np.True_, 1, 0])
def test_bool_takes_truth_values(device, value):
    assert sent(echo("bool"), value, bool) == bool(value)
    assert sent(echo("int"), value, np.int32) == int(value)


def test_bool_takes_no_other_numbers(device):
    with pytest.raises(OverflowError, match="2 is outside its range, 0 to 1"):
        sent(echo("bool"), 2, bool)


@pytest.mark.parametrize("value", [1.0, np.float32(1), np.float64(2.5), 1j, np.complex64(1)])
@pytest.mark.parametrize("type_name", ["int", "bool", "unsigned long long"])
def test_floats_do_not_become_integers(device, type_name, value):
    with pytest.raises(TypeError, match=r"kernel 'echo', parameter 1 'value' \(.*\): the (float|complex number)"):
        sent(echo(type_name), value, SCALARS[type_name])


def test_enumerators_hooks_and_index_stand_for_their_value(device):
    assert sent(echo("int"), Colour.RED, np.int32) == 3
    assert sent(echo("int"), Hook(Hook(4)), np.int32) == 4
    assert sent(echo("int"), Indexed(5), np.int32) == 5
    assert sent(echo("Mode"), 7, np.int32) == 7


def test_a_hook_that_gives_itself_is_refused(device):
    hook = Hook(None)
    hook.value = hook
    with pytest.raises(TypeError, match="without end"):
        sent(echo("int"), hook, np.int32)


@pytest.mark.parametrize(
    "value", [0.1, -0.0, 1e300, float("inf"), float("nan"), 3, 2**53 + 1, 2**63, -(2**70), np.float16(0.1), 1e-45]
)
@pytest.mark.parametrize(("type_name", "dtype"), [("float", np.float32), ("double", np.float64)])
def test_floats_convert_as_in_c(device, type_name, dtype, value):
    with np.errstate(over="ignore", under="ignore"):
        expected = dtype(float(value))
    np.testing.assert_array_equal(sent(echo(type_name), value, dtype), expected)
    assert np.signbit(sent(echo(type_name), value, dtype)) == np.signbit(expected)


def test_an_int_beyond_all_doubles_is_refused(device):
    with pytest.raises(OverflowError, match=r"kernel 'echo', parameter 1 'value' \(double\): int too large"):
        sent(echo("double"), 10**400, np.float64)


@pytest.mark.parametrize(
    "value",
    [0.1, 1, -2.5, 65504, 65519.999, 65520.0, 1e9, 6e-8, 2.98e-8, 2.99e-8, float("nan"), float("-inf"), 1.0009765625],
)
def test_half_takes_floats_rounded_once(device, value):
    with np.errstate(over="ignore", under="ignore"):
        expected = np.float64(value).astype(np.float16)
    got = sent(echo("__half", include="#include <cuda_fp16.h>\n"), value, np.float16)
    np.testing.assert_array_equal(got, expected)


def test_half_takes_numpy_halves(device):
    kernel = echo("__half", include="#include <cuda_fp16.h>\n")
    assert sent(kernel, np.float16(0.1), np.float16) == np.float16(0.1)


@pytest.mark.parametrize("value", [0.1, 1, 3.3895e38, 1e39, float("nan"), -1e-40, 1.00390625, 1.01171875])
def test_bfloat16_takes_floats(device, value):
    bits = int(sent(echo("__nv_bfloat16", include="#include <cuda_bf16.h>\n"), value, np.uint16))
    got = np.array([bits << 16], np.uint32).view(np.float32)[0]
    if np.isnan(value):
        assert np.isnan(got)
        return
    # Eight bits of significand: the nearest of the neighbours in float64.
    exponent = max(int(np.floor(np.log2(abs(value)))), -126)
    unit = 2.0 ** (exponent - 7)
    nearest = np.round(value / unit) * unit
    assert got == (np.inf if nearest > 3.3895313892515355e38 else nearest)


@pytest.mark.parametrize("value", ["1", b"1", [1], (1,), {}, None, object()])
@pytest.mark.parametrize("type_name", ["int", "float"])
def test_other_objects_are_no_numbers(device, type_name, value):
    with pytest.raises(TypeError, match=r"parameter 1 'value' \(\w+\): expected a number, got an object of type"):
        sent(echo(type_name), value, np.int32)


@pytest.mark.parametrize("make", [lambda a: a, _core.Array.from_host, lambda a: Interface(_core.Array.from_host(a))])
def test_an_array_is_no_number(device, make):
    with pytest.raises(TypeError, match=r"passed by value, but a .* was given; pass an element of it"):
        sent(echo("float"), make(np.ones(1, np.float32)), np.float32)
