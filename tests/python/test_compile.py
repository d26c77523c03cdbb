"""Compiling without launching and without a GPU."""

import pytest

from lanewise import cuda
from lanewise.cuda import float32, float64, int32, int64, void


def add(a, b):
    return a + b


def fill(x, value):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = value


def test_compile_ptx_of_a_kernel():
    ptx, result = cuda.compile_ptx(fill, (float32[:], float32))
    assert ".visible .entry" in ptx and ".target sm_75" in ptx
    assert "fill" in ptx
    assert result == void


def test_compile_ptx_takes_signatures():
    for signature in ("void(float32[:], float32)", void(float32[:], float32)):
        assert ".entry" in cuda.compile_ptx(fill, signature)[0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [((int32, int32), int64), ((float32, float32), float32), ((float32, int32), float64)],
    ids=str,
)
def test_compile_gives_the_result_type(arguments, expected):
    ptx, result = cuda.compile(add, arguments)
    assert result == expected
    assert ".visible .func" in ptx and ".entry" not in ptx


def test_compile_for_a_capability():
    assert ".target sm_90" in cuda.compile(add, (float32, float32), cc=(9, 0))[0]
    assert ".target sm_80" in cuda.compile_ptx(fill, (float32[:], float32), cc=(8, 0))[0]


def test_compile_for_the_current_device(device):
    major, minor = cuda.get_current_device().compute_capability
    ptx, _ = cuda.compile_ptx_for_current_device(fill, (float32[:], float32))
    assert f".target sm_{major}{minor}" in ptx
    assert f".target sm_{major}{minor}" in cuda.compile_for_current_device(add, (int32, int32))[0]


def test_the_symbol_can_be_chosen():
    ptx, _ = cuda.compile(add, (float32, float32), abi_info={"abi_name": "my_add"})
    assert ".func  (" in ptx and "my_add(" in ptx


def test_kernels_and_device_functions_are_taken_too():
    assert ".entry" in cuda.compile_ptx(cuda.jit(fill), (float32[:], float32))[0]
    assert cuda.compile(cuda.jit(device=True)(add), (float32, float32))[1] == float32


def test_line_information():
    assert ".loc" in cuda.compile_ptx(fill, (float32[:], float32), lineinfo=True)[0]
    assert ".loc" not in cuda.compile_ptx(fill, (float32[:], float32))[0]


def test_fastmath():
    def divide(a, b):
        return a / b

    assert "div.approx" in cuda.compile(divide, (float32, float32), fastmath=True)[0]
    assert "div.rn" in cuda.compile(divide, (float32, float32))[0]


@pytest.mark.parametrize(
    ("options", "expected", "text"),
    [
        ({"output": "cubin"}, NotImplementedError, "cubin"),
        ({"output": "ltoir"}, NotImplementedError, "output='ptx'"),
        ({"abi": "fortran"}, NotImplementedError, "fortran"),
        ({"abi": "c", "device": False}, NotImplementedError, "C ABI is not supported for kernels"),
        ({"abi": "numba"}, NotImplementedError, "abi='c'"),
        ({"forceinline": True}, ValueError, "LTO-IR"),
    ],
    ids=str,
)
def test_refusals(options, expected, text):
    with pytest.raises(expected, match=text):
        cuda.compile(add, (float32, float32), **options)


def test_kernels_return_nothing():
    with pytest.raises(TypeError, match="void return type"):
        cuda.compile_ptx(fill, "int32(float32[:], float32)")


def test_result_that_differs_from_the_signature():
    with pytest.raises(TypeError, match="returns int64, not int32"):
        cuda.compile(add, "int32(int32, int32)")
