"""DLPack capsules in both directions: what they say, what is refused, and who frees what when."""

import gc
import weakref

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

from .dlpack_structs import COPIED, READ_ONLY, Foreign, ForeignUnversioned, consume, elements

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


@pytest.fixture
def host_device():
    before = _core.set_current_device(_core.device("cpu"))
    yield
    _core.set_current_device(before)


def ramp(*shape, dtype="float64"):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


VIEWS = [
    lambda x: x,
    lambda x: x.T,
    lambda x: x[1:, ::2],
    lambda x: x[::-1, ::-1],
    lambda x: x[:0],
    lambda x: x[1:2, 2:3].reshape(()),
    lambda x: x[None, :, None],
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_exports_say_what_arrays_are(host_device, dtype):
    host = ramp(3, 4, dtype=dtype)
    x = lw.asarray(host)
    managed, delete = consume(x.T.__dlpack__(max_version=(1, 3)))
    assert (managed.major, managed.flags) == (1, 0)
    tensor = managed.tensor
    assert (tensor.device_type, tensor.device_id, tensor.lanes, tensor.bits) == (1, 0, 1, host.itemsize * 8)
    assert tensor.code == {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}[host.dtype.kind]
    np.testing.assert_array_equal(elements(tensor, dtype), host.T)
    delete()


def test_bfloat16_has_a_code_of_its_own(host_device):
    managed, delete = consume(lw.ones(3, dtype="bfloat16").__dlpack__(max_version=(1, 0)))
    assert (managed.tensor.code, managed.tensor.bits) == (4, 16)
    assert elements(managed.tensor, "uint16").tolist() == [0x3F80] * 3
    delete()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("foreign", [Foreign, ForeignUnversioned])
def test_imports_are_views(foreign, view):
    host = view(ramp(4, 5))
    x = lw.from_dlpack(foreign(host))
    assert x.device.name == "cpu" and type(x) is lw.ndarray
    np.testing.assert_array_equal(x.get(), host)
    x += 1
    np.testing.assert_array_equal(x.get(), host)


def test_pending_elements_are_there_when_an_export_returns(host_device):
    for size in (10, 10_000, 1_000_000):
        x = lw.arange(float(size)) * 2 + 1
        managed, delete = consume(x.__dlpack__(max_version=(1, 0)))
        last = elements(managed.tensor, "float64") if size == 10 else None
        assert np.from_dlpack(lw.arange(float(size)) * 2 + 1)[-1] == 2 * size - 1
        assert last is None or last.tolist() == [2.0 * i + 1 for i in range(10)]
        delete()


def test_exports_without_a_version_are_unversioned(device):
    x = lw.ones(3)
    for version in (None, (0, 8)):
        assert '"dltensor"' in repr(x.__dlpack__(max_version=version))
    for version in ((1, 0), (1, 3), (2, 0)):
        assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=version))


def test_read_only_arrays_are_marked(device):
    managed, delete = consume(lw.broadcast_to(lw.ones(3), (2, 3)).__dlpack__(max_version=(1, 0)))
    assert managed.flags == READ_ONLY
    delete()
    with pytest.raises(BufferError, match=r"read-only.*max_version"):
        lw.broadcast_to(lw.ones(3), (2, 3)).__dlpack__()


def test_marks_of_read_only_memory_are_kept():
    host = ramp(4)
    x = lw.from_dlpack(Foreign(host, flags=READ_ONLY))
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    host.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        lw.from_dlpack(host)[1:][...] = 1


def test_copies(device):
    x = lw.arange(6.0).reshape(2, 3).T
    managed, delete = consume(x.__dlpack__(max_version=(1, 0), copy=True))
    assert managed.flags == COPIED and managed.tensor.data != x.pointer
    assert managed.tensor.strides[:2] == [1, 3]
    delete()
    managed, delete = consume(x.__dlpack__(max_version=(1, 0), copy=False))
    assert managed.flags == 0 and managed.tensor.data == x.pointer
    delete()


