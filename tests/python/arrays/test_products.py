"""Products of vectors and matrices, against NumPy."""

import numpy as np
import pytest

from .comparison import Input, check

PROGRAMS = """
xp.dot(v, v)
xp.dot(m, v)
xp.dot(m, m.T)
xp.dot(x, m.T)
xp.dot(m, 3)
xp.dot(m, m)
m.dot(v)
m @ v
m @ m.T
x @ m.T
x @ x.mT
v @ v
v @ m.T
xp.matmul(x, x.mT)
xp.matmul(m, m)
xp.matmul(m, 3)
xp.vdot(v, v)
xp.vdot(m, m)
xp.inner(v, v)
xp.inner(m, v)
xp.inner(x, m)
xp.inner(m, 2)
xp.inner(m, v[:2])
xp.outer(v, m)
xp.outer(v, 2)
xp.tensordot(x, m, 1) if False else xp.tensordot(m, x, ((0, 1), (1, 2)))
xp.tensordot(x, x, 3)
xp.tensordot(x, m, ((2,), (1,)))
xp.tensordot(x, m, (-1, -1))
xp.tensordot(v, v, 0)
xp.tensordot(m, x, 1)
xp.tensordot(m, m, ((0, 0), (0, 0)))
xp.kron(v, m)
xp.kron(m, m)
xp.kron(x, v)
xp.kron(2, m)
xp.trace(m)
xp.vecdot(m, m)
xp.vecdot(x, v)
xp.vecdot(m, m[:, :2])
xp.matvec(m, v)
xp.matvec(x, v)
xp.vecmat(v, m.T)
xp.vecmat(v, x.mT)
xp.einsum("ij,kj->ik", m, m)
xp.einsum("ij,j", m, v)
xp.einsum("ij->ji", m)
xp.einsum("ij->", m)
xp.einsum("ij->i", m)
xp.einsum("ii", m[:, :3])
xp.einsum("ii->i", m[:, :3])
xp.einsum("i,i->i", v, v)
xp.einsum("i,j->ij", v, v)
xp.einsum("i,j", v, v[:2])
xp.einsum("ijk,ijk->", x, x)
xp.einsum("ijk,lk->ijl", x, m)
xp.einsum("ijk,ilk->ijl", x, x)
xp.einsum("...k,lk->...l", x, m)
xp.einsum("...jk->...kj", x)
xp.einsum("...,...", x, m)
xp.einsum("...i,...i", x, x)
xp.einsum("ij,jk,kl->il", m, m.T, m)
xp.einsum("ij,jk,kl->il", m, m.T, m, optimize=True)
xp.einsum("ij,ij,ij->j", m, m, m)
xp.einsum("ba,b", m, m[:, 0])
xp.einsum(m, [0, 1], v, [1], [0])
xp.einsum(m, [0, 1], v, [1])
xp.einsum(x, [..., 0], [0, ...])
xp.einsum("i,i->i", v, v[:1])
xp.einsum("ij,jk->ik", m, m)
xp.einsum("ij->ik", m)
xp.einsum("ij->ii", m)
xp.einsum("ijk", m)
xp.einsum("ij,jk", m)
xp.einsum("i$->i", m)
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_numpy(device, program):
    for dtype, layout in (
        ("float64", "C"),
        ("float32", "F"),
        ("complex128", "strided"),
        ("int32", "reversed"),
        ("bool", "C"),
    ):
        check(
            program,
            1e-4 if dtype == "float32" else None,
            x=Input((2, 3, 4), dtype, layout),
            m=Input((3, 4), dtype, layout, seed=1),
            v=Input((4,), dtype, layout, seed=2),
        )


@pytest.mark.parametrize(
    "program",
    [
        "xp.dot(m, m.T, out=o)",
        "xp.matmul(m, m.T, out=o)",
        "xp.outer(m[:, 0], m[:, 0], out=o)",
        "xp.einsum('ij,kj->ik', m, m, out=o)",
        "xp.matmul(m, m.T, dtype='float64')",
    ],
)
def test_keywords(device, program):
    check(program, 1e-4, m=Input((3, 4), "float32"), o=Input((3, 3), "float32"))


@pytest.mark.parametrize(
    "program", ["a @ b", "xp.dot(a, b)", "xp.tensordot(a, b, 1)", "xp.einsum('ij,jk', a, b)", "xp.inner(a, b.T)"]
)
@pytest.mark.parametrize("shapes", [((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0))])
def test_without_elements(device, program, shapes):
    check(program, a=Input(shapes[0], "float32"), b=Input(shapes[1], "float32"))


def test_larger_matrices(device):
    for dtype in ("float32", "float64"):
        check("a @ b", 1e-3, a=Input((70, 90), dtype), b=Input((90, 50), dtype, "F"))


def test_path_of_a_sum(device):
    import lanewise as lw

    a = np.ones((2, 3))
    assert lw.einsum_path("ij,kj->ik", lw.asarray(a), lw.asarray(a))[0] == np.einsum_path("ij,kj->ik", a, a)[0]
