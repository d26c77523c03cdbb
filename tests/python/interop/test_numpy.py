"""NumPy's protocols: dispatch of its functions, conversions with and without copies, files, testing."""

import inspect
import io

import numpy as np
import pytest

import lanewise as lw

HOST = np.arange(1.0, 7.0).reshape(2, 3)


@pytest.fixture
def x(device):
    return lw.asarray(HOST)


@pytest.fixture
def on_host():
    return lw.asarray(HOST, device="cpu")


# Functions of NumPy that look at arguments before they dispatch, or at no array at all.
UNDISPATCHED = {
    *("arange", "array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "asarray_chkfinite"),
    *("bartlett", "blackman", "hamming", "hanning", "kaiser", "broadcast_shapes", "empty", "eye", "finfo", "iinfo"),
    *("from_dlpack", "frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "full", "genfromtxt"),
    *("geomspace", "identity", "indices", "isdtype", "issubdtype", "linspace", "load", "loadtxt", "logspace", "ones"),
    *("promote_types", "require", "result_type", "tri", "zeros", "mask_indices", "tril_indices", "triu_indices"),
    *("diag_indices", "ndenumerate", "ndindex", "get_printoptions", "set_printoptions", "printoptions"),
    *("isscalar", "iterable", "min_scalar_type", "can_cast", "isfortran", "ravel_multi_index", "unravel_index"),
    *("format_float_positional", "format_float_scientific", "base_repr", "binary_repr", "typename"),
}


def dispatching_functions():
    """Names of functions that NumPy and lanewise both have and that NumPy dispatches by __array_function__."""
    for name in sorted(lw.arrays.__all__):
        function = getattr(np, name, None)
        if function is None or isinstance(function, (type, np.ufunc)) or not callable(function):
            continue
        if hasattr(function, "_implementation") and name not in UNDISPATCHED:
            yield name


def test_there_are_many_functions_to_dispatch():
    assert len(list(dispatching_functions())) > 150


@pytest.mark.parametrize("name", list(dispatching_functions()))
def test_functions_dispatch_to_ours(monkeypatch, name):
    """Called with an array of lanewise, NumPy's function calls lanewise's of the same name, and nothing else."""
    import lanewise.arrays

    seen = []
    # Some names are another's: numpy.concat is numpy.concatenate.
    own_name = getattr(np, name).__name__
    monkeypatch.setattr(
        lanewise, own_name, lambda *args, **kwargs: seen.append((args, kwargs)) or "ours", raising=False
    )
    x = lw.zeros((2, 2))
    function = getattr(np, name)
    parameters = list(inspect.signature(function).parameters.values())
    required = [
        p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    args = [x] * len(required) or [x]
    for attempt in (args, [[x, x], *args[1:]], [args[0], 1, *args[2:]], ["ij,ij", x, x], [1, x], [x, x, x]):
        try:
            result = function(*attempt)
        except TypeError:
            continue
        if seen:
            break
    assert seen and result == "ours"


UFUNCS = sorted(name for name, value in vars(np).items() if isinstance(value, np.ufunc) and name == value.__name__)


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_dispatch_to_ours(device, name):
    ufunc = getattr(np, name)
    ours = getattr(lw, name, None)
    args = [lw.ones((2, 2))] * ufunc.nin
    if ours is None:
        with pytest.raises(TypeError, match=f"lanewise has no numpy.{name}"):
            ufunc(*args)
        return
    try:
        expected = ours(*args)
    except TypeError:
        args = [lw.ones((2, 2), dtype="int64")] * ufunc.nin
        expected = ours(*args)
    results, expected = ufunc(*args), expected
    for result, wanted in zip(*((r if isinstance(r, tuple) else (r,)) for r in (results, expected)), strict=True):
        assert type(result) is lw.ndarray and result.dtype == wanted.dtype
        np.testing.assert_array_equal(result.get(), wanted.get())


def test_operands_of_both_kinds_are_refused(x):
    """Neither is copied to the other's memory unless the program says so."""
    for call in (
        lambda: np.add(x, HOST),
        lambda: np.add(HOST, x),
        lambda: x + HOST,
        lambda: HOST + x,
        lambda: HOST == x,
        lambda: lw.add(x, HOST),
        lambda: np.add.outer(HOST, x),
        lambda: np.concatenate([x, HOST]),
        lambda: np.where(x > 2, x, HOST),
        lambda: np.matmul(HOST, x.T),
        lambda: HOST @ x.T,
    ):
        with pytest.raises(TypeError, match=r"lanewise\.asarray"):
            call()
    for call in (lambda: np.add(x, 1, out=np.empty((2, 3))), lambda: np.sum(x, out=np.empty(()))):
        with pytest.raises(TypeError, match="out must be an array"):
            call()


def test_in_place_operators_of_host_arrays_do_not_swallow_ours(x):
    host = HOST.copy()
    with pytest.raises(TypeError, match=r"lanewise\.asarray|out must be"):
        host += x
    np.testing.assert_array_equal(host, HOST)


def test_numbers_of_numpy_are_operands(x):
    for number in (np.float64(2), np.int8(2), np.array(2.0)):
        for result, expected in ((x * number, HOST * number), (number * x, number * HOST)):
            assert result.dtype == expected.dtype
            np.testing.assert_array_equal(result.get(), expected)


def test_conversion_is_a_view(on_host):
    for view in (np.asarray(on_host), np.array(on_host, copy=False), np.asarray(on_host, copy=False)):
        assert view.ctypes.data == on_host.pointer
        np.testing.assert_array_equal(view, HOST)
    np.asarray(on_host)[0, 0] = 50
    assert float(on_host[0, 0]) == 50
    np.asarray(on_host.T)[2, 1] = 60
    assert float(on_host[1, 2]) == 60


def test_conversion_copies_where_asked(on_host):
    for made in (
        np.array(on_host),
        np.array(on_host, copy=True),
        np.asarray(on_host, copy=True),
        on_host.__array__(copy=True),
        np.asarray(on_host, dtype="float32"),
        on_host.__array__("float32"),
        on_host.__array__(dtype="float32", copy=True),
    ):
        assert not np.shares_memory(made, np.asarray(on_host))
        np.testing.assert_array_equal(made, HOST)


def test_conversion_without_a_copy_is_refused_where_it_takes_one(on_host):
    for call in (
        lambda: np.asarray(on_host, dtype="float32", copy=False),
        lambda: on_host.__array__("float32", copy=False),
        lambda: np.array(on_host, dtype="int64", copy=False),
    ):
        with pytest.raises(ValueError, match="copy"):
            call()
    assert on_host.__array__("float64", copy=False).ctypes.data == on_host.pointer


def test_conversion_of_pending_and_of_read_only_arrays(on_host):
    np.testing.assert_array_equal(np.asarray(on_host * 2 + 1), HOST * 2 + 1)
    frozen = np.asarray(lw.broadcast_to(on_host, (4, 2, 3)))
    assert not frozen.flags.writeable
    np.testing.assert_array_equal(frozen, np.broadcast_to(HOST, (4, 2, 3)))
    assert np.asarray(on_host[:0]).shape == (0, 3)
    assert np.asarray(on_host[0, 0]).shape == ()


def test_arrays_are_no_buffers(x):
    """Libraries that look for buffers first would take them for flat bytes (torch.asarray)."""
    with pytest.raises(TypeError, match="bytes-like"):
        memoryview(x)
    if x.device.name == "cpu":
        assert memoryview(np.asarray(x)).tolist() == HOST.tolist()


def test_views_outlive_arrays(on_host):
    view = np.asarray(on_host[1:])
    del on_host
    lw.zeros((2, 3), device="cpu")
    np.testing.assert_array_equal(view, HOST[1:])


def test_gpu_arrays_say_how_they_are_copied(gpu):
    x = lw.asarray(HOST)
    for call in (np.asarray, np.array, lambda a: np.asarray(a, copy=False), np.float64, lambda a: np.array([a, a])):
        with pytest.raises(TypeError, match=r"asnumpy|only arrays of one element"):
            call(x)


def test_bfloat16_both_ways(device):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    host = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)
    x = lw.asarray(host)
    assert x.dtype == ml_dtypes.bfloat16
    assert (x + x).get().dtype == host.dtype
    np.testing.assert_array_equal((x + x).get(), host + host)
    x[0] = host[1]
    np.testing.assert_array_equal(x[0].get(), host[1])
    if device == "cpu":
        view = np.asarray(x)
        assert view.dtype == host.dtype and view.ctypes.data == x.pointer
    scalar = ml_dtypes.bfloat16(2)
    np.testing.assert_array_equal((x * scalar).get(), x.get() * scalar)


def test_assertions_of_numpy(on_host):
    np.testing.assert_allclose(on_host, HOST)
    np.testing.assert_array_equal(on_host, HOST)
    np.testing.assert_allclose(on_host * 2, on_host + on_host)
    np.testing.assert_array_almost_equal(on_host, HOST)
    with pytest.raises(AssertionError, match="Mismatched elements: 1 / 6"):
        np.testing.assert_allclose(on_host, HOST + (HOST == 3))
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(on_host, HOST[:1])


def test_assertions_of_numpy_about_gpu_arrays(gpu):
    with pytest.raises(TypeError, match="asnumpy"):
        np.testing.assert_allclose(lw.asarray(HOST), HOST)


@pytest.mark.parametrize("module", [np, lw], ids=["numpy", "lanewise"])
def test_files(x, module):
    for write, read in (
        (module.save, lambda file: np.load(file)),
        (module.savez, lambda file: np.load(file)["arr_0"]),
        (module.savez_compressed, lambda file: np.load(file)["arr_0"]),
        (module.savetxt, lambda file: np.loadtxt(file)),
    ):
        file = io.BytesIO()
        write(file, x)
        file.seek(0)
        np.testing.assert_array_equal(read(file), HOST)


def test_text_of_numpy(x):
    assert np.array2string(x) == np.array2string(HOST)
    assert np.array_str(x) == np.array_str(HOST)
    assert np.array_repr(x) == repr(x)
    assert f"{x}" == str(HOST)


def test_an_object_array_keeps_arrays_as_they_are(x):
    cells = np.empty(2, object)
    cells[0] = x
    assert cells[0] is x


def test_subclasses_dispatch_as_well(device):
    class Sub(lw.ndarray):
        __slots__ = ()

    x = Sub((3,))
    x[...] = 4
    assert type(np.sqrt(x)) is Sub and type(np.sum(x)) is Sub
    assert np.sqrt(x).tolist() == [2, 2, 2]


def test_functions_of_other_classes_have_their_say(x):
    class Lazy:
        """Wraps arrays of any library, as dask does."""

        __array_priority__ = 2000

        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return "lazy"

        def __array_function__(self, func, types, args, kwargs):
            return "lazy"

        def __radd__(self, other):
            return "lazy"

    assert x + Lazy() == "lazy" and np.add(x, Lazy()) == "lazy" and np.concatenate([x, Lazy()]) == "lazy"


def test_what_is_read_of_numpy_arrays_is_what_numpy_exports():
    """Through DLPack NumPy's arrays become arrays of the cpu device, writable where they are."""
    host = HOST.copy()
    x = lw.from_dlpack(host)
    x *= 2
    x.get()  # waits
    np.testing.assert_array_equal(host, HOST * 2)
    with pytest.raises(BufferError):
        lw.from_dlpack(HOST.astype(">f8"))
    with pytest.raises((BufferError, TypeError)):
        lw.from_dlpack(np.array(["text"]))
