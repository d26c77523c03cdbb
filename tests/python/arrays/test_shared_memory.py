"""Which results share memory with an argument, so that writing to one is seen in the other: those of NumPy."""

import numpy as np
import pytest

import lanewise as lw

from .comparison import Input, assert_same

# Where there is nothing to do, a copy is easily forgotten.
RESULTS = [
    "xp.roll(x, 0)",
    "xp.roll(x, 3, 0)",
    "xp.roll(x, 0, 1)",
    "xp.roll(x, (0, 0), (0, 1))",
    "xp.pad(x, 0)",
    "xp.pad(x, 0, mode='edge')",
    "xp.pad(x, 0, mode='reflect')",
    "xp.pad(x, 0, mode='linear_ramp')",
    "xp.tile(x, 1)",
    "xp.tile(x, (1, 1))",
    "xp.repeat(x, 1, 0)",
    "xp.repeat(x, 1)",
    "xp.concatenate([x])",
    "xp.stack([x])",
    "xp.hstack([x])",
    "xp.vstack([x])",
    "xp.dstack([x])",
    "xp.block([[x]])",
    "xp.append(x, x[:0], 0)",
    "xp.delete(x, [], 0)",
    "xp.insert(x, [], 0, 1)",
    "xp.resize(x, x.shape)",
    "xp.einsum('ij', x)",
    "xp.einsum('ij->ji', x)",
    "xp.einsum('ij->i', x)",
    "xp.einsum('ij->j', x)",
    "xp.sum(x, axis=())",
    "xp.max(x, axis=())",
    "xp.sum(x, axis=0)",
    "xp.max(x, axis=0, keepdims=True)",
    "xp.prod(x[:1], axis=0)",
    "xp.add.reduce(x[:1])",
    "xp.bitwise_xor.reduce(x[:1])",
    "xp.add.accumulate(x[:1])",
    "xp.bitwise_xor.accumulate(x[:1])",
    "xp.maximum.accumulate(x[:1])",
    "xp.cumsum(x[:1], axis=0)",
    "xp.cumprod(x[:1], axis=0)",
    "xp.diff(x, n=0)",
    "xp.round(x)",
    "xp.round(x, 2)",
    "xp.around(x, -1)",
    "x.round()",
    "xp.trunc(x)",
    "xp.floor(x)",
    "xp.fix(x)",
    "xp.positive(x)",
    "+x",
    "xp.absolute(x)",
    "xp.conjugate(x)",
    "x.conj()",
    "xp.real(x)",
    "xp.real(x + 0)",
    "xp.imag(x)",
    "x.imag",
    "x.T[1].imag",
    "x.real",
    "xp.nan_to_num(x)",
    "xp.clip(x, -100, 100)",
    "xp.where(x == x, x, 0)",
    "xp.select([x == x], [x])",
    "xp.choose(x == x, [x, x])",
    "xp.take(x, [0, 1, 2, 3], 0)",
    "xp.compress([True] * 4, x, 0)",
    "x[[0, 1, 2, 3]]",
    "x[...]",
    "x[()]",
    "x[:, None, 0]",
    "xp.tril(x, 9)",
    "xp.triu(x, -9)",
    "xp.diag(x)",
    "xp.diag(x[0])",
    "xp.diagonal(x)",
    "x.astype(x.dtype)",
    "x.astype(x.dtype, copy=False)",
    "xp.array(x)",
    "xp.asarray(x)",
    "xp.ascontiguousarray(x)",
    "xp.asfortranarray(x)",
    "xp.copy(x)",
    "x.copy()",
    "x.flatten()",
    "x.ravel()",
    "xp.ravel(x, 'F')",
    "x.ravel('K')",
    "x[0].ravel()",
    "x[:, 0].ravel()",
    "x[::-1].ravel()",
    "x[:1, ::2].ravel('F')",
    "x[:, 1:2].ravel('K')",
    "x[1:2, ::-1].ravel('A')",
    "x[0, ::-1].flatten()",
    "x.reshape(-1)",
    "x.reshape(x.shape)",
    "xp.reshape(x, -1, order='F')",
    "x.T",
    "x.swapaxes(0, 1)",
    "xp.moveaxis(x, 0, 0)",
    "xp.squeeze(x)",
    "xp.squeeze(x[None])",
    "xp.expand_dims(x, 0)",
    "xp.atleast_1d(x)",
    "xp.atleast_3d(x)",
    "xp.flip(x, 0)",
    "xp.rot90(x, 4)",
    "xp.split(x, 1)[0]",
    "xp.trim_zeros(x[0])",
    "xp.unwrap(x)",
    "xp.matmul(x, x.T)",
    "xp.dot(x, 1)",
    "xp.multiply.outer(x, 1)",
    "xp.kron(x, 1 + 0 * x[:1, :1])",
    "xp.gradient(1.0 * x, axis=0)",
    "xp.ediff1d(x)",
    "xp.meshgrid(x[0], x[0])[0]",
    "xp.meshgrid(x[0])[0]",
    "xp.unstack(x)[0]",
    "x.view()",
    "xp.nansum(x, axis=0)",
    "xp.modf(x)[1]",
    "xp.divmod(x, 1)[0]",
    "xp.ptp(x, axis=0)",
    "xp.average(x, axis=0)",
    "xp.take_along_axis(x, xp.asarray(np.zeros((4, 1), int)), 1)",
]


def sharing(program, xp, x):
    """Whether the result sees a change of `x`, whether it takes a change, and `x` after that."""
    result = eval(program, {"xp": xp, "x": x, "np": np})
    before = np.array(result.get() if xp is lw else result)
    x += 1
    seen = not np.array_equal(result.get() if xp is lw else result, before)
    try:
        result[...] = 7
    except (ValueError, TypeError):  # NumPy's numbers take none
        return seen, result.ndim == 0, x
    return seen, True, x


@pytest.mark.parametrize("program", RESULTS)
def test_results_share_the_memory_that_they_share_in_numpy(device, program):
    for layout, dtype in [("C", "int32"), ("F", "float32"), ("strided", "int32"), ("C", "complex64")]:
        for pending in (False, True):
            x = Input((4, 4), dtype, layout)
            ours, theirs = (x.ours + 1, x.theirs + 1) if pending else (x.ours, x.theirs)
            what = f"{program} with {x}, {pending=}"
            try:
                wanted = sharing(program, np, theirs)
            except TypeError:
                continue
            got = sharing(program, lw, ours)
            assert got[:2] == wanted[:2], f"{what}: seen, writable {got[:2]} for {wanted[:2]}"
            assert_same(got[2], wanted[2], what)
