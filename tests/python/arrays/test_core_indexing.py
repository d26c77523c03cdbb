"""x[...] and x[...] = value of _core.ndarray against NumPy's."""

import numpy as np
import pytest

from lanewise import _core

from .core_arrays import check, functions, on_device

A = np.arange(24).reshape(2, 3, 4)
BASIC = [
    (),
    0,
    -1,
    (1, 2),
    (1, 2, 3),
    np.int32(1),
    slice(None),
    slice(5, 1, -1),
    (slice(None), slice(None, None, -2)),
    (slice(None), 1, slice(1, 100)),
    (..., 1),
    (0, ...),
    (None, 0, ..., None),
    (slice(-(2**70), 2**70), slice(3, 1)),
]
ADVANCED = [
    [0],
    [1, 0, 1],
    [],
    [[0, 1], [1, 0]],
    (slice(None), [0, 2]),
    ([0, 1], slice(None), [0, 1]),
    (0, [1, 2]),
    ([0, 1], 0),
    (slice(None), None, [0, 1]),
    (..., [-1, -4]),
    np.array([[1], [0]]),
    np.array(1),
    (None, np.array(1, "uint8")),
    A > 5,
    A[:, :, 0] > 3,
    (slice(None), np.array([True, False, True])),
    ([True, False], 1),
    (0, np.array([False, False, False])),
    True,
    False,
    (True, [0, 1]),
    (0, False),
    (slice(None), np.bool_(True), [0, 1]),
    (slice(None), [[0], [2]], [1, 3]),
    ([0, 1], None, ..., 2),
    # An ellipsis keeps indices apart even where it stands for no axis.
    (slice(None), [0, 2], ..., 1),
    ([1, 0], ..., slice(1, 3), [2, 1]),
    (slice(None), 1, ..., [0, 3, 3]),
    ([[0], [1]], slice(None), ..., [0, 3]),
    (..., [0, 1], 1, 2),
    ([0, 1], 1, 2, ...),
]


@pytest.mark.parametrize("index", BASIC, ids=repr)
def test_basic_indices_give_views(device, index):
    x = on_device(A)
    view = x[index]
    check(view, A[index])
    if view.size:
        x[...] = -1
        assert (view.get() == -1).all()


@pytest.mark.parametrize("index", ADVANCED, ids=repr)
def test_array_indices_give_copies(device, index):
    x = on_device(A)
    copy = x[index]
    check(copy, A[index])
    x[...] = -1
    check(copy, A[index])


@pytest.mark.parametrize("index", BASIC + ADVANCED, ids=repr)
@pytest.mark.parametrize("value", [7, -1.5, np.int8(3)])
def test_assigning_numbers(device, index, value):
    a, x = A.astype("float32"), on_device(A.astype("float32"))
    a[index] = value
    x[index] = value
    check(x, a)


@pytest.mark.parametrize("index", BASIC + ADVANCED, ids=repr)
@pytest.mark.parametrize(
    "to_value", [on_device, np.asarray, lambda a: a.tolist() if a.size else a], ids=["device", "host", "list"]
)
def test_assigning_arrays_on_the_device_and_on_the_host(device, index, to_value):
    a, x = A.copy(), on_device(A)
    value = np.asarray(np.asarray(A[index]) * 10 + 5)
    a[index] = value
    x[index] = to_value(value)
    check(x, a)


@pytest.mark.parametrize("convert", [on_device, np.asarray, list])
def test_indices_may_lie_anywhere(device, convert):
    x = on_device(A)
    places = np.array([1, 0, 1])
    check(x[convert(places)], A[places])
    check(x[:, convert(places % 3)], A[:, places % 3])
    mask = np.array([True, False])
    check(x[convert(mask)], A[mask])


def test_assignment_casts_and_broadcasts(device):
    a, x = np.zeros((3, 4), "float32"), on_device(np.zeros((3, 4), "float32"))
    a[1:] = np.arange(4)
    x[1:] = on_device(np.arange(4))
    a[:, 0] = a[2, 1:4]
    x[:, 0] = x[2, 1:4]
    a[0] = np.array([[[1.5, 2, 3, 4]]])
    x[0] = on_device([[[1.5, 2, 3, 4]]])
    check(x, a)
    x[0, 0] = on_device(np.array(9))
    assert x[0, 0].item() == 9
    with pytest.raises(ValueError, match=r"\(3,\).*\(3, 4\)"):
        x[...] = on_device(np.arange(3))


