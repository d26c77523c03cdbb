"""JAX's arrays through DLPack. Runs where JAX is installed."""

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

jax = pytest.importorskip("jax")


@pytest.fixture
def host_device():
    before = _core.set_current_device(_core.device("cpu"))
    yield
    _core.set_current_device(before)


def ramp(*shape, dtype="float32"):
    return jax.device_put(np.arange(np.prod(shape)).reshape(shape).astype(dtype), jax.devices("cpu")[0])


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "uint16", "float16", "bfloat16", "float32", "complex64"])
def test_dtypes_go_both_ways(host_device, dtype):
    x = lw.ones((2, 3), dtype=dtype)
    theirs = jax.dlpack.from_dlpack(x)
    assert theirs.dtype.name == dtype and theirs.shape == (2, 3)
    back = lw.from_dlpack(theirs)
    assert back.dtype == x.dtype and back.shape == (2, 3)
    np.testing.assert_array_equal(np.asarray(theirs), x.get())


def test_their_arrays_are_taken_without_a_copy(host_device):
    theirs = ramp(3, 4)
    for take in (lw.from_dlpack, lw.asarray):
        x = take(theirs)
        assert x.pointer == theirs.unsafe_buffer_pointer()
        np.testing.assert_array_equal(x.get(), np.asarray(theirs))
    np.testing.assert_array_equal(lw.add(theirs, 1).get(), np.asarray(theirs) + 1)


def test_pending_arrays_are_computed(host_device):
    for size in (10, 1_000_000):
        theirs = jax.dlpack.from_dlpack(lw.arange(size, dtype="float32") * 2 + 1)
        assert float(theirs[-1]) == 2 * size - 1


def test_kernels_read_them(host_device):
    @cuda.jit
    def copy(target, source):
        i = cuda.grid(1)
        if i < target.size:
            target[i] = source[i]

    target = lw.zeros(4, dtype="float32")
    copy[1, 32](target, ramp(4))
    assert target.tolist() == [0, 1, 2, 3]


def test_ours_outlive_theirs_and_theirs_ours(host_device):
    theirs = ramp(1000)
    x = lw.from_dlpack(theirs)
    del theirs
    assert float(x.sum()) == 499500
    again = jax.dlpack.from_dlpack(x * 2)
    del x
    assert float(again.sum()) == 999000
