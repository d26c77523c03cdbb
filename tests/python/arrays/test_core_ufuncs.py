"""_core.Ufunc against NumPy's ufuncs."""

import copy
import pickle

import numpy as np
import pytest

from lanewise import _core

from .core_arrays import check, functions, on_device, ufuncs

FLOATS = np.array([-2.5, -1.0, 0.0, 0.5, 3.0, np.inf, np.nan])
ASSOCIATIVE = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "gcd",
    "lcm",
    "hypot",
    "logaddexp",
    "logaddexp2",
]


def test_every_ufunc_is_one_of_numpys(device):
    for name, ufunc in ufuncs.items():
        reference = getattr(np, name)
        assert (ufunc.nin, ufunc.nout, ufunc.nargs) == (reference.nin, reference.nout, reference.nargs)
        assert ufunc.__name__ == name
        assert ufunc.ntypes == len(ufunc.types) > 0
        assert name in ufunc.__doc__
        assert repr(ufunc) == f"<ufunc '{name}'>"


@pytest.mark.parametrize("name", sorted(ufuncs))
def test_values_and_types(device, name):
    ufunc, reference = ufuncs[name], getattr(np, name)
    for dtype in ("bool", "int16", "uint32", "float32", "complex64"):
        operands = [np.array([1, 2, 3]).astype(dtype), np.array([[2], [3]]).astype(dtype)][: ufunc.nin]
        if name == "ldexp":
            operands[1] = operands[1].real.astype("int32")
        try:
            with np.errstate(all="ignore"):
                expected = reference(*operands)
        except TypeError:
            with pytest.raises(TypeError, match=name):
                ufunc(*map(on_device, operands))
            continue
        got = ufunc(*map(on_device, operands))
        for g, e in zip(*((got, expected) if ufunc.nout > 1 else ((got,), (expected,))), strict=True):
            check(g, e, rtol=1e-5 if e.dtype.itemsize > 2 else 1e-2)


def test_out_by_position_and_by_name(device):
    x, out = on_device([1.0, 2.0]), functions.empty(2)
    assert ufuncs["add"](x, 1, out) is out
    check(out, np.array([2.0, 3.0]))
    assert ufuncs["add"](x, x, out=out) is out
    assert ufuncs["add"](x, x, out=(out,)) is out
    check(out, np.array([2.0, 4.0]))
    assert ufuncs["negative"](x, out=x) is x
    check(x, np.array([-1.0, -2.0]))
    assert ufuncs["add"](x, 1, None).get().tolist() == [0, -1]
    single = functions.empty(2, "float32")
    check(ufuncs["multiply"](x, 2, out=single), np.array([-2, -4], "float32"))


def test_two_results(device):
    a = np.array([7, -8, 9])
    x, quotient, rest = on_device(a), functions.empty(3, "int64"), functions.empty(3, "int64")
    got = ufuncs["divmod"](x, 4, out=(quotient, rest))
    assert got[0] is quotient and got[1] is rest
    for g, e in zip(got, divmod(a, 4), strict=True):
        check(g, e)
    got = ufuncs["divmod"](x, 4, out=(None, x))
    assert got[1] is x
    for g, e in zip(got, divmod(a, 4), strict=True):
        check(g, e)
    x = on_device(a)
    for g, e in zip(ufuncs["divmod"](x, 4, x), divmod(a, 4), strict=True):
        check(g, e)
    for name in ("frexp", "modf"):
        for g, e in zip(ufuncs[name](on_device(FLOATS)), getattr(np, name)(FLOATS), strict=True):
            check(g, e)


def test_where(device):
    x, mask = on_device(FLOATS), FLOATS > 0
    out = on_device(np.full(7, 9.0))
    assert ufuncs["multiply"](x, 2, out=out, where=on_device(mask)) is out
    check(out, np.where(mask, FLOATS * 2, 9.0))
    check(ufuncs["negative"](x, out=out, where=False), np.where(mask, FLOATS * 2, 9.0))
    check(ufuncs["negative"](x, out=out, where=True), -FLOATS)
    result = ufuncs["add"](x, 1, where=on_device(mask)).get()
    assert (result[mask] == FLOATS[mask] + 1).all()
    wide = ufuncs["add"](x, 1, where=on_device(np.ones((2, 7), bool)))
    check(wide, np.stack([FLOATS + 1] * 2))
    quotient = on_device(np.zeros(7))
    ufuncs["divmod"](on_device(np.arange(7.0)), 2, out=(quotient, None), where=on_device(np.arange(7) > 3))
    check(quotient, np.array([0.0, 0, 0, 0, 2, 2, 3]))
    with pytest.raises(TypeError, match="int64"):
        ufuncs["add"](x, 1, where=on_device(np.ones(7, int)))


