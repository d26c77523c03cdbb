"""The types a user writes: spelling, equality, signatures, and what a kernel sees of a value."""

import numpy as np
import pytest

from lanewise.cuda import types
from lanewise.cuda.core_types import from_core, normalize_signature, to_core
from lanewise.cuda.types import Array, Signature, UniTuple, float32, float64, int32, int64, uint64, void


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (np.s_[:], "array(float32, 1d, A)"),
        (np.s_[::1], "array(float32, 1d, C)"),
        (np.s_[:, :], "array(float32, 2d, A)"),
        (np.s_[:, ::1], "array(float32, 2d, C)"),
        (np.s_[::1, :], "array(float32, 2d, F)"),
        (np.s_[:, :, ::1], "array(float32, 3d, C)"),
    ],
)
def test_indexing_a_type_makes_an_array_type(index, expected):
    assert str(float32[index]) == expected


@pytest.mark.parametrize("index", [3, np.s_[1:], np.s_[::2], np.s_[::1, ::1], np.s_[:, ::1, :]])
def test_indexing_a_type_refuses_other_indices(index):
    with pytest.raises(KeyError):
        float32[index]


def test_calling_a_type_with_types_makes_a_signature():
    signature = void(float32[:], int64)
    assert signature == Signature(void, (float32[:], int64))
    assert repr(signature) == "(array(float32, 1d, A), int64) -> none"


def test_calling_a_scalar_type_with_a_value_casts_as_numpy():
    assert float32(0.1) == np.float32(0.1)
    assert isinstance(int32(3.7), np.int32) and int32(3.7) == 3
    assert types.uint8(300) == 44


@pytest.mark.parametrize(
    ("text", "arguments", "result"),
    [
        ("void(float32[:], int64)", (float32[:], int64), void),
        ("(float32[:, ::1], int32)", (float32[:, ::1], int32), None),
        ("float64(float64, float64)", (float64, float64), float64),
        ("void(UniTuple(int64, 2))", (UniTuple(int64, 2),), void),
        ("void(f4, i8, uint64)", (float32, int64, uint64), void),
        ("void()", (), void),
    ],
)
def test_signature_text(text, arguments, result):
    assert normalize_signature(text) == (arguments, result)


@pytest.mark.parametrize("text", ["void(float33)", "void(float32[:]", "3", "import os"])
def test_signature_text_that_cannot_be_read(text):
    with pytest.raises(TypeError, match="signature"):
        normalize_signature(text)


@pytest.mark.parametrize("signature", [3, (float32, "int32"), [float32]])
def test_what_is_no_signature(signature):
    with pytest.raises(TypeError, match="signature"):
        normalize_signature(signature)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "bool"),
        (np.bool_(False), "bool"),
        (3, "int64"),
        (2**63 - 1, "int64"),
        (2**63, "uint64"),
        (1.5, "float64"),
        (1j, "complex128"),
        (np.float32(1), "float32"),
        (np.int8(1), "int8"),
        ((1, 2), "UniTuple(int64 x 2)"),
        ((1, 2.0), "Tuple(int64, float64)"),
        (None, "none"),
        (np.zeros(3), "array(float64, 1d, C)"),
        (np.zeros((3, 4), np.int16, order="F"), "array(int16, 2d, F)"),
        (np.zeros((3, 4))[:, ::2], "array(float64, 2d, A)"),
        (np.zeros((1, 5), order="F"), "array(float64, 2d, C)"),
        (np.broadcast_to(np.zeros(1), (4, 3)), "Array(float64, 2d, A, readonly)"),
    ],
)
def test_typeof(value, expected):
    assert str(types.typeof(value)) == expected


def test_typeof_device_arrays(device):
    from lanewise import cuda

    array = cuda.device_array((4, 6), np.int32)
    assert types.typeof(array) == int32[:, ::1]
    assert types.typeof(array.T) == int32[::1, :]
    assert types.typeof(array[:, ::2]) == int32[:, :]


def test_typeof_refuses():
    with pytest.raises(ValueError, match="too large"):
        types.typeof(2**64)
    with pytest.raises(ValueError, match="object"):
        types.typeof(object())
    with pytest.raises(NotImplementedError, match="datetime64"):
        types.typeof(np.zeros(2, "M8[s]"))


@pytest.mark.parametrize(
    "ty",
    [
        *types.SCALARS.values(),
        void,
        float32[:],
        float64[:, ::1],
        int32[::1, :, :],
        Array(uint64, 2, "C", readonly=True),
        UniTuple(int64, 3),
        types.Tuple((int64, float32[:])),
    ],
    ids=str,
)
def test_types_survive_the_way_through_the_core(ty):
    assert from_core(to_core(ty)) == ty
    assert types.from_name(str(ty)) == ty


def test_equality_and_hashing_go_by_name():
    assert float32[:] == types.Array(float32, 1, "A")
    assert len({float32[:], types.Array(float32, 1, "A"), float32[::1]}) == 2
    assert float32 != "float32"


def test_numpy_names():
    assert types.from_dtype(np.float32) is float32
    assert types.as_dtype(float32) == np.dtype("float32")
    assert types.as_dtype(np.int8) == np.dtype("int8")
    assert types.intp is int64 and types.double is float64 and types.uintc is types.uint32
