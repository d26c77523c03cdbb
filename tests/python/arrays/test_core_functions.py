"""Functions of _core.functions against NumPy's."""

import numpy as np
import pytest

from lanewise import _core

from .core_arrays import check, functions, on_device

A = np.arange(12.0).reshape(3, 4)
B = np.array([3, -1, 2, 7])


def test_elementwise_functions(device):
    x, b = on_device(A), on_device(B)
    check(functions.where(x > 3, x, -1), np.where(A > 3, A, -1))
    check(functions.where(True, 1, b), np.where(True, 1, B))
    check(functions.clip(x, b, 9), np.clip(A, B, 9))
    check(functions.clip(b, None, 2), np.clip(B, None, 2))
    check(functions.round(x / 7, 2), np.round(A / 7, 2))
    check(functions.sinc(x / 5), np.sinc(A / 5))
    check(functions.angle(x - 2j), np.angle(A - 2j))
    check(functions.real(x + 1j), A)
    check(functions.imag(x + 1j), np.ones_like(A))
    check(functions.make_complex(x, 2.0), A + 2j)
    check(functions.isclose(x, x + 1e-9), np.isclose(A, A + 1e-9))
    nan = on_device(np.array([np.nan, 1]))
    check(functions.isclose(nan, nan, equal_nan=True), np.array([True, True]))
    check(functions.astype(b, "uint8"), B.astype("uint8"))
    out = functions.empty((3, 4))
    assert functions.clip(x, 2, 5, out=out) is out
    check(out, np.clip(A, 2, 5))


def test_assign(device):
    x = on_device(A)
    functions.assign(x, on_device(B))
    check(x, np.broadcast_to(B, (3, 4)).astype(float))
    with pytest.raises(TypeError, match="float64 to int64"):
        functions.assign(on_device(B), on_device(A[0]))
    functions.assign(on_device(B), on_device(A[0]), "unsafe")
    with pytest.raises(TypeError):
        functions.assign(A, 1)
    with pytest.raises(TypeError):
        functions.assign(x, "a")


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda f: f.empty((2, 0), "int8"), np.empty((2, 0), "int8")),
        (lambda f: f.full((2, 3), 7), np.full((2, 3), 7)),
        (lambda f: f.full(3, 1.5), np.full(3, 1.5)),
        (lambda f: f.full((), np.float32(2)), np.full((), np.float32(2))),
        (lambda f: f.full(2, 3, "complex64"), np.full(2, 3, "complex64")),
        (lambda f: f.arange(5), np.arange(5)),
        (lambda f: f.arange(2, 9, 3), np.arange(2, 9, 3)),
        (lambda f: f.arange(0.5, 3), np.arange(0.5, 3)),
        (lambda f: f.arange(5, -1, -2, "float32"), np.arange(5, -1, -2, "float32")),
        (lambda f: f.linspace(0, 1, 5), np.linspace(0, 1, 5)),
        (lambda f: f.linspace(3, -1, 4, False, "float32"), np.linspace(3, -1, 4, False, dtype="float32")),
        (lambda f: f.eye(3), np.eye(3)),
        (lambda f: f.eye(2, 4, 1, "int32"), np.eye(2, 4, 1, "int32")),
        (lambda f: f.tri(3, 4, -1), np.tri(3, 4, -1)),
        (lambda f: f.positions((2, 3), 1), np.indices((2, 3))[1]),
        (lambda f: f.from_host([[1, 2], [3, 4]], "float32"), np.array([[1, 2], [3, 4]], "float32")),
        (lambda f: f.from_host(A.T), A.T),
    ],
)
def test_making_arrays(device, call, expected):
    got = call(functions)
    check(got, expected)
    assert type(got) is _core.ndarray_class()
    assert got.device is _core.device(device)


def test_making_arrays_elsewhere(device):
    cpu = _core.device("cpu")
    assert functions.arange(3, device="cpu").device is cpu
    stream = cpu.create_stream()
    x = functions.full(3, 1, stream=stream)
    assert x.stream == stream
    assert (x + 1).stream == cpu.default_stream
    for order, contiguous in (("K", "f"), ("C", "c"), ("F", "f")):
        assert getattr(functions.from_host(A.T, order=order).flags, contiguous + "_contiguous")


