"""Methods and properties of _core.ndarray against numpy.ndarray's."""

import copy
import pickle
import weakref

import numpy as np
import pytest

from lanewise import _core

from .core_arrays import check, functions, on_device

A = np.arange(24.0).reshape(2, 3, 4)
DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.reshape(4, 6),
        lambda x: x.reshape((6, -1)),
        lambda x: x.reshape(-1),
        lambda x: x.reshape(6, 4, order="F"),
        lambda x: x.T.reshape(6, 4),
        lambda x: x.T.reshape(6, 4, order="A"),
        lambda x: x.ravel(),
        lambda x: x.ravel("F"),
        lambda x: x.T.ravel("K"),
        lambda x: x.T.flatten(),
        lambda x: x.flatten("F"),
        lambda x: x.transpose(),
        lambda x: x.transpose(None),
        lambda x: x.transpose(1, 0, -1),
        lambda x: x.transpose((2, 0, 1)),
        lambda x: x.T,
        lambda x: x.mT,
        lambda x: x.swapaxes(0, -1),
        lambda x: x[:1].squeeze(),
        lambda x: x[:1, :, :1].squeeze(axis=2),
        lambda x: x.view("int32"),
        lambda x: x.view(np.uint64),
        lambda x: x.diagonal(),
        lambda x: x.diagonal(-1, 1, 2),
        lambda x: x.diagonal(offset=5, axis1=0, axis2=2),
        lambda x: x.trace(),
        lambda x: x.trace(1, 2, 1, dtype="float32"),
        lambda x: x.repeat(2),
        lambda x: x.repeat(3, axis=1),
        lambda x: x.repeat([1, 0, 2], axis=-2),
        lambda x: x.clip(3, 11),
        lambda x: x.clip(min=20),
        lambda x: (x / 7).round(2),
        lambda x: x.conj(),
        lambda x: (x * 1j).conjugate(),
        lambda x: x.dot(x[0].T),
        lambda x: x.dot(2),
        lambda x: x.astype("int8"),
        lambda x: x.astype(bool),
        lambda x: x.astype(np.complex64),
        lambda x: x.T.astype("float32", order="C"),
        lambda x: x.copy(),
        lambda x: x.T.copy("F"),
        lambda x: x.real,
        lambda x: x.imag,
        lambda x: (x + 2j).real,
        lambda x: (x + 2j).imag,
    ],
)
def test_results_are_numpys(device, call):
    check(call(on_device(A)), call(A))
    pending = call(on_device(A - 1) + 1)
    check(pending, call(A))


@pytest.mark.parametrize("order", ["C", "F", "K", "A"])
def test_memory_order_of_copies(device, order):
    for view in (lambda x: x, lambda x: x.T, lambda x: x.transpose(1, 0, 2), lambda x: x[:, ::2]):
        got, expected = view(on_device(A)).copy(order), view(A).copy(order)
        check(got, expected)
        assert got.flags.c_contiguous == expected.flags.c_contiguous
        assert got.flags.f_contiguous == expected.flags.f_contiguous


def test_views_share_and_copies_do_not(device):
    x = on_device(A)
    views = [x.reshape(6, 4), x.ravel(), x.T, x.mT, x.view("int64"), x[...], x.diagonal()]
    copies = [x.flatten(), x.T.ravel(), x.copy(), x.astype("float64"), copy.copy(x), copy.deepcopy(x)]
    assert all(functions.may_share_memory(x, view) for view in views)
    assert not any(functions.may_share_memory(x, other) for other in copies)
    assert x.astype("float64", copy=False) is x
    x.fill(-1)
    assert all((view.get() == np.array([-1.0]).view(view.dtype)).all() for view in views)
    assert all((other.get() != -1).any() for other in copies)


