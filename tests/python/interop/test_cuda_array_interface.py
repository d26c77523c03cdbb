"""The CUDA array interface, version 3: every entry is checked before its address is used."""

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda


def interface_of(array):
    """Also of the cpu device's arrays, whose memory stands for a GPU's in these tests."""
    return _core.Array.__cuda_array_interface__.__get__(array)


class Exporter:
    def __init__(self, array, **changes):
        self.array = array
        self.changes = changes

    @property
    def __cuda_array_interface__(self):
        entries = {**interface_of(self.array), **self.changes}
        return {key: value for key, value in entries.items() if value is not ...}


@cuda.jit
def scale(f, a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * f


raw = lw.RawKernel('extern "C" __global__ void nothing(const void* a) {}', "nothing")
CONSUMERS = {
    "asarray": lw.asarray,
    "as_cuda_array": cuda.as_cuda_array,
    "kernel": lambda x: scale[1, 32](1.0, x),
    "raw kernel": lambda x: raw((1,), (1,), (x,)),
    "function": lambda x: lw.add(x, 1),
}


@pytest.fixture(params=CONSUMERS.values(), ids=CONSUMERS)
def consumer(request):
    return request.param


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"version": ...},
        {"version": 2, "stream": ...},
        {"stream": None},
        {"stream": 1},
        {"stream": 2},
        {"strides": (8,)},
        {"strides": [8]},
        {"shape": [4]},
        {"shape": (0,), "data": (0, False)},
        {"shape": (0,), "data": (None, False)},
        {"data": (..., np.False_)},
        {"data": (..., True)},
        {"mask": None},
        {"descr": [("", "<f8")]},
    ],
    ids=str,
)
def test_what_the_specification_allows(device, changes):
    x = lw.arange(4.0)
    if changes.get("data", (0,))[0] is ...:
        changes = {**changes, "data": (x.pointer, changes["data"][1])}
    taken = lw.asarray(Exporter(x, **changes))
    assert taken.tolist() == ([] if changes.get("shape") == (0,) else [0, 1, 2, 3])


MALFORMED = [
    ({"mask": object()}, NotImplementedError, "mask"),
    ({"version": "3"}, ValueError, "version"),
    ({"typestr": ...}, ValueError, "typestr"),
    ({"typestr": np.dtype("f8")}, ValueError, "typestr"),
    ({"typestr": ">f8"}, TypeError, ">f8"),
    ({"typestr": "<M8[s]"}, TypeError, "datetime64"),
    ({"typestr": "|V8"}, TypeError, "V8"),
    ({"typestr": "nonsense"}, TypeError, "nonsense"),
    ({"shape": ...}, ValueError, "shape"),
    ({"shape": 4}, ValueError, "shape"),
    ({"shape": "4"}, ValueError, "shape"),
    ({"shape": (4.0,)}, TypeError, "shape"),
    ({"shape": (-4,)}, ValueError, "negative"),
    ({"shape": (2**62,)}, ValueError, "address space"),
    ({"shape": (2**40, 2**40)}, ValueError, "address space"),
    ({"data": ...}, ValueError, "data"),
    ({"data": 5}, ValueError, "data"),
    ({"data": (0, False, 1)}, ValueError, "data"),
    ({"data": [0, False]}, ValueError, "data"),
    ({"data": ("4096", False)}, ValueError, "data"),
    ({"data": (4096.0, False)}, ValueError, "data"),
    ({"data": (-8, False)}, ValueError, "data"),
    ({"data": (2**64, False)}, ValueError, "data"),
    ({"data": (0, False)}, ValueError, "address is 0"),
    ({"data": (None, False)}, ValueError, "address is 0"),
    ({"data": (4097, False)}, ValueError, "aligned"),
    ({"data": (4096, "no")}, ValueError, "data"),
    ({"strides": 8}, ValueError, "strides"),
    ({"strides": (8, 8)}, ValueError, "strides"),
    ({"strides": (2**62,)}, ValueError, "address space"),
    ({"strides": (12,)}, ValueError, "aligned"),
    ({"stream": 0}, ValueError, "stream"),
    ({"stream": -1}, ValueError, "stream"),
    ({"stream": True}, ValueError, "stream"),
    ({"stream": "1"}, ValueError, "stream"),
]