def test_moving_elements(device):
    x = on_device(A)
    check(functions.broadcast_to(x, (2, 3, 4)), np.broadcast_to(A, (2, 3, 4)))
    rows, columns = functions.broadcast_arrays(on_device(B), on_device(A[:, :1]))
    for got, expected in zip((rows, columns), np.broadcast_arrays(B, A[:, :1]), strict=True):
        check(got, expected)
    assert functions.broadcast_shapes((3, 1), 4, (2, 1, 1)) == (2, 3, 4)
    check(functions.expand_dims(x, (0, -1)), np.expand_dims(A, (0, -1)))
    check(functions.flip(x), np.flip(A))
    check(functions.flip(x, 1), np.flip(A, 1))
    check(functions.reshape(x, (2, -1)), A.reshape(2, -1))
    check(functions.transpose(x), A.T)
    check(functions.moveaxis(on_device(A[None]), [0, 2], [-1, 0]), np.moveaxis(A[None], [0, 2], [-1, 0]))
    check(functions.squeeze(on_device(A[None, :, None])), A)
    check(functions.concatenate([x, x[:1]]), np.concatenate([A, A[:1]]))
    check(
        functions.concatenate([x, on_device(B)[None]], dtype="float32"), np.concatenate([A, B[None]], dtype="float32")
    )
    check(functions.concatenate((x, on_device(B)), axis=None), np.concatenate((A, B), axis=None))
    check(functions.concatenate(x), np.concatenate(A))
    check(functions.stack([x, x + 1], axis=-1), np.stack([A, A + 1], axis=-1))
    check(functions.repeat(x, [1, 2, 0], axis=0), np.repeat(A, [1, 2, 0], axis=0))
    check(functions.repeat(on_device(B), on_device(np.array([0, 1, 2, 1]))), np.repeat(B, [0, 1, 2, 1]))
    check(functions.tile(x, (2, 1, 2)), np.tile(A, (2, 1, 2)))
    check(functions.roll(x, 3), np.roll(A, 3))
    check(functions.roll(x, (1, -1), (0, 1)), np.roll(A, (1, -1), (0, 1)))
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        check(functions.pad(x, (1, 2), (0, 1), mode), np.pad(A, ((1, 0), (2, 1)), mode))
    check(functions.pad(x, (1, 2), (0, 1), value=9), np.pad(A, ((1, 0), (2, 1)), constant_values=9))
    check(functions.diagonal(x, 1), np.diagonal(A, 1))
    check(functions.matmul(x, x.T), A @ A.T)
    check(functions.dot(x, on_device(B)), A.dot(B))
    check(functions.dot(x, 3), A.dot(3))


def test_joining_into_out(device):
    x, out = on_device(A), functions.empty((6, 4), "float32")
    assert functions.concatenate([x, x], out=out) is out
    check(out, np.concatenate([A, A]).astype("float32"))
    assert functions.stack([x, x], out=(y := functions.empty((2, 3, 4)))) is y
    product = functions.empty((3, 3))
    assert functions.matmul(x, x.T, out=product) is product
    check(product, A @ A.T)


def test_types(device):
    assert functions.result_type(on_device(B), 1.5) == np.result_type(B, 1.5)
    assert functions.result_type("float32", 1j) == np.result_type("float32", 1j)
    assert functions.result_type(np.int8, np.uint8(3)) == np.result_type(np.int8, np.uint8(3))
    assert functions.result_type(True, 2) == np.result_type(True, 2)
    assert functions.promote_types("int32", "float32") == np.promote_types("int32", "float32")
    assert functions.can_cast("int32", "float64")
    assert not functions.can_cast(on_device(A), "float32")
    assert functions.can_cast(on_device(A), "float32", "same_kind")
    for wrong in (lambda: functions.can_cast(3, "int8"), lambda: functions.result_type("S3")):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        functions.result_type()


def test_wrapping_other_arrays(device):
    class Mine(_core.ndarray):
        __slots__ = ()

    plain = _core.Array.from_host(A)
    x = functions.wrap(plain, Mine)
    assert type(x) is Mine
    x[...] = 1
    assert plain.to_host().sum() == 12
    assert functions.wrap(x) is x
    with pytest.raises(TypeError):
        functions.wrap(object())


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda x: functions.broadcast_to(x, (3, 5)), ValueError),
        (lambda x: functions.broadcast_shapes((3,), (4,)), ValueError),
        (lambda x: functions.broadcast_arrays(x, on_device(np.ones(5))), ValueError),
        (lambda x: functions.expand_dims(x, 9), ValueError),
        (lambda x: functions.moveaxis(x, [0, 0], [0, 1]), ValueError),
        (lambda x: functions.moveaxis(x, 0, [0, 1]), ValueError),
        (lambda x: functions.concatenate([]), ValueError),
        (lambda x: functions.concatenate([x, x.T]), ValueError),
        (lambda x: functions.concatenate([x, A]), TypeError),
        (lambda x: functions.concatenate([x], dtype="int8"), TypeError),
        (lambda x: functions.concatenate([x], dtype="int8", out=x), TypeError),
        (lambda x: functions.concatenate(3), TypeError),
        (lambda x: functions.stack([x, x[0]]), ValueError),
        (lambda x: functions.pad(x, (1, 1), (1, 1), "nope"), ValueError),
        (lambda x: functions.where(x, "a", 1), TypeError),
        (lambda x: functions.clip(x), ValueError),
        (lambda x: functions.full(3, "a"), TypeError),
        (lambda x: functions.full(3, 300, "uint8"), OverflowError),
        (lambda x: functions.arange(1, 5, 0), ValueError),
        (lambda x: functions.linspace(0, 1, -1), ValueError),
        (lambda x: functions.empty(-1), ValueError),
        (lambda x: functions.take(x, "a"), IndexError),
        (lambda x: functions.evaluate("a"), TypeError),
        (lambda x: functions.from_host(A, order="X"), ValueError),
    ],
)
def test_refusals(device, call, error):
    with pytest.raises(error):
        call(on_device(A))