def test_reshape_with_copy_argument(device):
    x = on_device(A)
    assert not functions.may_share_memory(x.reshape(24, copy=True), x)
    assert functions.may_share_memory(x.reshape(24, copy=False), x)
    with pytest.raises(ValueError, match="takes a copy"):
        x.T.reshape(24, copy=False)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda x: x.reshape(5, 5), ValueError),
        (lambda x: x.reshape(-1, -1), ValueError),
        (lambda x: x.reshape(24, order="K"), ValueError),
        (lambda x: x.reshape(2.5), TypeError),
        (lambda x: x.transpose(0, 1), ValueError),
        (lambda x: x.swapaxes(0, 3), ValueError),
        (lambda x: x[0, 0].mT, ValueError),
        (lambda x: x.squeeze(0), ValueError),
        (lambda x: x.view("S8"), TypeError),
        (lambda x: x.astype("int8", casting="same_kind"), TypeError),
        (lambda x: x.astype("datetime64[s]"), TypeError),
        (lambda x: x.copy("X"), ValueError),
        (lambda x: x.diagonal(axis1=0, axis2=0), ValueError),
        (lambda x: x.clip(), ValueError),
        (lambda x: x.fill(x), ValueError),
        (lambda x: x.fill("a"), TypeError),
        (lambda x: x.repeat([1, 2], axis=1), ValueError),
        (lambda x: x.repeat(2, axis=5), ValueError),
        (lambda x: x.sort(), NotImplementedError),
        (lambda x: x.argsort(axis=0), NotImplementedError),
        (lambda x: x.sum(axis=3), ValueError),
        (lambda x: x.sum(axis="a"), TypeError),
        (lambda x: x.item(), ValueError),
        (lambda x: x.item(24), IndexError),
        (lambda x: x.item(0, 0), ValueError),
        (lambda x: x.set(np.zeros(3)), ValueError),
        (lambda x: x.set(np.zeros((2, 3, 4), "float32")), TypeError),
        (lambda x: x.get(out=np.zeros((2, 3))), ValueError),
        (lambda x: x.get(out=np.zeros((2, 3, 4), "float32")), TypeError),
        (lambda x: x.get(out=[1]), TypeError),
        (lambda x: x.flags["NOPE"], KeyError),
    ],
)
def test_refusals(device, call, error):
    with pytest.raises(error):
        call(on_device(A))


def test_real_and_imag_are_writable_views(device):
    a = A + 1j
    z = on_device(a)
    z.real = 5
    z.imag[0] = on_device(np.arange(4.0))
    a.real = 5
    a.imag[0] = np.arange(4.0)
    check(z, a)
    pending = on_device(A) * 1j
    pending.real += 3
    check(pending, A * 1j + 3)
    x = on_device(A)
    assert x.real is x
    with pytest.raises(TypeError, match="imaginary"):
        x.imag = 1
    with pytest.raises(ValueError, match="read-only"):
        x.imag[...] = 1


def test_fill_and_out_arguments(device):
    x = on_device(np.zeros(3, "float32"))
    x.fill(2.5)
    check(x, np.full(3, 2.5, "float32"))
    x.fill(functions.full((), 7))
    check(x, np.full(3, 7, "float32"))
    x[::2].fill(np.int8(1))
    check(x, np.array([1, 7, 1], "float32"))
    out = functions.empty(3, "float32")
    assert x.clip(2, 5, out=out) is out
    check(out, np.array([2, 5, 2], "float32"))
    assert (x * 1.26).round(1, out=out) is out
    with pytest.raises(ValueError, match="out has shape"):
        x.clip(0, 1, out=functions.empty(4, "float32"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_come_as_python_numbers(device, dtype):
    a = np.array([[0, 1], [2, 3]]).astype(dtype)
    x = on_device(a)
    for index in ((0, 1), (3,), (-1,), ((1, 0),)):
        assert x.item(*index) == a.item(*index)
        assert type(x.item(*index)) is type(a.item(*index))
    assert x[1, 1].item() == a[1, 1]
    assert x.tolist() == a.tolist()
    assert x.tobytes() == a.tobytes()
    assert x.T.tobytes("F") == a.T.tobytes("F")


def test_extreme_integers(device):
    assert on_device(np.array(2**64 - 1, "uint64")).item() == 2**64 - 1
    assert on_device(np.array(-(2**63))).item() == -(2**63)


def test_get_and_set(device):
    x = on_device(A)
    assert x.T.get().flags.c_contiguous
    assert x.T.get(order="A").flags.f_contiguous
    out = np.zeros_like(A)
    assert x.get(out=out) is out
    assert (out == A).all()
    x.T.set(np.asfortranarray(-A.T))
    check(x, -A)
    stream = _core.current_device().create_stream()
    assert ((x * 2).get(stream=stream) == -A * 2).all()
    x.set(A, stream=stream)
    check(x, A)


def test_numpy_conversion(device):
    x = on_device(A) + 0
    if device == "cpu":
        view = np.asarray(x)
        assert (view == A).all()
        view[0, 0, 0] = 99
        assert x[0, 0, 0].item() == 99
        y = x + 1
        _core.current_stream().synchronize()
        view[0, 0, 0] = 5
        assert y[0, 0, 0].item() == 100
        assert np.array(x) is not view
        assert np.asarray(x, "float32").dtype == "float32"
        assert not np.asarray(functions.broadcast_to(x, (2, 2, 3, 4))).flags.writeable
        assert np.asarray(x[:, ::2].T).strides == x[:, ::2].T.strides
        with pytest.raises(ValueError, match="copy=False"):
            x.__array__("float32", copy=False)
    else:
        with pytest.raises(TypeError, match=r"x\.get\(\)"):
            np.asarray(x)


def test_pickle_and_copy(device):
    class Mine(_core.ndarray):
        pass

    globals()["Mine"] = Mine
    Mine.__qualname__ = "Mine"
    x = Mine.from_host(np.asfortranarray(A[0]))
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x + 0))):
        assert type(other) is Mine
        check(other, A[0])
        assert other.flags.f_contiguous


