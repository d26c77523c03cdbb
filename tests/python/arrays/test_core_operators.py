"""Python's operators on _core.ndarray against NumPy's."""

import operator

import numpy as np
import pytest

from lanewise import _core

from .core_arrays import check, on_device

BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]
INTEGER = [operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor]
IN_PLACE = [
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
    operator.ifloordiv,
    operator.imod,
    operator.ipow,
]
IN_PLACE_INTEGER = [operator.ilshift, operator.irshift, operator.iand, operator.ior, operator.ixor]

A = np.array([[1, 2, 3], [4, 5, 6]])
B = np.array([[3], [2]])


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32", "float64"])
@pytest.mark.parametrize("op", BINARY)
def test_binary_operators_broadcast_and_promote_as_in_numpy(device, op, dtype):
    a, b = A.astype(dtype), B.astype("int8" if dtype != "uint8" else dtype)
    check(op(on_device(a), on_device(b)), op(a, b), rtol=1e-6)


@pytest.mark.parametrize("op", INTEGER)
@pytest.mark.parametrize("dtype", ["int64", "uint16"])
def test_integer_operators(device, op, dtype):
    a, b = A.astype(dtype), B.astype(dtype)
    check(op(on_device(a), on_device(b)), op(a, b))
    check(op(on_device(a), 3), op(a, 3))
    check(op(9, on_device(a)), op(9, a))


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("number", [2, 2.5, True, np.float32(2), np.int8(2), np.array(2.0)])
def test_numbers_on_either_side(device, op, number):
    a = A.astype("float32")
    check(op(on_device(a), number), op(a, number), rtol=1e-6)
    if not isinstance(number, (np.generic, np.ndarray)):  # NumPy's own operator comes first there
        check(op(number, on_device(a)), op(number, a), rtol=1e-6)


def test_complex_numbers(device):
    a = A.astype("float32")
    check(on_device(a) * 2j, a * 2j)
    check(3j - on_device(a), 3j - a)


@pytest.mark.parametrize("op", IN_PLACE)
def test_in_place_operators_write_into_the_array(device, op):
    a = A.astype("float64")
    x = on_device(a)
    view, before = x[0], x
    x = op(x, on_device(B.astype("float64")))
    op(a, B.astype("float64"))
    assert x is before
    check(x, a)
    check(view, a[0])


@pytest.mark.parametrize("op", IN_PLACE_INTEGER)
def test_in_place_integer_operators(device, op):
    a, x = A.copy(), on_device(A)
    check(op(x, 3), op(a, 3))


def test_in_place_operators_on_views_and_pending_values(device):
    a = A * 2.0
    x = on_device(A) * 2.0
    x[:, 1:] += 10
    a[:, 1:] += 10
    x[0] *= x[1]
    a[0] *= a[1]
    x[1, 2] -= 1
    a[1, 2] -= 1
    check(x, a)


def test_an_expression_recorded_before_a_write_sees_the_values_of_then(device):
    x = on_device(np.arange(5.0))
    doubled = x * 2
    x += 100
    x[0] = -1
    check(doubled, np.arange(5.0) * 2)
    check(x, np.array([-1.0, 101, 102, 103, 104]))


def test_in_place_refuses_what_same_kind_forbids(device):
    x = on_device(A)
    with pytest.raises(TypeError, match="float64 to the int64"):
        x /= 2
    with pytest.raises(TypeError, match="same_kind"):
        x += 1.5
    with pytest.raises(ValueError, match=r"out has shape \(2, 3\)|broadcast"):
        x += on_device(np.zeros((4, 2, 3), int))
    check(x, A)


def test_unary_operators(device):
    a = np.array([-1.5, 0.0, 2.5], "float32")
    x = on_device(a)
    check(-x, -a)
    check(+x, +a)
    check(abs(x), abs(a))
    check(~on_device(A), ~A)
    check(abs(on_device(a + 1j)), abs(a + 1j))


def test_divmod_and_three_argument_pow(device):
    x = on_device(A)
    for got, expected in zip(divmod(x, 4), divmod(A, 4), strict=True):
        check(got, expected)
    for got, expected in zip(divmod(7, x), divmod(7, A), strict=True):
        check(got, expected)
    with pytest.raises(TypeError):
        pow(x, 2, 3)