def test_overlapping_assignment(device):
    a, x = np.arange(10), on_device(np.arange(10))
    a[1:] = a[:-1].copy()
    x[1:] = x[:-1]
    check(x, a)
    x[::-1] = x
    check(x, a[::-1])


def test_rows_by_masks_of_device_arrays(device):
    a = np.arange(12.0).reshape(3, 4)
    x = on_device(a)
    x[x > 5] = 0
    a[a > 5] = 0
    check(x, a)
    x[x[:, 1] > 2] += 1
    a[a[:, 1] > 2] += 1
    check(x, a)


def test_0d_device_integers_index_without_waiting(device):
    x = on_device(A)
    check(x[functions.full((), 1)], A[1])
    check(x[x.argmax() - 22], A[1])


@pytest.mark.parametrize(
    "index, error, text",
    [
        (2, IndexError, "index 2 is out of bounds for axis 0 with size 2"),
        ((0, -4), IndexError, "axis 1 with size 3"),
        ((0, 0, 0, 0), IndexError, "too many indices"),
        ((..., ...), IndexError, "ellipsis"),
        (1.5, IndexError, "not a float"),
        ("a", IndexError, "not a str"),
        ([1.5], IndexError, "float64"),
        (2**70, IndexError, "64 bits"),
        (slice(None, None, 0), ValueError, "zero"),
        (slice("a", None), TypeError, "integer"),
        (np.array([True, False, True]), IndexError, "boolean index did not match"),
        ((slice(None), [0, 1], [0, 1, 2]), (IndexError, ValueError), "broadcast"),
        (object(), IndexError, "not a object"),
    ],
)
def test_refusals(device, index, error, text):
    x = on_device(A)
    with pytest.raises(error, match=text):
        x[index]
    with pytest.raises(error, match=text):
        x[index] = 0


def test_indices_of_arrays_are_checked_when_the_device_is_waited_for(device):
    x = on_device(A)
    result = x[on_device(np.array([0, 5]))]
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 2"):
        result.get()


def test_elements_cannot_be_deleted_and_read_only_views_not_be_written(device):
    x = on_device(A)
    with pytest.raises(ValueError, match="deleted"):
        del x[0]
    view = functions.broadcast_to(x, (5, 2, 3, 4))
    for write in (lambda: view.__setitem__(0, 1), lambda: view.__setitem__([0, 1], 1), lambda: view.__iadd__(1)):
        with pytest.raises(ValueError, match="read-only"):
            write()


def test_take_put_and_their_modes(device):
    x, a = on_device(A), A.copy()
    check(x.take([0, 5, 3]), a.take([0, 5, 3]))
    check(x.take([[0, 2]], axis=1), a.take([[0, 2]], axis=1))
    for mode in ("wrap", "clip"):
        check(x.take([-30, 30, 1], mode=mode), a.take([-30, 30, 1], mode=mode))
        x.put([100, -3], [5, 6], mode=mode)
        a.put([100, -3], [5, 6], mode=mode)
        check(x, a)
    out = _core.functions.empty(2, "int64")
    assert functions.take(x, [3, 4], out=out) is out
    check(out, a.take([3, 4]))
    with pytest.raises(ValueError, match="'raise', 'wrap' or 'clip'"):
        x.take([0], mode="reflect")
    with pytest.raises(IndexError):
        x.take([24]).get()
    functions.put(x, [1, 2, 3], [9, 8])
    np.put(a, [1, 2, 3], [9, 8])
    check(x, a)


def test_along_axes(device):
    places = np.argsort(-A, axis=1)
    check(functions.take_along_axis(on_device(A), on_device(places), 1), np.take_along_axis(A, places, 1))
    a, x = A.copy(), on_device(A)
    np.put_along_axis(a, places[:, :1], -5, axis=1)
    functions.put_along_axis(x, places[:, :1], -5, axis=1)
    check(x, a)


def test_nonzero_and_compress(device):
    a = np.array([[0, 1, 2], [3, 0, 0]])
    x = on_device(a)
    for got, expected in zip(x.nonzero(), a.nonzero(), strict=True):
        check(got, expected)
    check(x.compress([True, False, True], axis=1), a.compress([True, False, True], axis=1))
    check(functions.compress(x[0] > 0, x, axis=1), a.compress(a[0] > 0, axis=1))
    check(x.compress([False, True, True]), a.compress([False, True, True]))
