"""Classes and vectors of CUDA C++ by value."""

import ctypes

import numpy as np
import pytest

from lanewise import RawKernel, _core

from .kernels import PARTICLE, echo, sent


@pytest.mark.parametrize("value", [1 + 2j, np.complex64(1 + 2j), np.complex128(1 + 2j)])
@pytest.mark.parametrize(
    ("type_name", "dtype"),
    [("cuFloatComplex", "c8"), ("cuComplex", "c8"), ("cuDoubleComplex", "c16"), ("float2", "c8"), ("double2", "c16")],
)
def test_complex_numbers_become_pairs(device, type_name, dtype, value):
    include = "#include <cuComplex.h>\n" if type_name.startswith("cu") else ""
    assert sent(echo(type_name, include=include), value, dtype) == 1 + 2j


@pytest.mark.parametrize("make", [tuple, list, np.array, lambda v: np.array(v, np.int64), lambda v: np.array(v, "f4")])
@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_vectors_take_their_elements(device, lanes, make):
    numbers = [1.5, -2.0, 3.0, 4.0][:lanes]
    given = make(numbers)
    expected = np.array(given, np.float32)
    got = sent(echo(f"float{lanes}"), given, np.dtype([("v", "f4", lanes)]))
    np.testing.assert_array_equal(got["v"], expected)


def test_vectors_of_integers_are_checked_for_their_range(device):
    got = sent(echo("uchar4"), (1, 2, 3, 255), np.dtype([("v", "u1", 4)]))
    assert list(got["v"]) == [1, 2, 3, 255]
    with pytest.raises(OverflowError, match=r"parameter 1 'value' \(uchar4\): 256 is outside its range, 0 to 255"):
        sent(echo("uchar4"), (1, 2, 3, 256), np.uint32)
    with pytest.raises(TypeError, match="the float 0.5 does not convert to int32"):
        sent(echo("int2"), (1, 0.5), np.int64)


def test_dim3_takes_its_extents(device):
    assert list(sent(echo("dim3"), (1, 2, 3), np.dtype([("v", "u4", 3)]))["v"]) == [1, 2, 3]
    with pytest.raises(OverflowError, match="-1 is outside its range"):
        sent(echo("dim3"), (-1, 2, 3), np.dtype([("v", "u4", 3)]))


def test_vectors_refuse_a_wrong_number_of_elements(device):
    with pytest.raises(TypeError, match="float4 has 4 elements, but 3 were given"):
        sent(echo("float4"), (1, 2, 3), np.complex128)


class CParticle(ctypes.Structure):
    _fields_ = [("mass", ctypes.c_float), ("position", ctypes.c_double * 3)]  # noqa: RUF012


def test_classes_take_records_by_their_bytes(device):
    record = np.array([(1.5, (1, 2, 3))], PARTICLE)
    for value in (
        record,
        record[0],
        record.reshape(()),
        bytes(record),
        CParticle(1.5, (1.0, 2.0, 3.0)),
        memoryview(record),
    ):
        got = sent(echo("Particle"), value, PARTICLE)
        assert got["mass"] == 1.5
        assert list(got["position"]) == [1, 2, 3]


def test_classes_refuse_another_size_with_both(device):
    with pytest.raises(
        TypeError, match=r"parameter 1 'value' \(Particle\): the numpy.ndarray has 28 bytes, Particle has 32"
    ):
        sent(echo("Particle"), np.zeros(7, np.float32), PARTICLE)


@pytest.mark.parametrize("value", [1, 1.0, None, "text", (1, 2)])
def test_classes_refuse_what_has_no_bytes(device, value):
    with pytest.raises(TypeError, match="Particle is passed by value, as 32 bytes"):
        sent(echo("Particle"), value, PARTICLE)


def test_alignment_of_every_kind(device):
    code = """
    struct __align__(32) Wide { double v[4]; };
    struct Large { double v[200]; };
    extern "C" __global__ void mixed(char c, Wide w, float4 f, short s, double3 d, Large l, char last, double *out) {
        out[0] = c; out[1] = w.v[0] + w.v[3]; out[2] = f.x + 10 * f.y + 100 * f.z + 1000 * f.w; out[3] = s;
        out[4] = d.x + 10 * d.y + 100 * d.z; out[5] = l.v[0] + l.v[199]; out[6] = last;
    }
    """
    out = _core.Array.empty(7, np.float64)
    large = np.arange(200.0)
    kernel = RawKernel(code, "mixed")
    kernel(1, 1, (-3, np.array([1.0, 2, 3, 4]), (1, 2, 3, 4), -5, (1, 2, 3), large, 9, out))
    assert list(out.to_host()) == [-3, 5, 4321, -5, 321, 199, 9]
    # GPUs place what asks for more than 16 bytes by addresses that no offset shows.
    offsets = [offset for offset, _ in kernel.parameter_layout]
    assert all(offset % align == 0 for offset, align in zip(offsets, [1, 16, 16, 2, 8, 8, 1, 8], strict=True))
