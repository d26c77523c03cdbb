"""The C exchange table of DLPack 1.3: ours as a C library uses it, and those of others."""

import ctypes
import gc

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

from .dlpack_structs import (
    READ_ONLY,
    Deleter,
    DLTensor,
    Foreign,
    ManagedVersioned,
    Table,
    capsule_pointer,
    elements,
    new_capsule,
)

Managed = ctypes.POINTER(ManagedVersioned)
SetError = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
Allocate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(DLTensor), ctypes.POINTER(Managed), ctypes.c_void_p, SetError)
FromObject = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Managed))
ToObject = ctypes.PYFUNCTYPE(ctypes.c_int, Managed, ctypes.POINTER(ctypes.py_object))
WorkStream = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


def table_of(cls):
    return Table.from_address(capsule_pointer(cls.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def take(x):
    managed = Managed()
    FromObject(table_of(type(x)).managed_from_object)(x, ctypes.byref(managed))
    return managed


def delete(managed):
    Deleter(managed[0].deleter)(ctypes.cast(managed, ctypes.c_void_p).value)


def make(cls, managed):
    result = ctypes.py_object()
    ToObject(table_of(cls).object_from_managed)(managed, ctypes.byref(result))
    made = result.value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))  # the reference that the C caller got
    return made


def work_stream(device_type, device_id):
    stream = ctypes.c_void_p(-1)
    WorkStream(table_of(lw.ndarray).current_work_stream)(device_type, device_id, ctypes.byref(stream))
    return stream.value


@pytest.mark.parametrize("cls", [lw.ndarray, _core.ndarray, _core.Array, cuda.DeviceNDArray])
def test_classes_have_a_table(cls):
    table = table_of(cls)
    assert (table.major, table.minor) == (1, 3) and not table.previous
    for function in ("allocate", "managed_from_object", "object_from_managed", "current_work_stream"):
        assert getattr(table, function)


@pytest.mark.parametrize("view", [lambda x: x, lambda x: x.T, lambda x: x[1:, ::2], lambda x: x[:0], lambda x: x[1, 2]])
def test_arrays_are_taken(device, view):
    x = view(lw.arange(12.0).reshape(3, 4))
    expected = x.get()
    managed = take(x)
    tensor = managed[0].tensor
    assert (managed[0].major, managed[0].flags) == (1, 0)
    assert (tensor.device_type, tensor.device_id) == x.__dlpack_device__()
    assert (tensor.code, tensor.bits, tensor.lanes) == (2, 64, 1)
    assert tuple(tensor.shape[: tensor.ndim]) == x.shape
    assert tuple(8 * stride for stride in tensor.strides[: tensor.ndim]) == x.strides
    assert (tensor.data or 0) == x.pointer
    del x
    gc.collect()
    if device == "cpu":
        np.testing.assert_array_equal(elements(tensor, "float64"), expected)
    delete(managed)


def test_pending_elements_are_computed(device):
    for _ in range(20):
        x = lw.arange(100_000.0) * 2 + 1
        managed = take(x)
        assert not x.pending
        if device == "cpu":
            last = managed[0].tensor.data + 99_999 * 8
            assert ctypes.c_double.from_address(last).value == 2 * 99_999 + 1
        delete(managed)


def test_read_only_arrays_are_marked(device):
    managed = take(lw.broadcast_to(lw.ones(3), (2, 3)))
    assert managed[0].flags == READ_ONLY
    delete(managed)


def test_what_cannot_be_exported_is_a_buffer_error(device):
    x = lw.zeros(8, dtype="int8")
    odd = _core.Array.from_buffer(x.buffer, (2,), "int16", strides=(3,))
    with pytest.raises(BufferError, match="3 bytes"):
        take(odd)
    with pytest.raises(BufferError, match="negative strides"):
        take(lw.arange(3)[::-1])
    with pytest.raises(TypeError, match="no array"):
        FromObject(table_of(lw.ndarray).managed_from_object)([1], ctypes.byref(Managed()))


def test_tensors_become_arrays(device):
    x = lw.arange(6.0)
    for cls, expected in ((lw.ndarray, _core.ndarray_class()), (_core.ndarray, _core.ndarray_class())):
        again = make(cls, take(x))
        assert type(again) is expected and again.pointer == x.pointer
    assert isinstance(make(_core.Array, take(x)), _core.Array)


def test_a_tensor_that_is_refused_is_given_back():
    foreign = Foreign(np.arange(3.0), code=3)
    with pytest.raises(TypeError, match="opaque handle"):
        make(lw.ndarray, foreign.export())
    assert foreign.deleted == 1
    foreign = Foreign(np.arange(3.0), major=7)
    with pytest.raises(TypeError, match=r"7\.1"):
        make(lw.ndarray, foreign.export())
    assert foreign.deleted == 1


def test_memory_like_a_prototype(device):
    x = lw.zeros((3, 4), dtype="float32")
    source = take(x)
    made, errors = Managed(), []
    on_error = SetError(lambda _, kind, message: errors.append((kind.decode(), message.decode())))
    allocate = Allocate(table_of(lw.ndarray).allocate)
    assert allocate(ctypes.byref(source[0].tensor), ctypes.byref(made), None, on_error) == 0
    y = make(lw.ndarray, made)
    assert (y.shape, y.dtype, y.device) == (x.shape, x.dtype, x.device) and y.is_c_contiguous
    assert y.pointer != x.pointer
    y[...] = 5
    assert float(y.sum()) == 60

    source[0].tensor.code = 77
    assert allocate(ctypes.byref(source[0].tensor), ctypes.byref(made), None, on_error) == -1
    source[0].tensor.code, source[0].tensor.device_type = 2, 8
    assert allocate(ctypes.byref(source[0].tensor), ctypes.byref(made), None, on_error) == -1
    assert [kind for kind, _ in errors] == ["TypeError", "ValueError"] and "code 77" in errors[0][1]
    delete(source)


