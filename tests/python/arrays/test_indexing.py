"""Reading and writing by indices, against NumPy."""

import pytest

from .comparison import Input, check

READS = """
x[1]
x[-1, 2]
x[1, 2, 3]
x[5]
x[0, 0, 0, 0]
x[1:]
x[:, ::2]
x[..., -1]
x[None]
x[:, None, 1]
x[::-1, 1:3, ::-2]
x[...]
x[()]
x[1, ...]
x[xp.asarray([1, 0, 1])]
x[[1, 0]]
x[:, [0, 2]]
x[[0, 1], [1, 2]]
x[[0, 1], :, [1, 2]]
x[:, [0, 1], [1, 2]]
x[[[0, 1], [1, 0]]]
x[[0, -1], 1]
x[1, [0, 1]]
x[1, :, [0, 1]]
x[xp.asarray([[0], [1]]), xp.asarray([0, 2])]
x[x > 0]
x[x[:, 0, 0] > -9]
x[:, x[0, :, 0] > -9]
x[x[:, :, 0] > 0]
x[x[:, :, 0] > 0, 1]
x[..., x[0, 0] > 0]
x[True]
x[False]
x[[True, False]]
x[xp.asarray([], dtype=int)]
x[xp.zeros((0, 3), int)]
x[1.5]
x["a"]
x[x]
x[xp.zeros((3, 3), bool)]
xp.take(x, [0, 1], axis=1)
xp.take(x, [3, 23, -1])
xp.take(x, 1, axis=0)
xp.take(x, [[0, 1], [2, 3]], axis=2)
xp.take(x, [5, -9, 1], axis=1, mode="wrap")
xp.take(x, [5, -9, 1], axis=1, mode="clip")
xp.take(x, [0], axis=3)
x.take([1, 2])
xp.take_along_axis(x, xp.asarray([[[0], [1], [2]], [[3], [2], [1]]]), axis=2)
xp.take_along_axis(x, xp.zeros((1, 3, 4), int), axis=0)
xp.take_along_axis(x, xp.asarray([0, 5, 2]), axis=None)
xp.take_along_axis(x, xp.zeros(3, int), axis=0)
xp.compress(xp.asarray([True, False, True]), x, axis=1)
xp.compress([False, True], x, axis=0)
xp.compress([True, False, True], x)
x.compress([True, False], axis=0)
xp.extract(x > 0, x)
xp.nonzero(x)
xp.nonzero(x > 0)
xp.flatnonzero(x > 0)
xp.argwhere(x > 0)
xp.argwhere(x[0, 0, 0] > 9)
xp.nonzero(x[0, 0, 0])
xp.choose(xp.asarray([0, 1, 1, 0]), [x[0, 0], x[1, 1]])
xp.choose(xp.asarray([0, 5, -1, 1]), [x[0, 0], x[1, 1]], mode="wrap")
xp.choose(xp.asarray([0, 5, -1, 1]), [x[0, 0], x[1, 1]], mode="clip")
xp.choose(xp.asarray([0, 5, 1, 1]), [x[0, 0], x[1, 1]])
xp.select([x > 1, x > 0], [x, x * 2], 7)
xp.select([x > 1, x[0] > 0], [x, 3])
xp.select([x > 1], [x, x])
xp.select([x], [x])
xp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2])
xp.piecewise(x, [x < 0], [-1, 1])
xp.piecewise(x, x < 0, [lambda v: v * v])
xp.piecewise(x, [x < 0, x > 1], [1, 2, 3])
xp.apply_along_axis(lambda v: v.sum(), 1, x)
xp.apply_along_axis(lambda v: v[::-1], 0, x)
xp.apply_along_axis(lambda v, n: v[:2] * n, 2, x, 3)
xp.apply_over_axes(xp.sum, x, [0, 2])
xp.diag_indices(3)
xp.diag_indices(3, 3)
xp.diag_indices_from(x[0, :, :3])
xp.diag_indices_from(x)
xp.tril_indices(3)
xp.tril_indices(3, 1, 4)
xp.triu_indices(3, -1)
xp.triu_indices(4, 2, 3)
xp.tril_indices_from(x[0])
xp.triu_indices_from(x[0], 1)
xp.triu_indices_from(x)
xp.mask_indices(3, xp.triu, 1)
xp.ix_(xp.asarray([0, 1]), xp.asarray([2, 0, 1]))
xp.ix_(xp.asarray([True, False, True]), xp.asarray([1]))
xp.ix_([0, 1], [2, 0, 1])
xp.ix_((1,), range(3), [])
xp.ix_([True, False, True], [1])
xp.ix_([[1]], [1])
x[xp.ix_([0, 1], [2, 0], [1, 3])]
x[xp.ix_(xp.asarray([0, 1]), xp.asarray([2, 0]), xp.asarray([1, 3]))]
xp.unravel_index(xp.asarray([0, 5, 23]), (2, 3, 4))
xp.unravel_index(xp.asarray([0, 5, 23]), (2, 3, 4), order="F")
xp.unravel_index(xp.asarray([24]), (2, 3, 4))
xp.ravel_multi_index((xp.asarray([0, 1]), xp.asarray([2, 1])), (2, 3))
xp.ravel_multi_index((xp.asarray([0, 1]), xp.asarray([2, 1])), (2, 3), order="F")
xp.ravel_multi_index((xp.asarray([0, 3]), xp.asarray([2, -1])), (2, 3), mode="wrap")
xp.ravel_multi_index((xp.asarray([0, 3]), xp.asarray([2, -1])), (2, 3), mode=("clip", "wrap"))
xp.ravel_multi_index((xp.asarray([0, 3]), xp.asarray([2, -1])), (2, 3))
list(xp.ndindex(2, 2))
xp.s_[1:3, ...]
""".strip().splitlines()