def test_operands_broadcast_to_out(device):
    for shape, operand in [((2, 7), FLOATS), ((3, 2, 7), FLOATS[:1]), ((2, 0, 7), FLOATS), ((4,), np.array(2.0))]:
        for where in (True, np.arange(shape[-1]) % 2 == 0):
            expected = np.full(shape, 9.0)
            out = on_device(expected)
            np.negative(operand, out=expected, where=where)
            mask = where if where is True else on_device(where)
            assert ufuncs["negative"](on_device(operand), out=out, where=mask) is out
            check(out, expected)
    x = on_device(np.arange(6.0).reshape(2, 3))
    expected = np.arange(6.0).reshape(2, 3)
    np.add(expected[0], 1, out=expected)
    ufuncs["add"](x[0], 1, out=x)
    check(x, expected)
    for shape in [(), (1, 3), (3,), (2, 1), (3, 2)]:
        with pytest.raises(ValueError, match="out has shape"):
            ufuncs["add"](x, 1, out=functions.empty(shape))


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float16", "float32", "bool"])
def test_where_leaves_the_other_elements_of_out_as_they_are(device, dtype):
    big = np.array([2**63 - 1, 2**53 + 1, 3, 0], "uint64")
    expected = (big >> np.uint64(1)).astype(dtype) if dtype == "int64" else big.astype(dtype)
    for operands in [(big, big), (big.astype("int64"), 1), (np.ones(4, "int8"), 2), (np.full(4, 0.1), 0.2)]:
        for mask in ([False] * 4, [True, False, False, True]):
            out = on_device(expected)
            wanted = expected.copy()
            try:
                np.add(*operands, out=wanted, where=mask)
            except TypeError:
                continue
            ufuncs["add"](*(on_device(x) if np.ndim(x) else x for x in operands), out=out, where=on_device(mask))
            check(out, wanted)


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
def test_comparisons_of_integers_take_the_options_of_others(device, name):
    signed, unsigned = np.array([-1, 2, 5], "int64"), np.array([2**64 - 1, 2, 4], "uint64")
    mask = np.array([True, True, False])
    ufunc, reference = ufuncs[name], getattr(np, name)
    for operands in [(signed, unsigned), (unsigned, signed), (unsigned, -1), (signed, 2**63), (np.uint64(3), signed)]:
        ours = [on_device(x) if isinstance(x, np.ndarray) else x for x in operands]
        for options in ({}, {"where": mask}):
            given = {key: on_device(value) for key, value in options.items()}
            for dtype, shape in [("bool", 3), ("float32", (2, 3)), ("complex64", 3)]:
                expected = np.full(shape, 1).astype(dtype)
                out = on_device(expected)
                assert ufunc(*ours, out=out, **given) is out
                # NumPy 2.4 itself crashes when it compares with a number beyond the type and has `where`.
                np.copyto(expected, reference(*operands), **options)
                check(out, expected)
        with pytest.raises(ValueError, match="out has shape"):
            ufunc(*ours, out=functions.empty((3, 1), bool))
        with pytest.raises(TypeError, match="safe"):
            ufunc(*ours, out=functions.empty(3, "int8"), casting="no")