@pytest.mark.parametrize(("changes", "error", "text"), MALFORMED, ids=str)
def test_malformed_entries_are_refused(device, consumer, changes, error, text):
    with pytest.raises(error, match=text):
        consumer(Exporter(lw.arange(4.0), **changes))


def test_what_is_no_dict_is_refused(device, consumer):
    class Wrong:
        __cuda_array_interface__ = [("shape", (1,))]

    with pytest.raises(TypeError, match="must be a dict|has no __cuda_array_interface__"):
        consumer(Wrong())


def test_what_an_exporter_raises_passes(device, consumer):
    class Raising:
        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("no grad")

    with pytest.raises(RuntimeError, match="no grad"):
        consumer(Raising())


def test_dicts_that_change_later_change_nothing(device):
    class Mutable:
        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = dict(interface_of(array))

    x = lw.arange(4.0)
    exporter = Mutable(x)
    taken = lw.asarray(exporter)
    exporter.__cuda_array_interface__.update(shape=(10**6,), data=(0, False), typestr="<i2")
    assert taken.tolist() == [0, 1, 2, 3]
    exporter.__cuda_array_interface__.clear()
    with pytest.raises(ValueError, match="typestr"):
        lw.asarray(exporter)


def test_read_only_memory_is_not_written(device):
    x = lw.arange(4.0)
    read_only = Exporter(x, data=(x.pointer, True))
    with pytest.raises(ValueError, match="read-only"):
        lw.asarray(read_only)[0] = 1
    with pytest.raises(TypeError, match="read-only|readonly"):
        scale[1, 32](2.0, read_only)
    assert x.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "view", [lambda a: a, lambda a: a.T, lambda a: a[::-1, 1:], lambda a: a[:0], lambda a: a[0, 1]]
)
def test_exports_follow_the_specification(device, view):
    x = view(lw.arange(12.0).reshape(3, 4))
    entries = interface_of(x)
    assert set(entries) == {"shape", "typestr", "data", "strides", "stream", "version"}
    assert entries["version"] == 3 and entries["typestr"] == "<f8" and entries["shape"] == x.shape
    assert entries["data"] == (x.pointer if x.size else 0, False)
    assert entries["strides"] == (None if x.is_c_contiguous else x.strides)
    assert entries["stream"] is None or entries["stream"] > 0
    np.testing.assert_array_equal(lw.asarray(Exporter(x)).get(), x.get())


@pytest.mark.parametrize(
    ("dtype", "typestr"), [("bool", "|b1"), ("int8", "|i1"), ("uint8", "|u1"), ("float16", "<f2"), ("complex64", "<c8")]
)
def test_typestrs(device, dtype, typestr):
    assert interface_of(lw.zeros(2, dtype=dtype))["typestr"] == typestr


def test_bfloat16_has_no_typestr(device):
    with pytest.raises(TypeError, match="bfloat16.*DLPack"):
        interface_of(lw.zeros(2, dtype="bfloat16"))


def test_arrays_of_gpus_have_it(gpu):
    assert lw.zeros(2).__cuda_array_interface__["version"] == 3


def test_arrays_of_the_cpu_device_have_none():
    """Another library would take their addresses for those of a GPU."""
    x = lw.zeros(2, device="cpu")
    assert not hasattr(x, "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="__dlpack__"):
        x.__cuda_array_interface__  # noqa: B018


def test_arrays_without_it_are_cuda_arrays_still(device):
    x = lw.arange(12.0).reshape(3, 4)
    for array, text in (
        (x, "array(float64, 2d, C)"),
        (x.T, "array(float64, 2d, F)"),
        (x[:, ::2], "array(float64, 2d, A)"),
    ):
        assert cuda.is_cuda_array(array) and cuda.as_cuda_array(array).device_ctypes_pointer.value == array.pointer
        assert str(cuda.types.typeof(array)) == text