def test_matrix_product(device):
    a = A.astype("float64")
    check(on_device(a) @ on_device(a.T), a @ a.T)
    x = on_device(np.eye(3))
    x @= on_device(np.arange(9.0).reshape(3, 3))
    check(x, np.arange(9.0).reshape(3, 3))
    with pytest.raises(ValueError, match="matmul"):
        x @ 2


@pytest.mark.parametrize("other", [np.ones(3), [1, 2, 3], (1, 2, 3)])
def test_host_operands_are_refused_with_what_to_do(device, other):
    x = on_device(np.ones(3))
    for op in (operator.add, operator.iadd, operator.eq, operator.matmul):
        with pytest.raises(TypeError, match=r"lanewise\.asarray"):
            op(x, other)
    if not isinstance(other, np.ndarray):  # NumPy's own operator comes first there
        with pytest.raises(TypeError, match=r"lanewise\.asarray"):
            other - x


def test_unknown_objects_get_their_turn(device):
    class Other:
        def __radd__(self, x):
            return "radd"

        def __eq__(self, x):
            return "eq"

        def __rmatmul__(self, x):
            return "rmatmul"

    x = on_device(np.ones(3))
    assert x + Other() == "radd"
    assert x @ Other() == "rmatmul"
    assert (x == Other()) == "eq"
    with pytest.raises(TypeError, match="unsupported operand"):
        x - Other()
    check(x == None, np.zeros(x.shape, bool))  # noqa: E711
    check(x != None, np.ones(x.shape, bool))  # noqa: E711
    assert (x == "text") is False
    with pytest.raises(TypeError):
        x < None  # noqa: B015


def test_python_integers_out_of_range(device):
    x = on_device(np.arange(3, dtype="uint8"))
    for op in (lambda: x + 256, lambda: x * -1, lambda: x + 2**64, lambda: x + -(2**70)):
        with pytest.raises(OverflowError):
            op()
    check(x < 1000, np.arange(3, dtype="uint8") < 1000)
    check(x == -1, np.arange(3, dtype="uint8") == -1)


def test_truth_and_numbers(device):
    assert bool(on_device(np.array([[3]])))
    assert not on_device(np.array(0.0))
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        bool(on_device(A))
    with pytest.raises(ValueError):
        bool(on_device(np.zeros(0)))
    assert int(on_device(np.array(3.7))) == 3
    assert float(on_device(np.array(3, "uint8"))) == 3.0
    assert complex(on_device(np.array(1 + 2j))) == 1 + 2j
    assert operator.index(on_device(np.array(5))) == 5
    for wrong in (np.array([5]), np.array(5.0)):
        with pytest.raises(TypeError):
            operator.index(on_device(wrong))
    with pytest.raises(TypeError):
        float(on_device(A))
    with pytest.raises(TypeError):
        float(on_device(np.array(1j)))


def test_sequence_protocol(device):
    x = on_device(A)
    assert len(x) == 2
    assert [row.tolist() for row in x] == A.tolist()
    assert 6 in x
    assert 7 not in x
    assert "a" not in x
    assert [int(value) for value in x[0]] == [1, 2, 3]
    scalar = on_device(np.array(1))
    for wrong in (lambda: len(scalar), lambda: iter(scalar), lambda: hash(x)):
        with pytest.raises(TypeError):
            wrong()


def test_results_have_the_class_of_the_operands(device):
    class First(_core.ndarray):
        __slots__ = ()

    class Second(First):
        __slots__ = ()

    a, b = First.from_host(np.ones(2)), Second.from_host(np.ones(2))
    plain = _core.Array.from_host(np.ones(2))
    assert type(a + 1) is First
    assert type(a + b) is Second
    assert type(b + a) is Second
    assert type(a + plain) is First
    assert type(plain + a) is First
    assert type(-b) is Second
    assert type(a[0]) is First
    assert type(a.sum()) is First
    assert type(_core.ufuncs["add"](plain, plain)) is _core.ndarray_class()
    assert type(_core.ufuncs["add"](1, b)) is Second


def test_errors_name_shapes_and_dtypes(device):
    with pytest.raises(ValueError, match=r"\(2, 3\) \(4,\)"):
        on_device(A) + on_device(np.ones(4))
    with pytest.raises(TypeError, match="subtract is not defined for bool"):
        on_device(A > 2) - on_device(A > 3)
    with pytest.raises(TypeError, match="float64"):
        on_device(A * 1.0) << 1