def test_arrays_go_to_the_host_where_that_is_asked_for(device):
    host = ramp(2, 3)
    x = lw.asarray(host).T
    np.testing.assert_array_equal(np.from_dlpack(x, device="cpu"), host.T)
    managed, delete = consume(x.__dlpack__(max_version=(1, 0), dl_device=(1, 0)))
    assert managed.tensor.device_type == 1 and (managed.flags == COPIED) == (device != "cpu")
    np.testing.assert_array_equal(elements(managed.tensor, "float64"), host.T)
    delete()
    managed, delete = consume(x.__dlpack__(dl_device=x.__dlpack_device__()))
    assert managed.tensor.data == x.pointer
    delete()


def test_gpu_arrays_do_not_go_to_the_host_without_a_copy(gpu):
    with pytest.raises(BufferError, match="copy=False"):
        lw.ones(3).__dlpack__(dl_device=(1, 0), copy=False)


def test_arrays_go_to_no_other_device(device):
    with pytest.raises(BufferError, match=r"not to \(10, 0\)"):
        lw.ones(3).__dlpack__(dl_device=(10, 0))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"max_version": 1}, TypeError),
        ({"max_version": ("1", "0")}, TypeError),
        ({"dl_device": "cpu"}, TypeError),
        ({"dl_device": (1,)}, TypeError),
        ({"copy": "no"}, TypeError),
        ({"stream": "legacy"}, TypeError),
    ],
    ids=str,
)
def test_malformed_arguments_are_refused(device, arguments, error):
    with pytest.raises(error, match=next(iter(arguments))):
        lw.ones(3).__dlpack__(**arguments)


def test_streams_of_exports(gpu):
    x = lw.ones(3)
    own = cuda.stream()
    for stream in (None, 1, 2, -1, own.handle):
        assert "dltensor" in repr(x.__dlpack__(stream=stream))
    for stream in (0, -2):
        with pytest.raises(ValueError, match=f"stream {stream}"):
            x.__dlpack__(stream=stream)


def test_negative_strides_are_refused(device):
    x = lw.arange(6.0).reshape(2, 3)
    for view in (x[::-1], x[:, ::-2]):
        for version in (None, (1, 0)):
            with pytest.raises(BufferError, match=r"negative strides.*x\.copy"):
                view.__dlpack__(max_version=version)
    # Where there is one element or none, no stride counts.
    for view in (x[:0, ::-1], x[:1][::-1]):
        managed, delete = consume(view.__dlpack__(max_version=(1, 0)))
        assert all(stride >= 0 for stride in managed.tensor.strides[:2])
        delete()
    assert lw.from_dlpack(x[::-1].copy("C")).tolist() == x.tolist()[::-1]


def test_strides_between_elements_are_refused(host_device):
    x = lw.zeros((4, 2), dtype="int8").view("int16")
    odd = _core.Array.from_buffer(x.buffer, (2,), "int16", strides=(3,))
    with pytest.raises(BufferError, match="3 bytes"):
        odd.__dlpack__()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"lanes": 2}, "float of 64 bits in 2 lanes"),
        ({"code": 3}, "opaque handle"),
        ({"code": 10, "bits": 8}, "float8_e4m3fn of 8 bits"),
        ({"code": 99}, "code 99"),
        ({"bits": 4}, "float of 4 bits"),
    ],
    ids=str,
)
def test_other_element_types_are_named(changes, text):
    foreign = Foreign(ramp(4), **changes)
    with pytest.raises(TypeError, match=text):
        lw.from_dlpack(foreign)
    assert foreign.deleted == 1


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"ndim": -1}, "-1 dimensions"),
        ({"ndim": 65}, "65 dimensions"),
        ({"shape": (-4,)}, "negative extent"),
        ({"shape": (2**62,), "strides": (1,)}, "address space"),
        ({"strides": (2**62,)}, "beyond 64 bits"),
        ({"shape": (2**40,), "strides": (2**40,)}, "address space"),
        ({"data": None}, "address is 0"),
        ({"byte_offset": 3}, "aligned"),
        ({"device_type": 8}, "device type 8"),
    ],
    ids=str,
)
def test_impossible_tensors_are_refused_and_given_back(changes, text):
    foreign = Foreign(ramp(4), **changes)
    with pytest.raises(ValueError, match=text):
        lw.from_dlpack(foreign)
    if "device_type" not in changes:
        assert foreign.deleted == 1
    assert not foreign.deleted or foreign.deleted == 1


def test_elements_begin_at_the_offset():
    assert lw.from_dlpack(Foreign(ramp(4), shape=(2,), byte_offset=16)).tolist() == [2, 3]


