"""Functions that move elements, against NumPy, over dtypes and layouts."""

import pytest

from .comparison import LAYOUTS, Input, check

VARIANTS = [
    ("float32", "C"),
    ("float64", "F"),
    ("int32", "reversed"),
    ("complex64", "strided"),
    ("bool", "swapped"),
    ("uint8", "C"),
]

# Of x with shape (2, 3, 4), y with (2, 3, 4), v with (4,) and m with (3, 4).
PROGRAMS = """
xp.reshape(x, (4, 6))
xp.reshape(x, -1)
xp.reshape(x, (3, -1), order="F")
xp.reshape(x, (2, 3, 4), copy=True)
xp.reshape(x, (5, 5))
xp.ravel(x)
xp.ravel(x, order="F")
x.flatten()
x.flatten("F")
xp.transpose(x)
xp.transpose(x, (1, 2, 0))
xp.transpose(x, (0, 0, 1))
x.transpose(2, 0, 1)
x.T
x.mT
xp.matrix_transpose(x)
xp.permute_dims(x, (2, 1, 0))
xp.moveaxis(x, 0, -1)
xp.moveaxis(x, (0, 1), (-1, 0))
xp.moveaxis(x, 0, 5)
xp.rollaxis(x, 2)
xp.rollaxis(x, 0, 3)
xp.rollaxis(x, -1, -2)
xp.swapaxes(x, 0, 2)
xp.swapaxes(x, -1, -2)
x.swapaxes(0, 1)
xp.squeeze(x[:, :1])
xp.squeeze(x[:1, :, :1], axis=0)
xp.squeeze(x[:1, :, :1], axis=(0, 2))
xp.squeeze(x, axis=1)
xp.expand_dims(x, 0)
xp.expand_dims(x, (1, -1))
xp.expand_dims(x, 7)
xp.atleast_1d(x, v, x[0, 0, 0])
xp.atleast_2d(v)
xp.atleast_2d(x, v)
xp.atleast_3d(v, m, x)
xp.broadcast_to(v, (3, 4))
xp.broadcast_to(m, (2, 3, 4))
xp.broadcast_to(x, (3, 4))
xp.broadcast_arrays(x, v, m)
xp.broadcast_arrays(x, v[:3])
xp.broadcast_shapes((2, 1), (3,))
xp.concatenate([x, y])
xp.concatenate((x, y), axis=1)
xp.concatenate((x, y), axis=-1)
xp.concatenate((x, y), axis=None)
xp.concatenate((x, y), axis=3)
xp.concatenate((x, v))
xp.concatenate([x, y], dtype="complex64")
xp.concatenate([])
xp.concat([x, y])
xp.stack([x, y])
xp.stack((x, y), axis=-1)
xp.stack((x, y), axis=2)
xp.stack((x, v))
xp.vstack([v, m])
xp.vstack([v, v])
xp.hstack([v, v])
xp.hstack([x, y])
xp.dstack([v, v])
xp.dstack([m, m])
xp.dstack([x, y])
xp.column_stack([v, v])
xp.column_stack([m, m[:, 0]])
xp.block([[m, m], [m, m]])
xp.block([v, v[:2]])
xp.block([[m], [v]])
xp.block([[x, y]])
xp.block(v)
xp.block([[v], v])
xp.block([])
xp.split(x, 2)
xp.split(x, 3, axis=1)
xp.split(x, 2, axis=1)
xp.split(v, [1, 3])
xp.array_split(v, 3)
xp.array_split(x, [1, 2, 9], axis=2)
xp.array_split(v, 0)
xp.hsplit(x, 3)
xp.hsplit(v, 2)
xp.vsplit(m, 3)
xp.vsplit(v, 2)
xp.dsplit(x, 2)
xp.dsplit(m, 2)
xp.unstack(x)
xp.unstack(x, axis=-1)
xp.tile(v, 3)
xp.tile(x, (2, 1))
xp.tile(m, (2, 1, 2))
xp.tile(v, 0)
xp.repeat(x, 2)
xp.repeat(x, 2, axis=1)
xp.repeat(m, [0, 2, 1], axis=0)
xp.repeat(v, (1, 0, 2, 3))
xp.repeat(m, [1, 2], axis=0)
x.repeat(3, 2)
xp.roll(x, 1)
xp.roll(x, -5)
xp.roll(x, 2, axis=1)
xp.roll(x, (1, 2), axis=(0, 2))
xp.roll(x, 1, axis=4)
xp.flip(x)
xp.flip(x, 1)
xp.flip(x, (0, -1))
xp.fliplr(x)
xp.fliplr(v)
xp.flipud(v)
xp.rot90(m)
xp.rot90(m, 2)
xp.rot90(m, -1)
xp.rot90(x, 1, (1, 2))
xp.rot90(v)
xp.rot90(x, 1, (1, 1))
xp.pad(v, 2)
xp.pad(m, ((1, 2), (0, 3)))
xp.pad(m, (1, 2), mode="edge")
xp.pad(m, {0: (1, 0)})
xp.pad(v, (2, 1), mode="reflect")
xp.pad(v, (9, 8), mode="reflect")
xp.pad(m, 2, mode="symmetric")
xp.pad(v, (11, 5), mode="symmetric")
xp.pad(m, ((3, 1), (2, 5)), mode="wrap")
xp.pad(x, 1, mode="wrap")
xp.pad(v, -1)
xp.pad(v, (1, 2, 3))
xp.pad(v, 2, mode="nothing")
xp.pad(v, 2, mode="edge", constant_values=3)
xp.append(v, v)
xp.append(x, y)
xp.append(x, y, axis=1)
xp.append(x, v, axis=0)
xp.delete(v, 1)
xp.delete(v, -1)
xp.delete(v, [0, 2])
xp.delete(m, slice(None, None, 2), axis=0)
xp.delete(m, [1, 3], axis=1)
xp.delete(x, 2)
xp.delete(v, 4)
xp.delete(v, [True, False, False, True])
xp.resize(v, (3, 3))
xp.resize(x, 5)
xp.resize(x, (2, 0))
xp.resize(v, (-1, 2))
xp.trim_zeros(xp.concatenate([xp.zeros_like(v), v, xp.zeros_like(v)]))
xp.trim_zeros(xp.concatenate([xp.zeros_like(v), v]), "b")
xp.trim_zeros(xp.zeros_like(m))
xp.diag(v)
xp.diag(v, 2)
xp.diag(v, -1)
xp.diag(m)
xp.diag(m, 1)
xp.diag(m, -2)
xp.diag(x)
xp.diagflat(m, 1)
xp.diagonal(x)
xp.diagonal(x, 1, 1, 2)
xp.diagonal(v)
x.diagonal(-1, 2, 0)
xp.tril(m)
xp.tril(x, 1)
xp.triu(m, -1)
xp.triu(x, 1)
xp.triu(v)
xp.trace(m)
xp.trace(x, 1, 1, 2)
xp.shape(x)
xp.ndim(x)
xp.size(x)
xp.size(x, 1)
len(x)
[part for part in m]
xp.copy(x)
xp.copy(x, order="F")
xp.ascontiguousarray(x)
xp.asfortranarray(x)
xp.meshgrid(v, m[:, 0])
xp.meshgrid(v, v[:2], v[:3])
xp.meshgrid(v, v[:2], indexing="ij")
xp.meshgrid(v, v[:2], sparse=True)
xp.lib.stride_tricks.sliding_window_view(x, 2, axis=1)
xp.lib.stride_tricks.sliding_window_view(m, (2, 3))
np.lib.stride_tricks.sliding_window_view(m, (2, 2))
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_numpy(device, program):
    for dtype, layout in VARIANTS:
        check(
            program,
            x=Input((2, 3, 4), dtype, layout),
            y=Input((2, 3, 4), dtype, "C", seed=1),
            v=Input((4,), dtype, layout),
            m=Input((3, 4), dtype, layout),
        )


EMPTY_PROGRAMS = """
xp.reshape(x, (0, 5))
xp.ravel(x)
xp.transpose(x)
xp.concatenate([x, x], axis=1)
xp.stack([x, x])
xp.tile(x, 2)
xp.repeat(x, 2, axis=2)
xp.roll(x, 1)
xp.flip(x)
xp.pad(x, 1)
xp.pad(x, 1, mode="edge")
xp.split(x, 2, axis=2)
xp.broadcast_to(x, (2, 2, 0, 4))
xp.delete(x, [], axis=0)
xp.expand_dims(x, 1)
xp.copy(x)
""".strip().splitlines()


@pytest.mark.parametrize("program", EMPTY_PROGRAMS)
def test_arrays_without_elements(device, program):
    for layout in LAYOUTS:
        check(program, x=Input((2, 0, 4), "float32", layout))


@pytest.mark.parametrize(
    "program",
    [
        *("xp.reshape(z, (1, 1))", "xp.ravel(z)", "xp.transpose(z)", "xp.expand_dims(z, 0)", "xp.squeeze(z)"),
        *("xp.atleast_1d(z)", "xp.atleast_3d(z)", "xp.broadcast_to(z, (2, 3))", "xp.stack([z, z])", "xp.flip(z)"),
        *("xp.concatenate([z, z])", "xp.concatenate([z, z], axis=None)", "xp.hstack([z, z])", "xp.vstack([z, z])"),
        *("xp.tile(z, 3)", "xp.repeat(z, 3)", "xp.roll(z, 1)", "xp.pad(z, 0)", "xp.append(z, z)", "xp.copy(z)"),
        *("len(z)", "[part for part in z]", "xp.swapaxes(z, 0, 0)", "xp.moveaxis(z, 0, 0)", "xp.diag(z)"),
    ],
)
def test_arrays_without_dimensions(device, program):
    check(program, z=Input((), "float64"))


@pytest.mark.parametrize(
    "mode", ["linear_ramp", "maximum", "minimum", "mean", "empty", "constant", "reflect", "symmetric"]
)
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_padding_that_computes(device, mode, dtype):
    keywords = {
        "linear_ramp": [{}, {"end_values": ((3, -2), (5, 4))}],
        "maximum": [{}, {"stat_length": 2}, {"stat_length": ((1, 2), (3, 1))}],
        "minimum": [{}, {"stat_length": 2}],
        "mean": [{}, {"stat_length": 2}],
        "empty": [{}],
        "constant": [{"constant_values": 3}, {"constant_values": ((1, 2), (3, 4))}],
        "reflect": [{"reflect_type": "odd"}],
        "symmetric": [{"reflect_type": "odd"}],
    }
    for given in keywords[mode]:
        program = f"xp.pad(m, ((2, 1), (1, 3)), mode={mode!r}, **given)"
        if mode == "empty":
            program += "[2:-1, 1:-3]"
        check(program, m=Input((3, 4), dtype, "F"), given=given)


@pytest.mark.parametrize(
    "program",
    [
        "xp.insert(v, 1, 5)",
        "xp.insert(v, -1, 5)",
        "xp.insert(v, 4, 5)",
        "xp.insert(v, [1, 3], [7, 8])",
        "xp.insert(v, [3, 1, 1], [7, 8, 9])",
        "xp.insert(v, slice(0, 3), 6)",
        "xp.insert(v, [], [])",
        "xp.insert(v, 9, 1)",
        "xp.insert(m, 1, 5, axis=0)",
        "xp.insert(m, 1, [1, 2, 3], axis=1)",
        "xp.insert(m, [1], [[1], [2], [3]], axis=1)",
        "xp.insert(m, [0, 2], 4, axis=1)",
        "xp.insert(m, 2, 3)",
        "xp.insert(v, 2, [7, 8, 9])",
    ],
)
def test_insert(device, program):
    check(program, v=Input((4,), "int64"), m=Input((3, 4), "float32", "F"))