def test_flags_and_sizes(device):
    x = on_device(A)
    assert x.flags.c_contiguous and not x.flags["F_CONTIGUOUS"] and x.flags.owndata and x.flags["W"]
    assert x.T.flags.f_contiguous and x.T.flags.fnc
    assert not x[1:].flags.owndata
    assert not functions.broadcast_to(x, (2, 2, 3, 4)).flags.writeable
    assert "C_CONTIGUOUS : True" in repr(x.flags)
    assert (x.shape, x.strides, x.size, x.ndim, x.itemsize, x.nbytes) == (
        A.shape, A.strides, A.size, A.ndim, A.itemsize, A.nbytes,
    )  # fmt: skip
    y = x + 1
    assert y.flags.owndata and y.pending and y.shape == A.shape and y.dtype == A.dtype
    assert y.device is x.device and y.stream == x.stream and y.base is None
    assert y.pending


def test_construction(device):
    class Mine(_core.ndarray):
        __slots__ = ()

    x = Mine((2, 3), "int32")
    assert type(x) is Mine and x.shape == (2, 3) and x.dtype == "int32"
    assert _core.ndarray(4).dtype == "float64"
    assert _core.ndarray((2, 3), order="F").flags.f_contiguous
    source = on_device(np.arange(10, dtype="int32"))
    view = Mine((2, 2), "int32", source, 4, strides=(16, 4))
    check(view, np.array([[1, 2], [5, 6]], "int32"))
    view[...] = 0
    assert source[1].item() == 0
    memory = _core.Buffer.allocate(64)
    assert _core.ndarray(8, "float64", memory).nbytes == 64
    assert _core.ndarray((2, 2), "float32", strides=(16, 4)).strides == (16, 4)
    for wrong in (
        lambda: _core.ndarray(),
        lambda: _core.ndarray((2, 2), buffer=b"abc"),
        lambda: _core.ndarray(2, "O"),
    ):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (
        lambda: _core.ndarray(-1),
        lambda: _core.ndarray(9, "float64", memory),
        lambda: _core.ndarray(2, order="X"),
        lambda: _core.ndarray((2, 2), strides=(-8, 8)),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_subclasses_and_weak_references(device):
    class Tagged(_core.ndarray):
        tag = "none"

    x = Tagged.from_host(A)
    x.tag = "mine"
    assert x[0].tag == "none"
    reference = weakref.ref(x)
    assert reference() is x
    del x
    assert reference() is None
    with pytest.raises(AttributeError):
        on_device(A).tag = 1


def test_class_of_results(device):
    assert issubclass(_core.ndarray_class(), _core.ndarray)
    for wrong in (_core.Array, int, 3):
        with pytest.raises(TypeError):
            _core.set_ndarray_class(wrong)

    class Mine(_core.ndarray):
        __slots__ = ()

    x = on_device(A)
    assert type(x.view(type=Mine)) is Mine
    assert type(x.view(Mine)) is Mine
    assert type(x.view(_core.Array)) is _core.Array
    assert type(functions.empty(3, cls=Mine)) is Mine
    with pytest.raises(TypeError):
        functions.empty(3, cls=int)
