"""DeviceNDArray: views, copies, assignment; NumPy is the model."""

import numpy as np
import pytest

from lanewise import cuda


@pytest.fixture
def model():
    return np.arange(24, dtype=np.int32).reshape(4, 6)


@pytest.fixture
def array(device, model):
    return cuda.to_device(model)


def test_attributes(array, model, device):
    assert (array.shape, array.strides, array.dtype, array.ndim) == (model.shape, model.strides, model.dtype, 2)
    assert (array.size, array.nbytes, array.itemsize, len(array)) == (24, 96, 4, 4)
    assert array.alloc_size == 96
    assert array.flags == {"C_CONTIGUOUS": True, "F_CONTIGUOUS": False}
    assert array.is_c_contiguous() and not array.is_f_contiguous()
    assert array.stream == 0
    assert array.gpu_data.device_pointer == array.device_ctypes_pointer.value
    assert f"shape=(4, 6) dtype=int32 on {device}" in repr(array)


INDICES = [
    np.s_[1],
    np.s_[-1],
    np.s_[1:3],
    np.s_[::2],
    np.s_[:, 2],
    np.s_[1:, ::3],
    np.s_[..., 1],
    np.s_[...],
    np.s_[np.newaxis, 1],
    np.s_[2:2],
    np.s_[:, 4:100],
    np.s_[:, -3:-1],
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_basic_indexing_gives_views(array, model, index):
    view = array[index]
    np.testing.assert_array_equal(view.copy_to_host(), model[index])
    assert type(view) is type(array)
    if view.size:
        view[...] = 77
        model[index] = 77
        np.testing.assert_array_equal(array.copy_to_host(), model)


def test_full_integer_index_gives_a_scalar(array, model):
    value = array[2, 3]
    assert value == model[2, 3] and isinstance(value, np.int32)
    assert array[-1, -1] == 23
    assert array.getitem((0, 1)) == 1


@pytest.mark.parametrize("index", [4, -5, (0, 6), (0, 0, 0)], ids=str)
def test_indices_outside(array, index):
    with pytest.raises(IndexError):
        array[index]


def test_getitem_on_a_stream(array, model):
    stream = cuda.stream()
    view = array.getitem(slice(1, 3), stream=stream)
    assert view.stream is stream
    np.testing.assert_array_equal(view.copy_to_host(), model[1:3])


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (np.s_[1], 5),
        (np.s_[1, 2], 9),
        (np.s_[:, 1], np.arange(4)),
        (np.s_[1:3], np.arange(6)),
        (np.s_[:], np.full((4, 6), 3.7)),
        (np.s_[::2, ::2], np.arange(6).reshape(2, 3)),
        (np.s_[:], np.ones((1, 6), np.int64)),
        (np.s_[...], [[1]]),
    ],
    ids=str,
)
def test_assignment_broadcasts_and_casts(array, model, index, value):
    array[index] = value
    model[index] = np.asarray(value).astype(model.dtype)
    np.testing.assert_array_equal(array.copy_to_host(), model)


def test_assignment_from_device_arrays(array, model):
    array[1] = cuda.to_device(np.arange(6, dtype=np.int32))
    model[1] = np.arange(6)
    array[:, 2] = cuda.to_device(np.full(4, 2.9))
    model[:, 2] = 2
    np.testing.assert_array_equal(array.copy_to_host(), model)


def test_setitem_on_a_stream(array, model):
    stream = cuda.stream()
    array.setitem((slice(None), 0), 50, stream=stream)
    model[:, 0] = 50
    np.testing.assert_array_equal(array.copy_to_host(stream=stream), model)


def test_refused_assignments(array):
    with pytest.raises(ValueError, match="Can't assign 3-D array to 2-D self"):
        array[:] = np.zeros((1, 4, 6))
    with pytest.raises(ValueError, match="Can't copy sequence with size 5 to array axis 1 with dimension 6"):
        array[:] = np.zeros(5)


def test_copy_to_host(array, model):
    out = np.empty_like(model)
    assert array.copy_to_host(out) is out
    np.testing.assert_array_equal(out, model)
    np.testing.assert_array_equal(np.asarray(array), model)
    np.testing.assert_array_equal(np.array(array, np.float32), model.astype(np.float32))


def test_refused_copies_to_host(array, model):
    with pytest.raises(TypeError, match="incompatible dtype: int32 vs. float64"):
        array.copy_to_host(np.empty(model.shape))
    with pytest.raises(ValueError, match=r"incompatible shape: \(4, 6\) vs. \(4, 5\)"):
        array.copy_to_host(np.empty((4, 5), np.int32))
    with pytest.raises(ValueError, match="incompatible strides"):
        array.copy_to_host(np.empty((4, 6), np.int32, order="F"))
    with pytest.raises(NotImplementedError, match="negative strides"):
        array[::-1].copy_to_host()
    with pytest.raises(ValueError, match="copy"):
        array.__array__(copy=False)