def test_absent_strides_mean_c_order():
    host = ramp(3, 4)
    for kind in (Foreign, ForeignUnversioned):
        np.testing.assert_array_equal(lw.from_dlpack(kind(host, strides=None)).get(), host)


def test_tensors_without_elements_need_no_address():
    assert lw.from_dlpack(Foreign(ramp(0, 3), data=None)).shape == (0, 3)
    assert np.from_dlpack(lw.zeros((0, 3), device="cpu")).shape == (0, 3)


def test_another_major_version_is_refused_and_given_back():
    foreign = Foreign(ramp(3), major=2)
    with pytest.raises(TypeError, match=r"2\.1"):
        lw.from_dlpack(foreign)
    assert foreign.deleted == 1
    assert lw.from_dlpack(Foreign(ramp(3), minor=99)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", [Foreign, ForeignUnversioned])
def test_the_last_view_calls_the_deleter(kind):
    foreign = kind(ramp(4))
    x = lw.from_dlpack(foreign)
    view, pending = x[1:], x.reshape(2, 2).T
    del x
    gc.collect()
    assert foreign.deleted == 0
    assert view.tolist() == [1, 2, 3] and pending.tolist() == [[0, 2], [1, 3]]
    del view, pending
    gc.collect()
    assert foreign.deleted == 1


def test_a_tensor_may_come_without_a_deleter():
    assert lw.from_dlpack(Foreign(ramp(3), no_deleter=True)).tolist() == [0, 1, 2]


def test_a_capsule_is_consumed_once(device):
    capsule = lw.ones(3).__dlpack__(max_version=(1, 0))
    assert lw.from_dlpack(capsule).tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="consumed"):
        lw.from_dlpack(capsule)
    with pytest.raises(AttributeError, match="__dlpack"):
        lw.from_dlpack(object())


def test_what_is_no_capsule_is_named():
    class Wrong(Foreign):
        def __dlpack__(self, **kwargs):
            return "not a capsule"

    with pytest.raises(TypeError, match="not a capsule"):
        lw.from_dlpack(Wrong(ramp(3)))


def test_what_the_producer_raises_passes():
    class Refusing(Foreign):
        def __dlpack__(self, **kwargs):
            raise BufferError("not this one")

    for use in (lw.from_dlpack, lw.asarray, lw.sum, lambda x: lw.add(x, 1)):
        with pytest.raises(BufferError, match="not this one"):
            use(Refusing(ramp(3)))


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_capsules_nobody_consumes_are_freed(device, version):
    class Owner:
        pass

    owner = Owner()
    gone = weakref.ref(owner)
    memory = lw.ones(3)
    x = _core.ndarray.from_interface(_core.Array.__cuda_array_interface__.__get__(memory), owner=owner)
    capsule = x.__dlpack__(max_version=version)
    del owner, x
    assert gone() is not None
    del capsule
    gc.collect()
    assert gone() is None


def test_the_producer_may_go_first(host_device):
    x = lw.arange(5.0)
    host = np.from_dlpack(x)
    del x
    gc.collect()
    lw.zeros(5)  # would get the memory if it were free
    assert host.tolist() == [0, 1, 2, 3, 4]
    back = lw.from_dlpack(host[1:])
    del host
    gc.collect()
    assert back.tolist() == [1, 2, 3, 4]


def test_from_dlpack_takes_device_and_copy(device):
    x = lw.arange(3.0)
    assert lw.from_dlpack(x, copy=False).pointer == x.pointer == lw.from_dlpack(x, device=device).pointer
    assert lw.from_dlpack(x, copy=True).pointer != x.pointer
    host = lw.from_dlpack(x, device="cpu")
    assert host.device.name == "cpu" and host.tolist() == [0, 1, 2]


def test_arrays_in_host_memory_go_where_host_data_go(device):
    foreign = Foreign(ramp(4))
    x = lw.asarray(foreign)
    assert x.device.name == device and x.tolist() == [0, 1, 2, 3]
    assert lw.asarray(foreign, device="cpu").device.name == "cpu"
    assert lw.array(foreign, device="cpu").pointer != foreign.host.ctypes.data
    if device == "cpu":
        assert x.pointer == foreign.host.ctypes.data
    else:
        with pytest.raises(ValueError, match="copy=False"):
            lw.asarray(foreign, copy=False)