@pytest.mark.parametrize("program", READS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_reading(device, program):
    for dtype, layout in (("float32", "C"), ("int64", "reversed"), ("float64", "strided"), ("int8", "swapped")):
        check(program, x=Input((2, 3, 4), dtype, layout))


WRITES = """
x[1] = 5
x[1, 2, 3] = 5
x[9] = 5
x[:, ::2] = y[:, ::2]
x[...] = 3
x[1:, :, None] = 2.5
x[0] = y[0, 0]
x[0] = y
x[::-1] = x
x[1:] = x[:-1]
x[:, 1:] += x[:, :-1]
x[[1, 0]] = y
x[[0, 1], [1, 2]] = 7
x[[0, 1], :, [1, 2]] = y[:, :, 0]
x[:, [0, 2]] = y[:, :1]
x[x > 0] = 0
x[x > 0] = 1.5
x[x > 0] *= 2
x[x > 0] = y[x > 0]
x[x[:, 0, 0] > -9, 1] = 4
x[:, y[0, :, 0] > 0] = 9
x[xp.asarray([[0], [1]]), xp.asarray([0, 2])] = 3
x[...] = [[1], [2], [3]]
x[0] = [1, 2]
x[x] = 1
x[True] = 2
x[False] = 2
x[xp.asarray([], dtype=int)] = 1
x.fill(7)
x.T[...] = 1
x.flat = 4
x[5:] = 1
xp.put(x, [0, 5, -1], [7, 8])
xp.put(x, [0, 50], [7, 8], mode="clip")
xp.put(x, [0, 50], [7, 8], mode="wrap")
x.put([1, 2], 3)
xp.place(x, x > 0, [1, 2, 3])
xp.place(x, x > 99, [])
xp.place(x, x > -99, [])
xp.putmask(x, x > 0, y)
xp.putmask(x, x > 0, [1, 2])
xp.putmask(x, x[0] > 0, 1)
xp.copyto(x, y)
xp.copyto(x, 3)
xp.copyto(x, y[0])
xp.copyto(x, y, where=x > 0)
xp.copyto(x, 9, where=y[0] > 0)
xp.copyto(x, np.ones((4, 1)))
xp.copyto(x, np.ones(4), where=x > 0)
xp.copyto(x, np.ones(4, complex))
xp.copyto(x, np.ones(3))
xp.copyto(x, y + 0.5j)
xp.copyto(x, y[:, :2])
xp.put_along_axis(x, xp.asarray([[[0], [1], [2]], [[3], [2], [1]]]), 9, axis=2)
xp.put_along_axis(x, xp.zeros((1, 3, 4), int), y[:1], axis=0)
xp.fill_diagonal(x[0], 5)
xp.fill_diagonal(x[0, :, :3], xp.asarray([1, 2]))
xp.fill_diagonal(x, 1)
xp.fill_diagonal(x[0, 0], 1)
t = xp.zeros((7, 3)); xp.fill_diagonal(t, 2, wrap=True); x = t
t = xp.zeros((7, 3)); xp.fill_diagonal(t, [1, 2, 3], wrap=True); x = t
t = xp.zeros((7, 3)); xp.fill_diagonal(t, 2); x = t
t = xp.zeros((3, 3, 3), int); xp.fill_diagonal(t, 4); x = t
xp.add.at(x, (xp.asarray([0, 0, 1]), xp.asarray([1, 1, 2])), 2)
xp.broadcast_to(x[0], (2, 3, 4))[0] = 1
x.real = 2
x.imag = 2
""".strip().splitlines()


@pytest.mark.parametrize("program", WRITES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_writing(device, program):
    for dtype, layout in (("float32", "C"), ("int64", "reversed"), ("float64", "swapped")):
        # The array is kept in `x`, a copy of the input with its layout.
        program_of_copy = "x = (xp.array(x.T, order='C').T if x.flags.f_contiguous else xp.array(x)); " + program
        check(program_of_copy, x=Input((2, 3, 4), dtype, layout), y=Input((2, 3, 4), dtype, "C", seed=1))