def test_copy_to_device(array, model):
    array.copy_to_device(model + 100)
    np.testing.assert_array_equal(array.copy_to_host(), model + 100)
    array.copy_to_device(cuda.to_device(model))
    np.testing.assert_array_equal(array.copy_to_host(), model)
    array.copy_to_device(np.asfortranarray(model + 1))
    np.testing.assert_array_equal(array.copy_to_host(), model + 1)
    array[1:2].copy_to_device(np.zeros(6, np.int32))
    assert not array[1].copy_to_host().any()


def test_refused_copies_to_device(array, model):
    with pytest.raises(TypeError, match="incompatible dtype: int32 vs. float64"):
        array.copy_to_device(model.astype(np.float64))
    with pytest.raises(ValueError, match="incompatible shape"):
        array.copy_to_device(model[:2])
    with pytest.raises(ValueError, match="incompatible strides"):
        array.copy_to_device(cuda.to_device(np.asfortranarray(model)))
    with pytest.raises(ValueError, match="non-contiguous"):
        array[:, ::2].copy_to_device(model[:, ::2])


def test_copy_to_host_of_strided_views(array, model):
    np.testing.assert_array_equal(array[1:3, ::2].copy_to_host(), model[1:3, ::2])
    np.testing.assert_array_equal(array.T.copy_to_host(), model.T)
    np.testing.assert_array_equal(array.T[1:].copy_to_host(), model.T[1:])


@pytest.mark.parametrize("shape", [(6, 4), (24,), (2, 2, 6), (-1, 8), (4, 6)], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_reshape(device, model, shape, order):
    source = np.array(model, order=order)
    array = cuda.to_device(source)
    np.testing.assert_array_equal(array.reshape(shape, order=order).copy_to_host(), source.reshape(shape, order=order))
    np.testing.assert_array_equal(array.reshape(*shape, order=order).copy_to_host(), source.reshape(shape, order=order))


def test_refused_reshapes(array):
    with pytest.raises(ValueError):
        array.reshape(5, 5)
    with pytest.raises(NotImplementedError, match="copy"):
        array.T.reshape(24)
    with pytest.raises(NotImplementedError, match="copy"):
        array[:, :5].ravel()


def test_ravel(array, model):
    np.testing.assert_array_equal(array.ravel().copy_to_host(), model.ravel())
    stream = cuda.stream()
    assert array.ravel(stream=stream).stream is stream


def test_transpose(array, model):
    np.testing.assert_array_equal(array.T.copy_to_host(), model.T)
    np.testing.assert_array_equal(array.transpose((1, 0)).copy_to_host(), model.T)
    np.testing.assert_array_equal(array.transpose((0, 1)).copy_to_host(), model)
    with pytest.raises(ValueError, match="invalid axes list"):
        array.transpose((0, 0))
    cube = cuda.to_device(np.arange(24).reshape(2, 3, 4))
    np.testing.assert_array_equal(
        cube.transpose((2, 0, 1)).copy_to_host(), np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1)
    )


def test_squeeze(device):
    source = np.arange(6).reshape(1, 2, 1, 3)
    array = cuda.to_device(source)
    assert array.squeeze().shape == (2, 3)
    assert array.squeeze(axis=0).shape == (2, 1, 3)
    assert array.squeeze(axis=(0, 2)).shape == (2, 3)
    with pytest.raises(ValueError):
        array.squeeze(axis=1)


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.int64, np.int16])
def test_view(array, model, dtype):
    np.testing.assert_array_equal(array.view(dtype).copy_to_host(), model.view(dtype))


def test_refused_views(array):
    with pytest.raises(ValueError, match="must be C-contiguous"):
        array.T.view(np.int16)
    with pytest.raises(ValueError, match="must be a divisor of the total size"):
        cuda.to_device(np.zeros((2, 5), np.int32)).view(np.int64)


def test_split(device):
    array = cuda.to_device(np.arange(10))
    parts = [part.copy_to_host().tolist() for part in array.split(4)]
    assert parts == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    with pytest.raises(ValueError, match="only support 1d array"):
        list(cuda.to_device(np.zeros((2, 2))).split(1))
    with pytest.raises(ValueError, match="only support unit stride"):
        list(array[::2].split(2))


def test_bind(array, model):
    stream = cuda.stream()
    bound = array.bind(stream)
    assert bound.stream is stream and array.stream == 0
    bound[0] = 1
    model[0] = 1
    np.testing.assert_array_equal(bound.copy_to_host(), model)
    assert bound.T.stream is stream


def test_zero_dimensional(device):
    array = cuda.to_device(np.array(5.0))
    assert array.shape == () and array[()] == 5.0
    array[()] = 6
    assert float(array) == 6.0
    with pytest.raises(TypeError):
        len(array)


def test_empty(device):
    array = cuda.to_device(np.zeros((3, 0)))
    assert array.copy_to_host().shape == (3, 0)
    assert array.alloc_size == 0
    array[:] = 1
    assert array.T.shape == (0, 3)


def test_dlpack(array, model):
    again = cuda.DeviceNDArray.from_dlpack(array)
    again[0] = -1
    model[0] = -1
    np.testing.assert_array_equal(array.copy_to_host(), model)
    if array.device.kind == "cpu":
        np.testing.assert_array_equal(np.from_dlpack(array), model)
