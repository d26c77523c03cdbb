"""Reductions and scans of _core, as methods and functions, against NumPy's."""

import numpy as np
import pytest

from .core_arrays import check, functions, on_device

A = np.random.default_rng(1).integers(-9, 9, (3, 4, 5))
WITH_NAN = np.where(A % 4 == 0, np.nan, A / 3)
WITH_NAN[:, 0] = 2.5
METHODS = ["sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean", "var", "std", "cumsum", "cumprod"]
NAN = ["nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin", "nanargmax"]
ONE_AXIS = ("argmin", "argmax", "nanargmin", "nanargmax", "cumsum", "cumprod")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("dtype", ["int8", "float32", "complex64", "bool"])
def test_methods_and_functions(device, name, dtype):
    a = A.astype(dtype) if name != "prod" else (A % 3).astype(dtype)
    x = on_device(a)
    for axis in (None, -1) if name in ONE_AXIS else (None, 1, (0, 2), ()):
        expected = getattr(a, name)(axis=axis)
        check(getattr(x, name)(axis=axis), expected, rtol=1e-4)
        check(getattr(functions, name)(x, axis), expected, rtol=1e-4)
        if "cum" not in name:
            expected = getattr(a, name)(axis=axis, keepdims=True)
            check(getattr(x, name)(axis=axis, keepdims=True), expected, rtol=1e-4)


@pytest.mark.parametrize("name", NAN)
@pytest.mark.parametrize("array", [WITH_NAN, A])
def test_without_nans(device, name, array):
    for axis in (None, 1):
        expected = getattr(np, name)(array, axis=axis)
        check(getattr(functions, name)(on_device(array), axis=axis), expected)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "nansum", "nanmean", "cumsum"])
def test_dtype(device, name):
    a = (A % 3).astype("int16")
    check(getattr(functions, name)(on_device(a), dtype="float32"), getattr(np, name)(a, dtype="float32"), rtol=1e-6)


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
def test_degrees_of_freedom(device, name):
    check(getattr(functions, name)(on_device(A), axis=0, ddof=1), getattr(np, name)(A, axis=0, ddof=1))


@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean", "var", "std", "nansum", "nanprod", "nanmean"])
def test_where(device, name):
    mask = A % 3 != 0
    mask[:, 0] = True
    array = WITH_NAN if "nan" in name else A / 4
    for axis in (None, (0, 1)):
        expected = getattr(np, name)(array, axis=axis, where=mask)
        check(getattr(functions, name)(on_device(array), axis=axis, where=on_device(mask)), expected)
    row = mask[0, 1]
    row[:2] = True
    expected = getattr(np, name)(array, axis=1, where=row)
    check(getattr(functions, name)(on_device(array), axis=1, where=on_device(row)), expected)


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max"])
def test_initial(device, name):
    a = (A % 4).astype("int32")
    check(getattr(functions, name)(on_device(a), axis=0, initial=7), getattr(a, name)(axis=0, initial=7))
    check(getattr(on_device(a[:0]), name)(axis=0, initial=7), getattr(a[:0], name)(axis=0, initial=7))
    mask = a > 1
    expected = getattr(a, name)(axis=1, initial=2, where=mask)
    check(getattr(on_device(a), name)(axis=1, initial=2, where=on_device(mask)), expected)


@pytest.mark.parametrize("name", [*METHODS, *NAN])
def test_out(device, name):
    a = A / 2
    expected = getattr(np, name)(a, axis=1)
    out = functions.empty(expected.shape, expected.dtype)
    assert getattr(functions, name)(on_device(a), axis=1, out=out) is out
    check(out, expected)
    with pytest.raises(ValueError):
        getattr(functions, name)(on_device(a), axis=1, out=functions.empty(2, expected.dtype))


def test_peak_to_peak_and_counts(device):
    check(on_device(A).ptp(axis=1), np.ptp(A, axis=1))
    check(functions.ptp(on_device(A)), np.ptp(A))
    expected = np.count_nonzero(A, axis=(0, 1), keepdims=True)
    check(functions.count_nonzero(on_device(A), axis=(0, 1), keepdims=True), expected)
    assert functions.count_nonzero(on_device(A)).item() == np.count_nonzero(A)


def test_results_stay_on_the_device(device):
    total = on_device(A).sum()
    assert total.shape == () and total.pending
    check(on_device(A) / total, A / A.sum())


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda x: x.min(axis=(0, 0)), ValueError),
        (lambda x: x.max(axis=5), ValueError),
        (lambda x: x[:0].min(), ValueError),
        (lambda x: x[:0].argmax(), ValueError),
        (lambda x: x.argmin(axis=(0, 1)), TypeError),
        (lambda x: x.min(where=x > 0), ValueError),
        (lambda x: x.sum(where=x), TypeError),
        (lambda x: x.sum(initial="a"), TypeError),
        (lambda x: x.cumsum(axis=3), ValueError),
        (lambda x: functions.sum([1, 2]), TypeError),
        (lambda x: functions.sum("a"), TypeError),
        (lambda x: x.sum(out=np.empty(())), TypeError),
        (lambda x: x.mean(axis=0, out=functions.empty((4, 5), "int64")), TypeError),
    ],
)
def test_refusals(device, call, error):
    with pytest.raises(error):
        call(on_device(A))
