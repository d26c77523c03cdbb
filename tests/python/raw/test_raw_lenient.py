"""The lenient packing of arguments, and packing for kernels whose parameter types are unknown."""

import numpy as np
import pytest

from lanewise import _core

from .kernels import add_one, echo, sent


def test_lenient_pointers_take_any_array(device):
    x = _core.Array.from_host(np.zeros(4, np.float64))
    add_one("float", lenient=True)(1, 1, (x, 8))
    assert (x.to_host().view(np.float32) == 1).all()
    read_only = _core.Array.from_host(np.zeros(1, np.float32)).broadcast_to((3,))
    add_one("float", lenient=True)(1, 1, (read_only, 1))


def test_lenient_numpy_scalars_go_by_their_bytes_when_sizes_agree(device):
    value = np.float32(1.5)
    assert sent(echo("int", lenient=True), value, np.int32) == value.view(np.int32)
    assert sent(echo("unsigned int", lenient=True), np.int32(-1), np.uint32) == 2**32 - 1


def test_lenient_numpy_scalars_of_another_size_go_by_value(device):
    assert sent(echo("int", lenient=True), np.float64(-2.75), np.int32) == -2
    assert sent(echo("float", lenient=True), np.int64(7), np.float32) == 7
    assert sent(echo("double", lenient=True), np.float32(1.5), np.float64) == 1.5


def test_lenient_integers_wrap_within_their_width(device):
    assert sent(echo("int", lenient=True), 2**32 - 1, np.int32) == -1
    assert sent(echo("unsigned char", lenient=True), -1, np.uint8) == 255
    with pytest.raises(OverflowError, match="4294967296 is outside its range"):
        sent(echo("int", lenient=True), 2**32, np.int32)
    with pytest.raises(TypeError, match="does not convert"):
        sent(echo("int", lenient=True), 1.5, np.int32)


PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u32 a, .param .f64 b, .param .u64 out, .param .align 8 .b8 c[12], .param .u16 d)
{
    .reg .b32 %r<4>; .reg .b64 %l<3>; .reg .f64 %f; .reg .b16 %h;
    ld.param.u64 %l0, [out]; cvta.to.global.u64 %l1, %l0;
    ld.param.u32 %r0, [a]; st.global.u32 [%l1], %r0;
    ld.param.f64 %f, [b]; st.global.f64 [%l1+8], %f;
    ld.param.u32 %r1, [c]; st.global.u32 [%l1+16], %r1;
    ld.param.u32 %r2, [c+8]; st.global.u32 [%l1+20], %r2;
    ld.param.u16 %h, [d]; st.global.u16 [%l1+24], %h;
    ret;
}
"""
STORED = np.dtype([("a", "i4"), ("_", "i4"), ("b", "f8"), ("c0", "i4"), ("c2", "i4"), ("d", "i2"), ("__", "i2", 3)])


@pytest.fixture
def store(gpu):
    kernel = _core.RawModule(image=PTX.encode()).get_function("store")

    def run(a, b, c, d, wrap=lambda x: x):
        out = _core.Array.from_host(np.zeros(1, STORED).view(np.uint8))
        kernel(1, 1, (a, b, wrap(out), c, d))
        return out.to_host().view(STORED)[0]

    run.kernel = kernel
    return run


def test_sizes_alone_decide_for_parameters_without_types(store):
    three = np.array([1, 2, 3], np.int32)
    got = store(-5, 2.5, three, 7)
    assert (got["a"], got["b"], got["c0"], got["c2"], got["d"]) == (-5, 2.5, 1, 3, 7)
    got = store(np.float32(1.5), np.int64(-1), bytes(three), np.uint16(65535), wrap=lambda x: x.buffer)
    assert (got["a"], got["c2"], got["d"]) == (np.float32(1.5).view(np.int32), 3, -1)
    assert np.isnan(got["b"])
    got = store(2**32 - 1, 1, three, -1, wrap=lambda x: x.pointer)
    assert (got["a"], got["d"]) == (-1, -1)
    assert got["b"] == np.int64(1).view(np.float64)
    assert store(1.5, 0.5, three, True)["a"] == np.float32(1.5).view(np.int32)
    assert store(True, None, three, 0)["a"] == 1


def test_refusals_of_parameters_without_types(store):
    three = bytes(12)
    with pytest.raises(OverflowError, match=r"kernel 'store', parameter 1 \(4 bytes\): 4294967296 is outside"):
        store(2**32, 1.0, three, 1)
    with pytest.raises(
        TypeError, match=r"parameter 5 \(2 bytes\): its type is not known, and a float does not go into 2"
    ):
        store(1, 1.0, three, 1.5)
    with pytest.raises(TypeError, match=r"parameter 4 \(12 bytes\): the bytes has 8 bytes, the parameter has 12"):
        store(1, 1.0, bytes(8), 1)
    with pytest.raises(
        TypeError, match=r"takes 5 arguments \(4 bytes, 8 bytes, 8 bytes, 12 bytes, 2 bytes\), but 1 was"
    ):
        store.kernel(1, 1, (1,))
    assert store.kernel.parameters == (("", ""),) * 5
