"""tvm-ffi, which calls by the C exchange table of the arrays it is given. Runs where it is installed."""

import gc

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core

tvm_ffi = pytest.importorskip("tvm_ffi")

pytestmark = pytest.mark.skipif(
    not hasattr(tvm_ffi, "from_dlpack"), reason="this tvm-ffi takes no arrays of other libraries"
)


@pytest.fixture
def host_device():
    before = _core.set_current_device(_core.device("cpu"))
    yield
    _core.set_current_device(before)


@pytest.fixture
def echo():
    return tvm_ffi.get_global_func("testing.echo")


@pytest.mark.parametrize("view", [lambda x: x, lambda x: x.T, lambda x: x[1:, ::2], lambda x: x[:0], lambda x: x[1, 2]])
def test_arrays_are_taken_and_come_back_as_ours(host_device, echo, view):
    x = view(lw.arange(20.0).reshape(4, 5))
    again = echo(x)
    assert type(again) is lw.ndarray and again.shape == x.shape
    np.testing.assert_array_equal(again.get(), x.get())
    if x.size:
        assert again.pointer == x.pointer


def test_pending_arrays_are_computed(host_device, echo):
    for size in (10, 1_000_000):
        assert float(echo(lw.arange(float(size)) * 2 + 1)[-1]) == 2 * size - 1


def test_from_dlpack_both_ways(host_device):
    x = lw.arange(6.0)
    tensor = tvm_ffi.from_dlpack(x)
    assert tensor.shape == (6,)
    back = lw.from_dlpack(tensor)
    assert back.pointer == x.pointer and lw.add(tensor, 1).tolist() == [1, 2, 3, 4, 5, 6]
    del x, tensor
    gc.collect()
    assert back.tolist() == [0, 1, 2, 3, 4, 5]


def test_callbacks_are_given_arrays(host_device):
    seen = []
    call = tvm_ffi.convert(lambda t: seen.append(np.from_dlpack(t).tolist()))
    call(lw.arange(3.0))
    assert seen == [[0, 1, 2]]


def test_what_the_table_cannot_say_is_an_error(host_device, echo):
    x = lw.zeros(8, dtype="int8")
    odd = _core.ndarray.from_buffer(x.buffer, (2,), "int16", strides=(3,))
    with pytest.raises(BufferError, match="3 bytes"):
        echo(odd)
    with pytest.raises(BufferError, match="negative strides"):
        echo(lw.arange(3)[::-1])