def test_dtype_casting_and_order(device):
    a = np.array([[1, 2, 3], [4, 5, 6]], "int32")
    x = on_device(a)
    check(ufuncs["add"](x, 1, dtype="float64"), np.add(a, 1, dtype="float64"))
    check(ufuncs["add"](x, 1.0, dtype="float32", casting="unsafe"), np.add(a, 1.0, dtype="float32", casting="unsafe"))
    check(ufuncs["less"](x, 2, dtype=bool), np.less(a, 2, dtype=bool))
    with pytest.raises(TypeError, match="float64 to int32 with casting rule 'same_kind'"):
        ufuncs["add"](on_device(a * 1.0), 1, dtype="int32")
    with pytest.raises(TypeError, match="safe"):
        ufuncs["add"](x, 1, out=functions.empty((2, 3), "int16"), casting="safe")
    with pytest.raises(ValueError, match="casting 'nope'"):
        ufuncs["add"](x, 1, casting="nope")
    assert ufuncs["add"](x, 1, order="F").flags.f_contiguous
    assert ufuncs["add"](x.T, 1).flags.f_contiguous
    assert ufuncs["add"](x.T, 1, order="C").flags.c_contiguous


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda f, x: f(x), TypeError, "takes 2 operands"),
        (lambda f, x: f(x, x, x, x), TypeError, "4 positional"),
        (lambda f, x: f(x, x, axis=0), TypeError, "unexpected keyword argument 'axis'"),
        (lambda f, x: f(x, x, x, out=x), TypeError, "both by position and by name"),
        (lambda f, x: f(x, x, out=np.ones(2)), TypeError, "NumPy array"),
        (lambda f, x: f(x, x, out=(x, x)), ValueError, "2 items for 1 result"),
        (lambda f, x: f(x, [1, 2]), TypeError, "lanewise.asarray"),
        (lambda f, x: f(x, "a"), TypeError, "str"),
        (lambda f, x: f(x, None), TypeError, "NoneType"),
        (lambda f, x: f(x, x, out=functions.empty(3)), ValueError, r"out has shape \(3,\), the result \(2,\)"),
    ],
)
def test_refusals(device, call, error, text):
    with pytest.raises(error, match=text):
        call(ufuncs["add"], on_device([1.0, 2.0]))


@pytest.mark.parametrize("name", ASSOCIATIVE)
def test_reduce(device, name):
    a = np.array([[[3, 1, 2], [6, 4, 5]], [[12, 9, 15], [7, 7, 8]]])
    ufunc, reference = ufuncs[name], getattr(np, name)
    for axis in (0, -1, None, (0, 2), ()):
        if name in ("logaddexp", "logaddexp2", "hypot") and axis == ():
            continue  # NumPy gives the elements, of another type
        if name == "lcm" and axis in (None, (0, 2)):
            continue  # NumPy has it along one axis only
        expected = reference.reduce(a, axis=axis)
        check(ufunc.reduce(on_device(a), axis=axis), expected)
        check(ufunc.reduce(on_device(a), axis=axis, keepdims=True), reference.reduce(a, axis=axis, keepdims=True))
    check(ufunc.reduce(on_device(a)), reference.reduce(a))
    assert ufunc.identity == reference.identity or reference.identity is None


def test_reduce_options(device):
    a = np.array([[1, 2, 3], [4, 5, 6]])
    x, mask = on_device(a), a % 2 == 0
    add, maximum = ufuncs["add"], ufuncs["maximum"]
    check(add.reduce(x, dtype="float32"), np.add.reduce(a, dtype="float32"))
    check(add.reduce(x, initial=100, axis=1), np.add.reduce(a, initial=100, axis=1))
    check(add.reduce(x, where=on_device(mask), axis=None), np.add.reduce(a, where=mask, axis=None))
    check(maximum.reduce(x, where=on_device(mask), initial=-1), np.maximum.reduce(a, where=mask, initial=-1))
    check(maximum.reduce(x[:0], initial=5), np.maximum.reduce(a[:0], initial=5))
    xor = ufuncs["bitwise_xor"]
    check(xor.reduce(x, where=on_device(mask), initial=8), np.bitwise_xor.reduce(a, where=mask, initial=8))
    check(xor.reduce(x[:0]), np.bitwise_xor.reduce(a[:0]))
    out = functions.empty(3, "int64")
    assert add.reduce(x, out=out) is out
    check(out, a.sum(0))
    for call in (
        lambda: maximum.reduce(x[:0]),
        lambda: maximum.reduce(x, where=on_device(mask)),
        lambda: add.reduce(x, where=on_device(np.stack([mask] * 2))),
        lambda: add.reduce(x[:1], where=on_device(mask)),
        lambda: xor.reduce(x, where=on_device(mask[None])),
        lambda: add.reduce(x, axis=2),
        lambda: xor.reduce(x, axis=(0, 0)),
        lambda: ufuncs["sin"].reduce(x),
        lambda: ufuncs["divmod"].reduce(x),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(NotImplementedError, match=r"subtract\.reduce.*not associative"):
        ufuncs["subtract"].reduce(x)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "complex64"])
