"""Methods and attributes of arrays, against NumPy."""

import numpy as np
import pytest

import lanewise as lw

from .comparison import Input, check

PROGRAMS = """
x.shape
x.ndim
x.size
x.dtype
x.itemsize
x.nbytes
x.strides
x.T
x.mT
x.real
x.imag
x.flags.c_contiguous
x.flags.f_contiguous
x.flags["C"], x.flags["F_CONTIGUOUS"], x.flags.fnc, x.flags.forc
x.flags.writeable
xp.broadcast_to(x, (2, 2, 3)).flags.writeable
x.item(0)
x.item(1, 2)
x.item((0, 1))
x.item()
x[:1, :1].item()
x.tolist()
x[0, 0].tolist()
x.tobytes()
x.tobytes("F")
x.astype("float64")
x.astype(int)
x.astype("complex64")
x.astype("int8", casting="safe")
x.astype(bool)
x.astype("float32", order="F").strides
x.copy()
x.copy("F").strides
x.copy("K").strides
x.view("uint8") if x.flags.c_contiguous else x.copy("C").view("uint8")
x.reshape(3, 2)
x.reshape((3, -1))
x.reshape(-1, order="F")
x.reshape(4, 4)
x.flatten()
x.flatten("F")
x.ravel()
x.squeeze()
x.transpose()
x.transpose(1, 0)
x.transpose((1, 0))
x.swapaxes(0, 1)
x.diagonal()
x.diagonal(1)
x.repeat(2)
x.repeat([1, 2], axis=0)
x.take([0, 2])
x.take([0, 2], axis=1)
x.choose([x, x]) if False else xp.asarray([0, 1, 0]).choose([x[0], x[1]])
x.compress([True, False], axis=0)
x.nonzero()
x.clip(0, 1)
x.clip(min=0)
x.clip(max=1)
x.round()
x.round(1)
x.conj()
x.conjugate()
x.dot(x.T)
x.trace()
x.sum()
x.sum(0)
x.sum(axis=1, keepdims=True)
x.sum(dtype="float64")
x.sum(initial=3)
x.sum(where=x > 0)
x.prod(1)
x.mean(0)
x.var(ddof=1)
x.std(1)
x.max(1)
x.min(axis=(0, 1))
x.max(initial=5)
x.argmax()
x.argmin(0)
(x > 0).any()
(x > 0).all(1)
x.cumsum()
x.cumsum(axis=0)
x.cumprod(1)
x.byteswap()
-x
abs(x)
x[0] in [1, 2] if False else bool((x == x).all())
2 in xp.asarray([1, 2])
7 in xp.asarray([1, 2])
len(x)
list(map(lambda row: row.shape, x))
divmod(x, 2)
float(x[0, 0])
int(x[0, 0])
complex(x[0, 0])
bool(x[0, 0])
bool(x)
float(x)
str(x)
repr(x)
f"{x}"
f"{x[0, 0].item():.3f}"
x.flat[3] if xp is np else x.flat[3].item()
x.__array_priority__ > 0 or xp is np
x[0][1]
x[0, 1] + 1
x = xp.array(x); x += 1
x = xp.array(x); x *= x
x = xp.array(x); x[0] -= x[1]
x = xp.array(x); x.fill(3)
x = xp.array(x); x.put([0, 1], [7, 8])
x = xp.array(x); x.real = 5
x = xp.array(x); x.flat = 2
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_same_as_numpy(device, program):
    for dtype, layout in (("float32", "C"), ("int64", "F"), ("float64", "strided"), ("uint8", "reversed")):
        check(program, x=Input((2, 3), dtype, layout))


COMPLEX_PROGRAMS = """
x.real
x.imag
x.conj()
abs(x)
x.real.flags.c_contiguous
x = xp.array(x); x.imag = 0
x = xp.array(x); x.real[...] = 1
x = xp.array(x); x.real *= 2
complex(x[0, 0])
x > 0
x.max()
x.sum(0)
x.astype("float32")
""".strip().splitlines()


@pytest.mark.parametrize("program", COMPLEX_PROGRAMS)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_complex(device, program):
    for layout in ("C", "swapped"):
        check(program, x=Input((2, 3), "complex64", layout))


def test_comparisons_with_other_objects(device):
    x = lw.arange(3)
    assert (x == "text") is False and (x != "text") is True
    with pytest.raises(TypeError, match="asarray"):
        x == [0, 1, 2]


def test_complex_numbers_do_not_become_floats(device):
    with pytest.raises(TypeError):
        float(lw.asarray(1 + 2j))


def test_views_share_memory(device):
    x = lw.arange(6.0).reshape(2, 3)
    for view in (x[1:], x.T, x.ravel(), x.reshape(3, 2), x.swapaxes(0, 1), x[None], x.view(), x.squeeze()):
        assert lw.shares_memory(x, view)
    for copy in (x.copy(), x.flatten(), x[[0, 1]], x[x > 0], x + 0, x.astype("float64")):
        assert not lw.shares_memory(x, copy)


def test_writing_through_views_of_pending_arrays(device):
    x = lw.arange(6.0) + 1
    view = x[::2]
    view += 10
    np.testing.assert_array_equal(x.get(), [11, 2, 13, 4, 15, 6])


def test_read_only_arrays(device):
    x = lw.broadcast_to(lw.ones(3), (2, 3))
    for call in (lambda: x.fill(1), lambda: lw.add(x, 1, out=x), lambda: lw.copyto(x, 1)):
        with pytest.raises(ValueError, match="read-only"):
            call()
    assert x.copy().flags.writeable
