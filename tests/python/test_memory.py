"""Making arrays on the device, in pinned, mapped and managed memory, and over other libraries' memory."""

import numpy as np
import pytest

from lanewise import cuda
from lanewise.cuda import memory


@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@pytest.mark.parametrize(
    "source",
    [
        np.arange(12, dtype=np.float32),
        np.arange(12).reshape(3, 4),
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.array(3.5),
        np.zeros((0, 4), np.int8),
        np.array([True, False]),
        [1, 2, 3],
        7,
    ],
    ids=str,
)
def test_to_device_and_back(device, source):
    array = cuda.to_device(source)
    expected = np.asarray(source)
    back = array.copy_to_host()
    assert back.dtype == expected.dtype and back.shape == expected.shape
    np.testing.assert_array_equal(back, expected)
    assert back.flags["F_CONTIGUOUS"] == expected.flags["F_CONTIGUOUS"]


def test_to_device_of_device_arrays(device):
    array = cuda.to_device(np.arange(3))
    assert cuda.to_device(array) is array


def test_to_device_into_an_array(device):
    target = cuda.device_array(4, np.int64)
    assert cuda.to_device(np.arange(4), to=target) is target
    assert target.copy_to_host().tolist() == [0, 1, 2, 3]


def test_to_device_without_copying(device):
    array = cuda.to_device(np.arange(12.0).reshape(3, 4), copy=False)
    assert (array.shape, array.dtype) == ((3, 4), np.float64)


def test_to_device_refuses_non_contiguous_arrays():
    with pytest.raises(ValueError, match="non-contiguous buffer"):
        cuda.to_device(np.arange(10)[::2])
    with pytest.raises(ValueError, match="ascontiguousarray"):
        cuda.to_device(np.zeros((4, 4))[:, 1:3])


def test_to_device_takes_broadcast_arrays(device):
    array = cuda.to_device(np.broadcast_to(np.arange(3), (4, 3)))
    np.testing.assert_array_equal(array.copy_to_host(), np.broadcast_to(np.arange(3), (4, 3)))


def test_the_host_array_may_change_at_once(device):
    source = np.ones(1 << 20, np.float32)
    array = cuda.to_device(source, stream=cuda.stream())
    source[:] = 5
    assert (array.copy_to_host() == 1).all()


def test_device_array(device):
    array = cuda.device_array((3, 5), np.int16, order="F")
    assert (array.shape, array.dtype, array.strides) == ((3, 5), np.int16, (2, 6))
    assert cuda.device_array(4).dtype == np.float64
    assert cuda.device_array(np.int64(4)).shape == (4,)
    assert cuda.device_array((2, 3), np.float32, strides=(16, 4)).strides == (16, 4)
    assert cuda.device_array(()).shape == ()


@pytest.mark.parametrize("shape", ["3", 2.0, None, (2, -1)], ids=repr)
def test_refused_shapes(shape):
    with pytest.raises((TypeError, ValueError)):
        cuda.device_array(shape)


@pytest.mark.parametrize(
    "model",
    [
        np.zeros((3, 4), np.float32),
        np.zeros((3, 4), order="F"),
        np.zeros((4, 6, 8)).transpose(1, 2, 0),
        np.zeros((4, 6))[::2, ::3],
        np.zeros((2, 0)),
    ],
    ids=lambda model: f"{model.shape}{model.strides}",
)
@pytest.mark.parametrize("like", [cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like])
def test_like(device, like, model):
    array = like(model)
    assert (array.shape, array.dtype) == (model.shape, model.dtype)
    expected = np.empty_like(model)
    if model.size:
        assert array.strides == expected.strides


def test_pinned_memory(device):
    array = cuda.pinned_array((3, 4), np.float32)
    array[:] = 3
    assert isinstance(array, np.ndarray)
    stream = cuda.stream()
    on_device = cuda.to_device(array, stream=stream)
    increment[1, 16, stream](on_device.ravel())
    back = cuda.pinned_array((3, 4), np.float32)
    on_device.copy_to_host(back, stream=stream)
    stream.synchronize()
    assert (back == 4).all()


def test_mapped_memory(device):
    array = cuda.mapped_array(8, np.int64)
    array[:] = np.arange(8)
    increment[1, 8](array)
    cuda.synchronize()
    assert array.tolist() == list(range(1, 9))
    assert array.copy_to_host().tolist() == list(range(1, 9))
    array.copy_to_device(np.zeros(8, np.int64))
    assert not array.any()
    assert cuda.is_cuda_array(array)


