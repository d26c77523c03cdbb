"""vectorize: Python functions of numbers as functions of arrays, against numpy.vectorize."""

import math

import numpy as np
import pytest

from lanewise import _core, cuda, vectorize

from .test_expressions_elementwise import put, values


def difference(x, y):
    """x - y, or x + y where that would be negative."""
    if x > y:
        return x - y
    return x + y


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize(
    "view",
    [
        lambda a, b: (a, b),
        lambda a, b: (a[::-1], b[:, ::-1]),
        lambda a, b: (a[:, :6].T, b[:, 2:]),
        lambda a, b: (a[:, :1], b[:1]),
        lambda a, b: (a[0], b),
        lambda a, b: (a[:, None, ::2], b[None, :, 1::2]),
        lambda a, b: (a[:0], b[:0]),
        lambda a, b: (a[0, 1:2].reshape(()), b),
    ],
)
def test_elements_of_arrays_that_broadcast(device, dtype, view):
    x, y = values((6, 8), dtype), values((6, 8), dtype, 1)
    out = vectorize(difference)(*view(put(x), put(y)))
    expected = np.vectorize(difference, otypes=[dtype])(*view(x, y))
    assert out.dtype == dtype
    assert out.shape == expected.shape
    np.testing.assert_allclose(out.to_host(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("function", "dtypes"),
    [
        (lambda x: x * 0.5, ["float32", "float64", "int32", "uint8"]),
        (lambda x: x + 1, ["float32", "float64", "int64", "bool"]),
        (lambda x: x > 2, ["float32", "int16", "uint64"]),
        (lambda x: math.sqrt(x) + 1, ["float64"]),
        (lambda x: 1 if x > 0 else 0, ["int8", "float32"]),
        (lambda x: np.float32(2) * x, ["float32", "float64"]),
    ],
)
def test_results_have_the_dtype_of_numpy_vectorize(device, function, dtypes):
    for dtype in dtypes:
        x = np.abs(values(20, dtype))
        out = vectorize(function)(put(x))
        expected = np.vectorize(function)(x)
        assert out.dtype == expected.dtype, dtype
        np.testing.assert_allclose(out.to_host(), expected, rtol=1e-6)


def test_integers_are_computed_in_64_bits(device):
    x = np.array([100, 120], "i1")
    out = vectorize(lambda x: x * x)(put(x))
    assert out.dtype == np.int64
    np.testing.assert_array_equal(out.to_host(), [10000, 14400])


def test_several_results(device):
    x = values(50, "f8")
    whole, half = vectorize(lambda x: (math.floor(x), x / 2))(put(x))
    np.testing.assert_array_equal(whole.to_host(), np.floor(x))
    np.testing.assert_array_equal(half.to_host(), x / 2)


@pytest.mark.parametrize("otypes", ["f", ["float32"], [np.float32], (np.dtype("f4"),)])
def test_otypes(device, otypes):
    x = values(10, "f8")
    out = vectorize(lambda x: x * 2, otypes=otypes)(put(x))
    assert out.dtype == np.float32
    np.testing.assert_array_equal(out.to_host(), (x * 2).astype("f4"))


def test_numbers_keywords_and_defaults(device):
    def scaled(x, factor=3.0, *, shift=0.0):
        return x * factor + shift

    x = values(10, "f8")
    f = vectorize(scaled)
    np.testing.assert_allclose(f(put(x)).to_host(), x * 3)
    np.testing.assert_allclose(f(put(x), shift=put(x)).to_host(), x * 4)
    np.testing.assert_allclose(f(factor=2, x=put(x), shift=np.float64(1)).to_host(), x * 2 + 1)


def test_excluded_arguments_are_passed_whole(device):
    def polynomial(x, coefficients, count):
        total = 0.0
        for n in range(count):
            total = total * x + coefficients[n]
        return total

    f = vectorize(polynomial, excluded=["coefficients", 2])
    x, p = values((5, 6), "f8"), np.array([1.0, -2.0, 3.0])
    np.testing.assert_allclose(f(put(x), put(p), 3).to_host(), np.polyval(p, x), rtol=1e-12)
    np.testing.assert_allclose(f(put(x), (1.0, -2.0, 3.0), 3).to_host(), np.polyval(p, x), rtol=1e-12)


def test_decorators_and_documentation(device):
    @vectorize
    def one(x):
        """Adds one."""
        return x + 1

    @vectorize(otypes="d", doc="Adds two.")
    def two(x):
        return x + 2

    assert (one.__name__, one.__doc__, two.__doc__) == ("one", "Adds one.", "Adds two.")
    x = put(np.arange(3))
    np.testing.assert_array_equal(one(x).to_host(), [1, 2, 3])
    assert two(x).dtype == np.float64
    assert one.pyfunc(1) == 2


def test_device_functions_and_functions_that_call_others(device):
    @cuda.jit(device=True)
    def square(x):
        return x * x

    x = values(10, "f4")
    np.testing.assert_allclose(vectorize(square)(put(x)).to_host(), x * x)
    np.testing.assert_allclose(vectorize(lambda x: square(x) + 1)(put(x)).to_host(), x * x + 1)
    np.testing.assert_allclose(vectorize(math.sin)(put(x)).to_host(), np.sin(x), rtol=1e-5)


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: vectorize(difference, signature="(n)->()"), NotImplementedError, "functions of parts of arrays"),
        (lambda: vectorize(3), TypeError, "takes a function, not int"),
        (lambda: vectorize(difference, otypes="?#"), ValueError, "'?#' has a character that is no dtype's"),
        (lambda: vectorize(difference, otypes=3), ValueError, "otypes is a string"),
        (lambda: vectorize(difference, excluded=[1.5]), TypeError, "positions and names of arguments, not 1.5"),
    ],
)
def test_functions_that_are_refused(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


def test_calls_that_are_refused(device):
    f = vectorize(difference)
    x = put(np.ones(3))
    for args, error, text in [
        ((x,), TypeError, "vectorize of 'difference': missing a required argument: 'y'"),
        ((x, np.ones(3)), TypeError, "'y' is a NumPy array"),
        ((x, [1]), TypeError, "'y' is a list"),
        ((x, put(np.ones(4))), ValueError, "shapes (3,), (4,) do not broadcast together"),
        ((x, put(np.ones(3, "c8"))), TypeError, "complex64"),
    ]:
        with pytest.raises(error) as caught:
            f(*args)
        assert text in str(caught.value)
    with pytest.raises(ValueError, match="returns 2 values, and otypes has 1"):
        vectorize(lambda x: (x, x), otypes="d")(x)
    with pytest.raises(TypeError, match="has to return a number or a tuple of numbers"):
        vectorize(lambda x: None)(x)


def test_what_the_compiler_refuses_names_the_users_line(device):
    def wrong(x):
        return x + missing  # noqa: F821

    with pytest.raises(_core.TypingError) as caught:
        vectorize(wrong)(put(np.ones(3)))
    assert "name 'missing' is not defined" in str(caught.value)
    assert "return x + missing" in str(caught.value)
