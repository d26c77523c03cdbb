"""Arrays of the core against NumPy."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanewise import _core

Array = _core.Array
DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def counting(shape, dtype=np.int32, order="C"):
    return np.array(np.arange(np.prod(shape, dtype=int)).reshape(shape), dtype, order=order)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 4), (2, 3, 4), (0,), (3, 0, 2)], ids=str)
def test_there_and_back(device, dtype, shape):
    host = counting(shape, dtype)
    array = Array.from_host(host)
    assert (array.shape, array.dtype, array.size, array.nbytes) == (host.shape, host.dtype, host.size, host.nbytes)
    assert array.size == 0 or array.strides == host.strides
    np.testing.assert_array_equal(array.to_host(), host)
    np.testing.assert_array_equal(np.asarray(array), host)


def test_bfloat16(device):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    host = np.arange(5).astype(ml_dtypes.bfloat16)
    array = Array.from_host(host)
    assert array.dtype == host.dtype
    np.testing.assert_array_equal(array.to_host(), host)
    with pytest.raises(TypeError, match="bfloat16"):
        array.__cuda_array_interface__  # noqa: B018


def test_layouts_are_kept(device):
    for host in (counting((3, 4), order="F"), counting((3, 4))):
        assert Array.from_host(host).strides == host.strides
    strided = counting((6, 8))[::2, ::-3]
    array = Array.from_host(strided)
    assert array.is_c_contiguous
    np.testing.assert_array_equal(array.to_host(), strided)
    big_endian = counting((3,)).astype(">i4")
    np.testing.assert_array_equal(Array.from_host(big_endian).to_host(), big_endian)


@pytest.mark.parametrize(
    "source", [np.array(["a"]), np.array([object()]), np.zeros(2, "M8[s]"), np.zeros(2, [("a", "i4")])]
)
def test_refused_dtypes(device, source):
    with pytest.raises(TypeError, match="dtype"):
        Array.from_host(source)


indices = st.one_of(
    st.integers(-7, 7),
    st.builds(
        slice, *[st.one_of(st.none(), st.integers(-8, 8))] * 2, st.one_of(st.none(), st.integers(-3, 3).filter(bool))
    ),
    st.just(...),
    st.none(),
)


@settings(max_examples=150, deadline=None)
@given(index=st.lists(indices, max_size=5).map(tuple))
def test_indexing_is_numpys(index):
    host = counting((4, 3, 5))
    array = Array.from_host(host, device="cpu")
    try:
        expected = host[index]
    except IndexError:
        with pytest.raises(IndexError):
            array[index]
        return
    got = array[index]
    if not isinstance(expected, np.ndarray):
        assert got == expected and type(got) is type(expected)
        return
    assert got.shape == expected.shape
    np.testing.assert_array_equal(got.to_host(), expected)
    with_value = host.copy()
    with_value[index] = -1
    array[index] = -1
    np.testing.assert_array_equal(array.to_host(), with_value)


@pytest.mark.parametrize("index", [[0, 1], np.array([True, False, True, False]), "a", 1.5, True, (0, [1])], ids=str)
def test_other_indices_are_refused(device, index):
    with pytest.raises(TypeError, match="index"):
        Array.from_host(counting((4, 3)))[index]


def test_scalars_by_item_and_conversion(device):
    array = Array.from_host(np.array([[1.5, 2.5]]))
    assert array.item(0, 1) == 2.5
    assert array[0, 0] == 1.5 and isinstance(array[0, 0], np.float64)
    assert float(array[:, 1]) == 2.5 and int(array[:, :1]) == 1 and bool(array[0, :1])
    assert array.get_view((0, 1)).shape == ()
    assert array.get_view((0, 1))[()] == 2.5
    with pytest.raises(TypeError):
        float(array)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(array)
    assert len(array) == 1
    with pytest.raises(TypeError):
        len(Array.from_host(np.array(1)))


def test_setting_items(device):
    host = counting((4, 6), np.float32)
    array = Array.from_host(host)
    for index, value in [
        ((slice(None), 1), 7),
        ((0,), np.arange(6)),
        ((slice(None, None, 2), slice(1, 4)), np.ones((2, 3), np.float64)),
        ((1,), [1, 2, 3, 4, 5, 6]),
        ((3, 5), 2.75),
    ]:
        host[index] = value
        array[index] = value
        np.testing.assert_array_equal(array.to_host(), host)
    array[2] = array[1]
    host[2] = host[1]
    np.testing.assert_array_equal(array.to_host(), host)
    with pytest.raises(ValueError, match="shape"):
        array[0] = np.zeros(5)


def test_copy_from_wants_the_dtype(device):
    array = Array.empty(4, np.float32)
    with pytest.raises(TypeError, match="float64"):
        array.copy_from(np.zeros(4))
    array.copy_from(np.float64(3))
    assert array.to_host().tolist() == [3] * 4


def test_read_only(device):
    array = Array.from_host(np.zeros(3)).broadcast_to((2, 3))
    assert array.read_only
    for change in (lambda: array.fill(1), lambda: array.copy_from(np.zeros(3)), lambda: array.__setitem__(0, 1)):
        with pytest.raises(ValueError, match="read-only"):
            change()
    assert not array.copy().read_only


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill_and_copy(device, dtype):
    array = Array.empty((5, 7), dtype)
    array.fill(1)
    array[::2, ::3].fill(0)
    expected = np.ones((5, 7), dtype)
    expected[::2, ::3] = 0
    np.testing.assert_array_equal(array.to_host(), expected)
    np.testing.assert_array_equal(array.T.copy().to_host(), expected.T)
    assert array.T.copy().is_f_contiguous and array.T.copy("C").is_c_contiguous


def test_to_host_into_arrays(device):
    array = Array.from_host(counting((3, 4)))
    out = np.zeros((6, 4), np.int32)[::2]
    assert array.to_host(out) is out
    np.testing.assert_array_equal(out, counting((3, 4)))
    for wrong, error in [
        (np.zeros((4, 3), np.int32), ValueError),
        (np.zeros((3, 4), np.int64), TypeError),
        (np.broadcast_to(np.int32(0), (3, 4)), ValueError),
        ([0] * 12, TypeError),
    ]:
        with pytest.raises(error):
            array.to_host(wrong)


def test_views_of_bytes(device):
    host = counting((2, 6))
    array = Array.from_host(host)
    for dtype in (np.float32, np.int16, np.int64, np.uint8):
        np.testing.assert_array_equal(array.view(dtype).to_host(), host.view(dtype))
    with pytest.raises(ValueError, match="multiple"):
        array[:, :3].view(np.int64)


def test_given_strides(device):
    array = Array.empty((3, 4), np.float32, strides=(32, 4))
    assert array.strides == (32, 4) and array.buffer.size == 2 * 32 + 3 * 4 + 4
    array.fill(2)
    np.testing.assert_array_equal(array.to_host(), np.full((3, 4), 2, np.float32))
    with pytest.raises(ValueError, match="negative"):
        Array.empty(3, np.float32, strides=(-4,))


def test_over_a_buffer(device):
    buffer = _core.Buffer.allocate(64)
    array = Array.from_buffer(buffer, (2, 4), np.float32, offset=16)
    assert array.pointer == buffer.pointer + 16
    for wrong in ({"offset": 40}, {"offset": -4}, {"strides": (64, 4)}):
        with pytest.raises(ValueError, match="buffer of 64 bytes"):
            Array.from_buffer(buffer, (2, 4), np.float32, **wrong)


def test_subclasses_stay(device):
    class Mine(Array):
        pass

    array = Mine.from_host(counting((3, 4)))
    array.note = "kept by instances"
    for view in (
        array,
        array[1:],
        array.T,
        array.reshape(12),
        array.copy(),
        array.view(np.float32),
        Mine.wrap(Array.empty(3)),
    ):
        assert type(view) is Mine


@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[1:, ::-2], lambda a: a[:0]], ids=str)
def test_interface_round_trip(device, view):
    array = view(Array.from_host(counting((3, 4))))
    interface = array.__cuda_array_interface__
    assert interface["version"] == 3
    assert (interface["strides"] is None) == array.is_c_contiguous
    assert interface["data"][0] == array.pointer
    again = Array.from_interface(array)
    assert (again.shape, again.pointer) == (array.shape, array.pointer)
    np.testing.assert_array_equal(again.to_host(), array.to_host())


def test_foreign_owners_are_kept(device):
    class Owner:
        pass

    import gc
    import weakref

    array = Array.from_host(counting((4,)))
    owner = Owner()
    gone = weakref.ref(owner)
    again = Array.from_interface(array.__cuda_array_interface__, owner=owner)
    del owner
    view = again[1:]
    del again
    gc.collect()
    assert gone() is not None
    del view
    gc.collect()
    assert gone() is None


def test_dlpack_round_trip(device):
    array = Array.from_host(counting((3, 4), np.float32))[::2]
    again = Array.from_dlpack(array)
    assert again.pointer == array.pointer and again.strides == array.strides
    np.testing.assert_array_equal(again.to_host(), array.to_host())
    copied = array.__dlpack__(max_version=(1, 0), copy=True)
    assert "dltensor_versioned" in repr(copied)
    with pytest.raises(BufferError, match="device"):
        array.__dlpack__(dl_device=(42, 0))
    with pytest.raises(BufferError, match="read-only"):
        array.broadcast_to((5, 2, 4)).__dlpack__()


def test_numpy_reads_cpu_arrays_through_dlpack():
    array = Array.from_host(counting((3, 4)), device="cpu")
    host = np.from_dlpack(array)
    np.testing.assert_array_equal(host, counting((3, 4)))
    assert host.__array_interface__["data"][0] == array.pointer
    del array
    assert host.sum() == 66
    back = Array.from_dlpack(host)
    assert back.device == _core.device("cpu") and back.to_host().sum() == 66


def test_asarray(device):
    array = Array.from_host(counting((4,)))
    assert _core.asarray(array) is array
    assert _core.is_device_array(array) and not _core.is_device_array(np.zeros(3))
    with pytest.raises(TypeError, match="no device array"):
        _core.asarray(np.zeros(3))
    with pytest.raises(TypeError, match="no device array"):
        _core.asarray([1, 2])


def test_pinned_memory_outlives_its_copy(device):
    stream = _core.current_device().create_stream()
    for _ in range(20):
        host = _core.Buffer.allocate_host(8 * 100_000, "pinned").numpy(100_000)
        host[:] = 3
        array = Array.from_host(host, stream=stream)
        del host
        assert (array.to_host(stream=stream) == 3).all()


def test_host_memory_is_refused_where_it_is_none(gpu):
    with pytest.raises(TypeError, match="host cannot access"):
        _core.Buffer.allocate(16).numpy(2)


def test_host_calls_run_in_order(device):
    stream = _core.current_device().create_stream()
    seen = []
    for i in range(5):
        stream.host_call(lambda i=i: seen.append(i))
    done = threading.Event()
    stream.host_call(done.set)
    stream.synchronize()
    assert done.wait(10)
    assert seen == list(range(5))


def test_a_buffer_as_an_array(device):
    buffer = _core.Array.from_host(np.arange(6, dtype=np.int32)).buffer
    assert list(buffer.array(np.int32).to_host()) == [0, 1, 2, 3, 4, 5]
    assert buffer.array("int16", (3, 4)).shape == (3, 4)
    assert buffer.array(np.int64).size == 3
    with pytest.raises(ValueError):
        buffer.array(np.int32, 7)