def test_initial_and_masked_elements_have_the_type_of_the_result(device, dtype):
    a = np.array([[3, 0, 2], [1, 5, 4]]).astype(dtype)
    mask = np.array([[True, False, True], [False, True, False]])
    numbers = [0, 1, True, 2.5, np.int64(7), np.float64(0.5), np.float32(3), np.uint8(200), 1j]
    for name in (
        "add",
        "multiply",
        "maximum",
        "minimum",
        "fmax",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "logical_and",
    ):
        ufunc, reference = ufuncs[name], getattr(np, name)
        for options in [
            {},
            {"where": mask},
            *({"initial": n} for n in numbers),
            *({"initial": n, "where": mask} for n in numbers),
        ]:
            for part in (slice(None), slice(0)):
                given = {key: on_device(value) if key == "where" else value for key, value in options.items()}
                if part == slice(0) and "where" in options:
                    continue
                try:
                    expected = np.asarray(reference.reduce(a[part], axis=0, **options))
                except (TypeError, ValueError, OverflowError) as error:
                    with pytest.raises(type(error)):
                        ufunc.reduce(on_device(a)[part], axis=0, **given)
                    continue
                check(ufunc.reduce(on_device(a)[part], axis=0, **given), expected, rtol=1e-3)


@pytest.mark.parametrize("name", ASSOCIATIVE)
@pytest.mark.parametrize("extent", [1, 2, 7, 64])
def test_accumulate(device, name, extent):
    a = np.random.default_rng(extent).integers(1, 9, (3, extent))
    reference = getattr(np, name)
    check(ufuncs[name].accumulate(on_device(a), axis=1), reference.accumulate(a, axis=1), rtol=1e-9)
    check(ufuncs[name].accumulate(on_device(a)), reference.accumulate(a), rtol=1e-9)


def test_accumulate_into_out(device):
    out = functions.empty(4, "float32")
    assert ufuncs["maximum"].accumulate(on_device([1.0, 3, 2, 5]), out=out) is out
    check(out, np.array([1, 3, 3, 5], "float32"))
    with pytest.raises(ValueError, match="axis 1 is out of bounds"):
        ufuncs["add"].accumulate(out, axis=1)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "bitwise_or", "logical_and"])
def test_reduceat(device, name):
    a = np.random.default_rng(0).integers(1, 5, (3, 13))
    reference = getattr(np, name)
    for indices in ([0, 4, 1, 5, 2, 6, 3, 7], [12], [0], [3, 3, 0, 12, 11], [0, 1, 2, 3, 12]):
        expected = reference.reduceat(a, indices, axis=1)
        check(ufuncs[name].reduceat(on_device(a), indices, axis=1), expected)
    check(ufuncs[name].reduceat(on_device(a.T), on_device(np.array([5, 0]))), reference.reduceat(a.T, [5, 0]))
    with pytest.raises(IndexError):
        ufuncs[name].reduceat(on_device(a), [3]).get()


def test_outer(device):
    a, b = np.array([[1, 2], [3, 4]]), np.array([5.0, 6.0, 7.0])
    check(ufuncs["multiply"].outer(on_device(a), on_device(b)), np.multiply.outer(a, b))
    check(ufuncs["less"].outer(on_device(b), 6), np.less.outer(b, 6))
    out = functions.empty((2, 2, 3), "float32")
    assert ufuncs["add"].outer(on_device(a), on_device(b), out=out) is out
    with pytest.raises(ValueError, match=r"sin\.outer"):
        ufuncs["sin"].outer(out, out)


