"""The functions of the array API standard 2025.12, called in the standard's spelling, against NumPy's."""

import numpy as np
import pytest

import lanewise as lw

CALLS = """
xp.arange(5, dtype=xp.int64)
xp.arange(1, 9, 2)
xp.arange(3.0, stop=5.0, step=0.5)
xp.asarray([1, 2], dtype=xp.float32, copy=True)
xp.asarray(x, copy=True)
xp.asarray(x, copy=None)
xp.empty((2, 3), dtype=xp.float32).shape
xp.empty_like(x, dtype=xp.int8).dtype
xp.eye(3)
xp.eye(2, 4, k=1, dtype=xp.int32)
xp.full((2, 2), 7, dtype=xp.float64)
xp.full(3, True)
xp.full_like(x, fill_value=2)
xp.linspace(0, 1, num=5, dtype=xp.float32, endpoint=False)
xp.linspace(1, 2 + 1j, 4)
xp.meshgrid(a, a + 1, indexing="ij")
xp.ones((2,), dtype=xp.bool)
xp.ones_like(x, dtype=xp.complex64)
xp.tril(x, k=-1)
xp.triu(x, k=1)
xp.zeros(4)
xp.zeros_like(x)
xp.astype(x, xp.float32, copy=False)
xp.broadcast_arrays(x, a)
xp.broadcast_to(a, (2, 4))
xp.broadcast_shapes((2, 1), (1, 3))
xp.result_type(xp.int8, xp.uint8)
xp.result_type(x, 1.5)
xp.can_cast(xp.int32, xp.float64)
xp.isdtype(xp.float32, "real floating")
xp.isdtype(x.dtype, ("integral", "bool"))
xp.finfo(xp.float32).eps
xp.finfo(xp.float32).smallest_normal
xp.iinfo(xp.int16).max
xp.clip(x, min=-1, max=1)
xp.clip(x, -0.5, None)
xp.clip(x, min=a)
xp.matmul(x, xp.matrix_transpose(x))
xp.tensordot(x, x, axes=((0,), (0,)))
xp.tensordot(x, a, axes=1)
xp.vecdot(x, x, axis=0)
xp.concat((x, x), axis=None)
xp.concat([x, x], axis=1)
xp.expand_dims(x, axis=1)
xp.expand_dims(x, axis=(0, -1))
xp.flip(x, axis=-1)
xp.flip(x)
xp.moveaxis(x, 0, -1)
xp.permute_dims(x, (1, 0))
xp.repeat(a, 3, axis=0)
xp.repeat(a, i)
xp.repeat(x, xp.asarray([1, 0, 2]), axis=0)
xp.reshape(x, (4, -1))
xp.reshape(x, (2, 6), copy=True)
xp.roll(x, shift=(1, 2), axis=(0, 1))
xp.roll(x, 3)
xp.squeeze(x[None], axis=0)
xp.stack([x, x], axis=1)
xp.tile(a, (2, 2))
xp.unstack(x, axis=1)
xp.argmax(x, axis=1, keepdims=True)
xp.argmin(x)
xp.count_nonzero(i, axis=0, keepdims=True)
xp.nonzero(i)
xp.where(x > 0, x, 0.0)
xp.take(x, i, axis=1)
xp.take(a, i)
xp.take_along_axis(x, xp.argmax(x, axis=0, keepdims=True), axis=0)
xp.cumulative_sum(x, axis=1, include_initial=True)
xp.cumulative_sum(a, dtype=xp.float64)
xp.cumulative_prod(a, axis=0, include_initial=True)
xp.max(x, axis=(0, 1), keepdims=True)
xp.mean(x, axis=0, keepdims=False)
xp.min(x, axis=-1)
xp.prod(i, dtype=xp.int64)
xp.prod(xp.asarray([3, 5], dtype=xp.int8))
xp.std(x, axis=0, correction=1.0)
xp.sum(x, axis=1, dtype=xp.float32, keepdims=True)
xp.sum(xp.asarray([True, True]))
xp.var(x, correction=1, keepdims=True)
xp.all(x > -9, axis=0)
xp.any(x > 9, axis=(0, 1), keepdims=True)
xp.diff(x, axis=0, n=2)
xp.diff(a, n=1, prepend=xp.asarray([0.0]), append=xp.asarray([9.0]))
xp.bitwise_invert(i)
xp.bitwise_left_shift(i, 2)
xp.bitwise_right_shift(8, i)
xp.atan2(x, 2.0)
xp.pow(2.0, x)
xp.pow(x, 2)
xp.maximum(x, 0.0)
xp.minimum(0.5, a)
xp.hypot(x, 1.0)
xp.copysign(a, -1.0)
xp.logaddexp(x, 0.0)
xp.nextafter(a, a + 1)
xp.remainder(x, -2.0)
xp.floor_divide(x, 0.5)
xp.sign(x - 1j * x)
xp.round(x)
xp.ceil(i)
xp.trunc(i)
xp.abs(x + 1j)
xp.conj(x + 1j)
xp.imag(x + 1j)
xp.signbit(x)
xp.reciprocal(a)
xp.logical_xor(x > 0, True)
x.mT
x.T @ x
x[..., None][:, 0, :]
x[i % 3, i]
x[xp.asarray(1), :]
complex(a[1])
[1, 2, 3][int(i[0])]
""".strip().splitlines()


def operands(xp):
    x = np.linspace(-2.3, 2.9, 12).reshape(3, 4)
    a, i = np.array([0.25, 1.5, 2.0, 3.5]), np.array([1, 0, 3, 2])
    return {"xp": xp, "np": np, "x": xp.asarray(x), "a": xp.asarray(a), "i": xp.asarray(i)}


def same(got, expected):
    if isinstance(expected, (tuple, list)):
        assert type(got) is tuple or isinstance(expected, list) or not isinstance(expected, tuple)
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            same(one, other)
    elif isinstance(got, lw.ndarray):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        np.testing.assert_allclose(got.get(), expected, rtol=1e-6, atol=1e-12)
    else:
        assert got == expected


@pytest.mark.parametrize("call", CALLS)
def test_call(device, call):
    same(eval(call, operands(lw)), eval(call, operands(np)))


@pytest.mark.parametrize(
    "name",
    ["arange(3)", "zeros(3)", "ones(3)", "full(3, 1)", "empty(3)", "eye(3)", "asarray([1])", "linspace(0, 1, 3)"],
)
def test_creation_takes_a_device(device, name):
    head, arguments = name.split("(", 1)
    for where in (device, lw.current_device()):
        made = eval(f"lw.{head}({arguments[:-1]}, device=where)")
        assert made.device is lw.current_device()


def test_copy_false_refuses_what_needs_a_copy(device):
    x = lw.arange(3)
    assert lw.asarray(x, copy=False) is x
    for call in (
        lambda: lw.asarray([1, 2], copy=False),
        lambda: lw.asarray(x, dtype="float32", copy=False),
        lambda: lw.reshape(lw.ones((2, 3)).T, (6,), copy=False),
    ):
        with pytest.raises(ValueError, match="copy"):
            call()


def test_scalars_of_wrong_kind(device):
    with pytest.raises((TypeError, OverflowError)):
        lw.asarray([1], dtype="uint8") + 300
    with pytest.raises(TypeError):
        lw.bitwise_and(lw.ones(3), 1)