def test_the_host_has_no_work_stream():
    assert work_stream(1, 0) is None


def test_the_work_stream_is_the_current_one(gpu):
    number = _core.device(gpu).ordinal
    with cuda.stream() as stream:
        assert work_stream(2, number) == stream.handle
    with pytest.raises(_core.DeviceUnavailable):
        work_stream(2, 99)


class Library:
    """A class of arrays with an exchange table; `current_work_stream` is called for GPUs only."""

    def __init__(self, host, **answers):
        self.foreign = Foreign(host, flags=answers.pop("flags", 0))
        self.asked_protocol = 0
        for name, answer in answers.items():
            setattr(self, name, answer)

    def __dlpack__(self, **kwargs):
        self.asked_protocol += 1
        if self.requires_grad:
            raise BufferError("gradients get lost; use detach()")
        if self.is_conj():
            raise BufferError("conjugation gets lost")
        return self.foreign.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.foreign.__dlpack_device__()


def new_library(tracked=False, non_owning=True, version=(1, 3)):
    """A subclass of Library with its own table."""

    class Made(Library):
        if tracked:
            requires_grad = False

            def is_conj(self):
                return False

            def is_neg(self):
                return False
        else:
            requires_grad, is_conj = False, staticmethod(lambda: False)

    @FromObject
    def managed_from_object(self, result):
        if getattr(self, "fails", False):
            return -1
        result[0] = self.foreign.export()
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
    def tensor_from_object(self, tensor):
        if getattr(self, "fails", False):
            return -1
        ctypes.memmove(tensor, ctypes.byref(self.foreign.managed.tensor), ctypes.sizeof(DLTensor))
        return 0

    @WorkStream
    def current_work_stream(device_type, device_id, stream):
        raise AssertionError("the host has no streams")

    def address(function):
        return ctypes.cast(function, ctypes.c_void_p).value

    table = Table(*version, None, None, address(managed_from_object), None, None, address(current_work_stream))
    if non_owning:
        table.tensor_from_object = address(tensor_from_object)
    Made.kept = (table, managed_from_object, tensor_from_object, current_work_stream)
    Made.__dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(table), b"dlpack_exchange_api", None)
    return Made


@pytest.fixture
def host_device():
    before = _core.set_current_device(_core.device("cpu"))
    yield
    _core.set_current_device(before)


@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


add_one_raw = lw.RawKernel('extern "C" __global__ void add_one(double* a) { a[threadIdx.x] += 1; }', "add_one")
USES = {
    "kernel": lambda x: add_one[1, 4](x),
    "raw kernel": lambda x: add_one_raw((1,), (4,), (x,)),
    "asarray": lambda x: lw.asarray(x).__iadd__(1),
    "function": lambda x: lw.copyto(lw.asarray(x), lw.add(x, 1)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("tracked", [False, True])
def test_arrays_of_a_library_with_a_table(host_device, use, tracked):
    for non_owning in (True, False):
        x = new_library(tracked, non_owning)(np.arange(4.0))
        use(x)
        gc.collect()
        assert x.foreign.host.tolist() == [1, 2, 3, 4] and x.asked_protocol == 0


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_table_of_another_major_version_is_not_used(host_device, use):
    x = new_library(version=(2, 0))(np.arange(4.0))
    use(x)
    assert x.foreign.host.tolist() == [1, 2, 3, 4] and x.asked_protocol > 0


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_gradients_are_not_lost_by_way_of_the_table(host_device, use):
    x = new_library(tracked=True)(np.arange(4.0), requires_grad=True)
    with pytest.raises(BufferError, match="detach"):
        use(x)
    assert x.foreign.host.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_views_that_negate_are_refused(host_device, use):
    x = new_library(tracked=True)(np.arange(4.0), is_neg=lambda: True)
    with pytest.raises(TypeError, match="resolve_neg"):
        use(x)
    assert x.foreign.host.tolist() == [0, 1, 2, 3]


def test_views_that_conjugate_are_refused(host_device):
    x = new_library(tracked=True)(np.arange(4) * 1j, is_conj=lambda: True)
    kernel = lw.RawKernel('extern "C" __global__ void f(double2* a) { a[0].x = 1; }', "f")
    for use in (lw.asarray, lambda x: lw.add(x, 1), lambda x: kernel((1,), (1,), (x,))):
        with pytest.raises(BufferError, match="conjugation"):
            use(x)


def test_where_the_table_fails_the_protocol_tells(host_device):
    x = new_library()(np.arange(4.0), fails=True)
    add_one[1, 4](x)
    assert x.foreign.host.tolist() == [1, 2, 3, 4] and x.asked_protocol == 1
    assert lw.sum(x).item() == 10


def test_read_only_marks_come_through_the_table(host_device):
    x = new_library()(np.arange(4.0), flags=READ_ONLY)
    with pytest.raises(ValueError, match="read-only"):
        lw.asarray(x)[0] = 1