@pytest.mark.parametrize("name", [*ASSOCIATIVE[:10], "subtract", "divide", "power", "floor_divide", "copysign"])
@pytest.mark.parametrize("dtype", ["int64", "int32", "float64", "float32"])
def test_at_counts_repeated_indices(device, name, dtype):
    a = np.arange(1, 13).reshape(3, 4).astype(dtype)
    reference = getattr(np, name)
    b = np.array([2, 3, 2, 1, 2, 3]).astype(dtype)
    if name in ("divide", "copysign") and "int" in dtype:
        # NumPy casts the floats back by "unsafe" here, unlike everywhere else.
        with pytest.raises(TypeError, match=f"{name}.at: cannot cast the result from float64"):
            ufuncs[name].at(on_device(a), 0, 2)
        return
    rows, columns = np.array([0, 2, 0, 0, 2, 1]), np.array([1, 3, 1, 2, 3, -1])
    expected = a.copy()
    try:
        reference.at(expected, (rows, columns), b)
    except TypeError:
        with pytest.raises(TypeError, match=name):
            ufuncs[name].at(on_device(a), (rows, columns), on_device(b))
        return
    x = on_device(a)
    assert ufuncs[name].at(x, (rows, columns), on_device(b)) is None
    check(x, expected, rtol=1e-6)


def test_at_takes_any_index(device):
    for index, value in [
        ([0, 1, 1], 5),
        ((slice(None), [0, 0, 2]), [1, 2, 3]),
        (np.array([True, False, True]), 1),
        (1, np.arange(4)),
        (..., 2),
        ((slice(0, 2), 1), 7),
        ([], 3),
    ]:
        expected = np.arange(12).reshape(3, 4)
        x = on_device(expected)
        np.add.at(expected, index, value)
        ufuncs["add"].at(x, index, value)
        check(x, expected)
    x, expected = on_device(np.arange(5.0)), np.arange(5.0)
    np.negative.at(expected, [1, 2, 2, 3, 3, 3])
    ufuncs["negative"].at(x, [1, 2, 2, 3, 3, 3])
    check(x, expected)
    histogram = on_device(np.zeros(10, int))
    values = np.random.default_rng(0).integers(0, 10, 5000)
    ufuncs["add"].at(histogram, on_device(values), 1)
    check(histogram, np.bincount(values, minlength=10))


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32"])
def test_at_and_nans(device, name, dtype):
    a = np.array([5, -5, 0, 1, -0.5], dtype)
    b = np.array([6, -6, 3, 3, -3, 2, 1], dtype)
    if "float" in dtype:
        a[2] = b[2] = b[5] = np.nan
    indices = np.array([0, 1, 3, 3, 3, 2, 4])
    expected, x = a.copy(), on_device(a)
    with np.errstate(invalid="ignore"):
        getattr(np, name).at(expected, indices, b)
    ufuncs[name].at(x, indices, on_device(b))
    check(x, expected)


def test_at_through_a_view_with_strides(device):
    expected = np.zeros((4, 6))
    x = on_device(expected)
    np.add.at(expected[::2, 1::2], ([0, 0, 1], [2, 2, 0]), [1.0, 2.0, 4.0])
    ufuncs["add"].at(x[::2, 1::2], ([0, 0, 1], [2, 2, 0]), [1.0, 2.0, 4.0])
    check(x, expected)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda x: ufuncs["add"].at(x, [0]), ValueError),
        (lambda x: ufuncs["negative"].at(x, [0], 1), ValueError),
        (lambda x: ufuncs["add"].at(x, [0], 1.5), TypeError),
        (lambda x: ufuncs["add"].at(np.zeros(3), [0], 1), TypeError),
        (lambda x: ufuncs["add"].at(x, [9], 1), IndexError),
        (lambda x: ufuncs["add"].at(functions.broadcast_to(x, (2, 3)), [0], 1), ValueError),
        (lambda x: ufuncs["divmod"].at(x, [0], 1), ValueError),
    ],
)
def test_at_refuses(device, call, error):
    x = on_device(np.zeros(3, int))
    with pytest.raises(error):
        call(x)
        x.get()


def test_objects(device):
    add = ufuncs["add"]
    assert pickle.loads(pickle.dumps(add)) is add
    assert copy.deepcopy(add) is add
    assert _core.Ufunc.named("add") is add
    assert {add: 1}[add] == 1
    with pytest.raises(ValueError, match="'nothing'"):
        _core.Ufunc.named("nothing")
    with pytest.raises(TypeError):
        _core.Ufunc()
