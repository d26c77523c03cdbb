"""Functions that make arrays, against NumPy."""

import array as array_module
import io

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core

from .comparison import Input, assert_same, check, evaluate

PROGRAMS = """
xp.zeros(3)
xp.zeros((2, 3), "int32")
xp.zeros((2, 3), dtype=xp.bool_, order="F")
xp.zeros(())
xp.zeros(3, None)
xp.empty(3, None).dtype
xp.eye(3, dtype=None)
xp.tri(3, dtype=None)
xp.zeros((2, 0))
xp.zeros(-1)
xp.ones((2, 3))
xp.ones(4, "complex64")
xp.full((2, 2), 7)
xp.full((2, 2), 7, "float32")
xp.full(3, 2.5, order="F")
xp.full((2, 3), xp.asarray([1, 2, 3]))
xp.full((2, 3), [1, 2, 3], "float32")
xp.full((2, 2), True)
xp.full(2, 1j)
xp.empty((2, 3), "float16").shape
xp.zeros_like(x)
xp.ones_like(x, dtype="int8")
xp.full_like(x, 3)
xp.full_like(x, 2.5, dtype=float)
xp.full_like(x, xp.asarray([1, 2, 3, 4]))
xp.zeros_like(x, shape=(5,))
xp.empty_like(x).shape
xp.zeros_like(x).strides
xp.zeros_like(x, order="C").strides
xp.zeros_like(x, order="F").strides
xp.eye(3)
xp.eye(3, 5, 1)
xp.eye(3, k=-1, dtype="int32")
xp.eye(2, order="F")
xp.identity(3, "float32")
xp.tri(3)
xp.tri(3, 4, 1, "int8")
xp.arange(5)
xp.arange(2, 9)
xp.arange(2, 9, 3)
xp.arange(9, 2, -2)
xp.arange(0.0, 1.0, 0.3)
xp.arange(5, dtype="float32")
xp.arange(3.5)
xp.arange(5, 2)
xp.arange(0, 5, 0)
xp.arange(True, 5)
xp.linspace(0, 1)
xp.linspace(0, 1, 5)
xp.linspace(2, -3, 7, endpoint=False)
xp.linspace(0, 10, 4, dtype="int32")
xp.linspace(-2, 2, 7, dtype=int)
xp.linspace(0, 1, 5, retstep=True)
xp.linspace(0, 1, 1)
xp.linspace(0, 1, 1, retstep=True)
xp.linspace(0, 1, 0)
xp.linspace(0, 1, -1)
xp.linspace(0, 1, 5, dtype="float32")
xp.linspace(0, 1 + 2j, 4)
xp.linspace(xp.asarray([0.0, 1.0]), xp.asarray([2.0, 5.0]), 4)
xp.linspace(xp.asarray([0.0, 1.0]), 3, 4, axis=1)
xp.linspace(xp.asarray([0.0, 1.0]), 3, 4, retstep=True, endpoint=False)
xp.logspace(0, 2, 5)
xp.logspace(0, 3, 4, base=2)
xp.logspace(0, 3, 4, base=2, dtype=int)
xp.logspace(0, 2, 5, endpoint=False)
xp.geomspace(1, 1000, 4)
xp.geomspace(-1000, -1, 4)
xp.geomspace(1, 256, 9, dtype="float32")
xp.geomspace(1, 16, 4, endpoint=False)
xp.geomspace(0, 5)
xp.geomspace(1j, 1000j, 4)
xp.geomspace(xp.asarray([1.0, 2.0]), xp.asarray([8.0, 32.0]), 3)
xp.indices((2, 3))
xp.indices((2, 3), dtype="float32")
xp.indices((2, 3), sparse=True)
xp.indices(())
xp.mgrid[0:5]
xp.mgrid[0:5, 0:3]
xp.mgrid[-1:1:5j]
xp.mgrid[-1:1:5j, 0:2]
xp.ogrid[0:5, 0:3]
xp.ogrid[0:1:3j, 0:2:0.5]
xp.r_[1:4, 0, 7]
xp.r_[x[0], 1.5, x[1]]
xp.r_[-1:1:6j, [0] * 3 if xp is np else xp.zeros(3, int), 5]
xp.r_["0,2", x, x]
xp.r_["-1", x, x]
xp.r_["0,2,0", x[0], x[1]]
xp.r_["1,2", x[0], x[1]]
xp.c_[x[0], x[1]]
xp.c_[x[0], x]
xp.c_[1:4, 4:7]
xp.fromfunction(lambda i, j: i + 2 * j, (3, 4))
xp.fromfunction(lambda i: i == 1, (3,), dtype=int)
xp.frombuffer(b"\\x01\\x02\\x03\\x04", "int16")
xp.frombuffer(b"\\x01\\x02\\x03\\x04", "uint8", 2, 1)
xp.fromiter((i * i for i in range(5)), float)
xp.fromstring("1 2 3", dtype=int, sep=" ")
xp.vander(xp.asarray([1, 2, 3]))
xp.vander(xp.asarray([1.0, 2.0, 5.0]), 2)
xp.vander(xp.asarray([1, 2, 3]), 4, increasing=True)
xp.vander(xp.asarray([1, 2, 3]), 0)
xp.vander(x)
xp.hanning(6)
xp.hamming(7)
xp.blackman(8)
xp.bartlett(6)
xp.kaiser(7, 5.0)
xp.hanning(1)
xp.hanning(0)
xp.array([1, 2, 3])
xp.array([[1, 2.5], [3, 4]])
xp.array([True, False])
xp.array(5)
xp.array([])
xp.array(x)
xp.array(x, dtype="int32")
xp.array(x, ndmin=4)
xp.array([1, 2], ndmin=2)
xp.array([x, x])
xp.array([[x[0], x[1]], [x[1], x[0]]])
xp.array([x[0, 0], x[1, 1], 3])
xp.array([x[0], x])
xp.array(x, order="F").strides
xp.array(range(4))
xp.array("text", dtype=float)
xp.asarray(x, dtype="complex64")
xp.asarray([1, 2, 3], dtype="float16")
xp.astype(x, "int32")
xp.require(x, "float32", "F").strides
xp.require(x, requirements=["C", "F"])
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_same_as_numpy(device, program):
    check(program, x=Input((2, 4), "float64", "F"))
    if "like" in program or "array(" in program:
        check(program, x=Input((2, 4), "float32", "C"))


def test_results_are_on_the_current_device(device):
    for made in (
        lw.zeros(2),
        lw.arange(3),
        lw.array([1]),
        lw.linspace(0, 1, 3),
        lw.eye(2),
        lw.mgrid[0:2, 0:2],
        lw.add(1, 1),
    ):
        assert made.device.name == device and type(made) is lw.ndarray


def test_device_keyword(device):
    for name in (found.name for found in _core.devices()):
        for made in (
            lw.zeros(2, device=name),
            lw.full((2,), 3, device=name),
            lw.arange(3, device=name),
            lw.asarray([1], device=name),
            lw.eye(2, device=_core.device(name)),
            lw.linspace(0, 1, 3, device=name),
            lw.zeros_like(lw.ones(2), device=name),
            lw.ones(3).to_device(name),
        ):
            assert made.device.name == name


def test_copy_never(device):
    x = lw.arange(4)
    assert lw.asarray(x, copy=False) is x
    for call in (
        lambda: lw.asarray([1, 2], copy=False),
        lambda: lw.asarray(x, "float32", copy=False),
        lambda: lw.asarray(lw.ones((2, 3)), order="F", copy=False),
        lambda: lw.array([x, x], copy=False),
    ):
        with pytest.raises(ValueError, match="copy=False"):
            call()


def test_copy_always_and_if_needed(device):
    x = lw.arange(4)
    assert lw.asarray(x) is x and lw.asarray(x, x.dtype) is x
    for copied in (lw.array(x), lw.asarray(x, copy=True), lw.copy(x), x.copy(), lw.astype(x, x.dtype)):
        assert not lw.shares_memory(x, copied)
        assert_same(copied, np.arange(4))
    assert lw.astype(x, x.dtype, copy=False) is x


def test_host_arrays_keep_their_order(device):
    host = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    x = lw.asarray(host)
    assert x.flags.f_contiguous and not x.flags.c_contiguous
    host[0, 0] = 9
    assert_same(x, np.arange(6.0).reshape(2, 3))


def test_to_the_host(device):
    host = np.arange(6.0).reshape(2, 3)
    x = lw.asarray(host)
    for copied in (lw.asnumpy(x), x.get(), lw.asnumpy(x, order="F")):
        np.testing.assert_array_equal(copied, host)
        assert type(copied) is np.ndarray and not np.shares_memory(copied, host)
    out = np.empty((2, 3))
    assert lw.asnumpy(x, out=out) is out
    np.testing.assert_array_equal(out, host)
    assert lw.asnumpy([1, 2]).tolist() == [1, 2]
    assert x.tolist() == host.tolist() and x[1, 2].item() == 5.0 and float(x[0, 1]) == 1.0


def test_numpy_reads_arrays_of_the_cpu_device_in_place(device):
    x = lw.arange(4.0)
    if device != "cpu":
        with pytest.raises(TypeError, match="asnumpy|get"):
            np.asarray(x)
        return
    view = np.asarray(x)
    x[1] = 7
    lw.evaluate(x)
    _core.current_stream().synchronize()
    assert view[1] == 7


def test_get_array_module(device):
    assert lw.get_array_module(lw.ones(1), 3) is lw
    assert lw.get_array_module(np.ones(1), 3) is np


def test_dlpack(device):
    x = lw.arange(4.0)
    y = lw.from_dlpack(x)
    y[0] = 5
    assert x[0].item() == 5 and type(y) is lw.ndarray
    assert not lw.shares_memory(lw.from_dlpack(x, copy=True), x)
    host = np.arange(3.0)
    z = lw.from_dlpack(host)
    assert z.device.name == "cpu"
    assert_same(z, host)


def test_finite_check(device):
    assert_same(lw.asarray_chkfinite([1.0, 2.0]), np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="infs or NaNs"):
        lw.asarray_chkfinite([1.0, np.nan])


def test_buffers_and_files(device, tmp_path):
    assert_same(lw.asarray(array_module.array("d", [1, 2])), np.array([1.0, 2.0]))
    assert_same(lw.asarray(memoryview(b"abc")), np.frombuffer(b"abc", "uint8"))
    x = lw.arange(6, dtype="float32").reshape(2, 3)
    path = tmp_path / "x.bin"
    x.tofile(path)
    assert_same(lw.fromfile(path, "float32"), np.arange(6, dtype="float32"))
    lw.save(tmp_path / "x.npy", x)
    assert_same(lw.load(tmp_path / "x.npy"), np.arange(6, dtype="float32").reshape(2, 3))
    lw.savez(tmp_path / "x.npz", x, second=x[0])
    with lw.load(tmp_path / "x.npz") as file:
        assert sorted(file.files) == ["arr_0", "second"] and "second" in file and len(file) == 2
        assert_same(file["second"], np.arange(3, dtype="float32"))
    lw.savez_compressed(tmp_path / "y.npz", a=x)
    assert [name for name, _ in lw.load(tmp_path / "y.npz").items()] == ["a"]
    text = io.StringIO()
    lw.savetxt(text, x, fmt="%g")
    assert text.getvalue() == "0 1 2\n3 4 5\n"
    assert_same(lw.loadtxt(io.StringIO("1 2\n3 4")), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert_same(lw.genfromtxt(io.StringIO("1,2\n3,"), delimiter=","), np.array([[1.0, 2.0], [3.0, np.nan]]))


def test_dtypes_and_constants_are_numpys(device):
    for name in ("float32", "bool_", "int64", "dtype", "pi", "e", "inf", "newaxis", "issubdtype", "integer"):
        assert getattr(lw, name) is getattr(np, name)
    assert lw.float32 is np.float32 and np.isnan(lw.nan)
    x = lw.ones(2, "float32")
    assert lw.finfo(x).max == np.finfo("float32").max and lw.iinfo("int8").min == -128
    assert lw.result_type(x, 1.5) == np.float32 and lw.result_type(x, lw.ones(1)) == np.float64
    assert lw.promote_types("int8", "uint8") == np.int16
    assert lw.can_cast(x, "float64") and not lw.can_cast(x, "int32")
    assert lw.isdtype(x.dtype, "real floating")
    assert lw.isscalar(1.0) and not lw.isscalar(lw.asarray(1.0))
    assert lw.min_scalar_type(lw.asarray(7)) == np.uint8 and lw.min_scalar_type(x) == np.float32
    assert lw.common_type(x, lw.ones(1, "int32")) is np.float64


def test_shared_memory(device):
    x = lw.arange(12).reshape(3, 4)
    assert lw.shares_memory(x, x[1:]) and lw.may_share_memory(x, x.T)
    assert not lw.shares_memory(x[:, ::2], x[:, 1::2]) and lw.may_share_memory(x[:, ::2], x[:, 1::2])
    assert not lw.shares_memory(x, x.copy()) and not lw.shares_memory(x, np.ones(3))


def test_strided_views(device):
    x = lw.arange(10)
    y = lw.as_strided(x, (3, 4), (8, 16))
    assert_same(y, np.lib.stride_tricks.as_strided(np.arange(10), (3, 4), (8, 16)))
    y[0, 0] = 42
    assert x[0].item() == 42
    with pytest.raises(ValueError):
        lw.as_strided(x, (3, 4), (8, 64))
    with pytest.raises(ValueError, match="larger"):
        lw.sliding_window_view(x, 11)
    with pytest.raises(ValueError):
        lw.sliding_window_view(x, 3)[0] = 1


def test_unsupported_dtypes_are_refused(device):
    for dtype in ("object", "U3", "datetime64[s]"):
        with pytest.raises((TypeError, ValueError), match="dtype"):
            lw.zeros(2, dtype)


def test_programs_are_evaluated_with_the_same_names(device):
    assert evaluate("xp.pi", lw, {}) == np.pi