def test_managed_memory(device):
    array = cuda.managed_array((2, 4), np.float32)
    array[:] = 1
    increment[1, 8](array.reshape(8))
    cuda.synchronize()
    assert (array == 2).all()


def test_pinning_existing_arrays(device):
    a, b = np.zeros(1000), np.ones(1000)
    with cuda.pinned(a, b):
        array = cuda.to_device(b, stream=cuda.stream())
        array.copy_to_host(a)  # asynchronous: on a stream, into page-locked memory
        array.stream.synchronize()
    assert (a == 1).all()


def test_mapping_existing_arrays(device):
    a, b = np.zeros(10), np.ones((2, 5))
    with cuda.mapped(a) as view:
        increment[1, 16](view)
    assert (a == 1).all()
    with cuda.mapped(a, b) as (first, second):
        increment[1, 16](first)
        increment[1, 16](second.ravel())
    assert (a == 2).all() and (b == 2).all()


def test_defer_cleanup(device):
    with cuda.defer_cleanup():
        for _ in range(20):
            cuda.device_array(1000)


def test_as_cuda_array(device):
    source = cuda.to_device(np.arange(10, dtype=np.int32))

    class Foreign:
        __cuda_array_interface__ = source.__cuda_array_interface__

    view = cuda.as_cuda_array(Foreign())
    increment[1, 10](view)
    assert source.copy_to_host().tolist() == list(range(1, 11))
    assert cuda.as_cuda_array(source) is source
    assert cuda.is_cuda_array(source) and cuda.is_cuda_array(Foreign()) and not cuda.is_cuda_array(np.zeros(1))


def test_as_cuda_array_keeps_the_owner_alive(device):
    import gc
    import weakref

    class Owner:
        def __init__(self):
            self.array = cuda.to_device(np.arange(5))
            self.__cuda_array_interface__ = self.array.__cuda_array_interface__

    owner = Owner()
    alive = weakref.ref(owner)
    view = cuda.as_cuda_array(owner)
    del owner
    gc.collect()
    assert alive() is not None
    assert view.copy_to_host().tolist() == [0, 1, 2, 3, 4]
    del view
    gc.collect()
    assert alive() is None


def test_as_cuda_array_refuses_host_arrays():
    with pytest.raises(TypeError, match="cuda array interface"):
        cuda.as_cuda_array(np.zeros(3))


def test_masked_interfaces(device):
    interface = dict(cuda.to_device(np.zeros(3)).__cuda_array_interface__, mask=cuda.to_device(np.zeros(3, np.bool_)))
    with pytest.raises(NotImplementedError, match="(?i)mask"):
        cuda.from_cuda_array_interface(interface)


def test_from_cuda_array_interface_with_strides(device):
    source = cuda.to_device(np.arange(12, dtype=np.int64).reshape(3, 4))
    interface = dict(source.__cuda_array_interface__, shape=(4, 3), strides=(8, 32))
    view = cuda.from_cuda_array_interface(interface, owner=source)
    np.testing.assert_array_equal(view.copy_to_host(), np.arange(12).reshape(3, 4).T)


def test_exported_interface(device):
    array = cuda.to_device(np.arange(12, dtype=np.float32).reshape(3, 4))
    interface = array.__cuda_array_interface__
    assert interface["version"] == 3
    assert interface["typestr"] == "<f4"
    assert interface["shape"] == (3, 4)
    assert interface["strides"] is None
    assert interface["data"] == (array.gpu_data.device_pointer, False)
    assert array.T.__cuda_array_interface__["strides"] == (4, 16)


def test_auto_device(device):
    array, new = memory.auto_device(np.arange(3))
    assert new and array.copy_to_host().tolist() == [0, 1, 2]
    assert memory.auto_device(array) == (array, False)


def test_memory_comes_back_to_the_pool(device):
    from lanewise import _core

    pool = _core.current_device()
    cuda.synchronize()
    before = pool.pool_statistics()["used_bytes"]
    array = cuda.device_array(1 << 20, np.uint8)
    assert pool.pool_statistics()["used_bytes"] >= before + (1 << 20)
    del array
    cuda.synchronize()
    assert pool.pool_statistics()["used_bytes"] == before
