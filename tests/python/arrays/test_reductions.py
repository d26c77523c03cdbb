"""Reductions and running sums against NumPy, over axes, dtypes and layouts."""

import numpy as np
import pytest

from .comparison import Input, check

VARIANTS = [
    ("float32", "C"),
    ("float64", "F"),
    ("int8", "reversed"),
    ("bool", "strided"),
    ("complex64", "swapped"),
    ("uint32", "C"),
]
AXES = ["None", "0", "1", "-1", "(0, 2)", "(0, 1, 2)", "()"]


@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "prod",
        "max",
        "min",
        "any",
        "all",
        "mean",
        "var",
        "std",
        "ptp",
        "count_nonzero",
        "nansum",
        "nanprod",
        "nanmean",
        "nanvar",
        "nanstd",
        "nanmax",
        "nanmin",
        "amax",
        "amin",
    ],
)
def test_over_axes(device, name):
    for dtype, layout in VARIANTS:
        if dtype == "complex64" and name in ("max", "min", "ptp", "amax", "amin", "nanmax", "nanmin"):
            continue
        x = Input((2, 3, 4), dtype, layout)
        for axis in AXES:
            if axis == "()" and name in ("mean", "var", "std", "nanmean", "nanvar", "nanstd"):
                continue
            check(f"xp.{name}(x, axis={axis})", 1e-4 if dtype in ("float32", "complex64") else None, x=x)
        check(f"xp.{name}(x, axis=1, keepdims=True)", 1e-4, x=x)


@pytest.mark.parametrize("name", ["argmax", "argmin", "nanargmax", "nanargmin"])
def test_positions_of_extremes(device, name):
    for dtype, layout in VARIANTS[:4]:
        x = Input((2, 3, 4), dtype, layout)
        for axis in ("None", "0", "1", "-1", "3", "(0, 1)"):
            check(f"xp.{name}(x, axis={axis})", x=x)
        check(f"xp.{name}(x, axis=1, keepdims=True)", x=x)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
def test_running(device, name):
    for dtype, layout in VARIANTS:
        x = Input((2, 3, 4), dtype, layout)
        for axis in ("None", "0", "1", "-1", "3"):
            check(f"xp.{name}(x, axis={axis})", 1e-4, x=x)
        check(f"xp.{name}(x, axis=1, dtype='float64')" if dtype != "complex64" else f"xp.{name}(x, 1)", 1e-4, x=x)


PROGRAMS = """
xp.sum(x, dtype="float64")
xp.sum(x, dtype="int32")
xp.sum(x, initial=5)
xp.sum(x, axis=1, where=x > 0)
xp.sum(x, axis=(0, -1), keepdims=True, initial=1)
xp.sum(x, axis=3)
xp.sum(x, axis=(0, 0))
xp.prod(x, initial=2, where=x > 0)
xp.max(x, initial=9)
xp.max(x, axis=0, where=x > 0, initial=-9)
xp.max(x, where=x > 0)
xp.min(x, axis=1, initial=-9)
xp.mean(x, axis=1, where=x > 0)
xp.mean(x, dtype="float64")
xp.var(x, ddof=1)
xp.var(x, axis=1, ddof=1, where=x > 0)
xp.var(x, correction=1)
xp.var(x, axis=1, mean=xp.mean(x, axis=1, keepdims=True))
xp.std(x, axis=(0, 1), ddof=2)
xp.std(x, axis=0, mean=xp.mean(x, axis=0, keepdims=True), ddof=1)
xp.any(x > 1, axis=0, where=x < 1.5)
xp.all(x > -1, axis=0, where=x > 0)
xp.nansum(n, axis=1)
xp.nanmean(n, axis=1)
xp.nanvar(n, axis=0, ddof=1)
xp.nanstd(n)
xp.nanvar(n, axis=1, mean=xp.nanmean(n, axis=1, keepdims=True))
xp.nanstd(n, axis=0, ddof=1, mean=xp.nanmean(n, axis=0, keepdims=True))
xp.nanmax(n, axis=1)
xp.nanmin(n)
xp.nanargmax(n)
xp.nanargmin(n, axis=1)
xp.nancumsum(n)
xp.nancumprod(n, axis=1)
xp.sum(n)
xp.max(n, axis=1)
xp.argmax(n)
xp.argmin(n, axis=1)
xp.average(x)
xp.average(x, axis=1)
xp.average(x, weights=xp.abs(x))
xp.average(x, axis=2, weights=xp.arange(4.0) + 1)
xp.average(x, axis=(0, 2), weights=xp.ones((2, 4)))
xp.average(x, axis=1, returned=True)
xp.average(x, axis=2, weights=xp.arange(4.0) + 1, returned=True, keepdims=True)
xp.average(x, axis=1, weights=xp.ones(4))
xp.average(x, weights=xp.zeros((2, 3, 4)))
xp.average(x, weights=xp.ones(4))
xp.cumulative_sum(x[0, 0])
xp.cumulative_sum(x, axis=1)
xp.cumulative_sum(x, axis=1, include_initial=True)
xp.cumulative_sum(x)
xp.cumulative_prod(x, axis=-1, include_initial=True)
xp.bincount(xp.asarray([1, 3, 1, 0]))
xp.bincount(xp.asarray([1, 3, 1, 0]), minlength=7)
xp.bincount(xp.asarray([1, 3, 1, 0]), weights=xp.asarray([0.5, 1.0, 2.0, 4.0]))
xp.bincount(xp.asarray([1, -3]))
xp.bincount(x)
xp.bincount(xp.asarray([1.0]))
xp.cov(x[0])
xp.cov(x[0], rowvar=False)
xp.cov(x[0, 0], x[0, 1])
xp.cov(x[0], bias=True)
xp.cov(x[0], ddof=0, aweights=xp.asarray([1.0, 2.0, 0.5, 1.0]))
xp.cov(x[0], fweights=xp.asarray([1, 2, 3, 1]))
xp.cov(x[0], fweights=xp.asarray([1, 2, 3, 1]), aweights=xp.asarray([1.0, 2.0, 0.5, 1.0]))
xp.corrcoef(x[0])
xp.corrcoef(x[0, 0], x[0, 1])
x.sum(1)
x.sum(axis=(0, 1), keepdims=True)
x.prod(0)
x.max(-1)
x.min()
x.mean(0)
x.var(1, ddof=1)
x.std()
(x > 0).any(0)
(x > 0).all()
x.argmax(1)
x.argmin()
x.cumsum()
x.cumsum(1)
x.cumprod(0)
x.trace()
x.dot(x[0].T)
""".strip().splitlines()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_keywords(device, program):
    with_nans = Input((3, 4), "float64").theirs
    with_nans[0, 1] = with_nans[2, 3] = np.nan
    n = Input((3, 4), "float64", "F", values=with_nans)
    check(program, x=Input((2, 3, 4), "float64", "swapped"), n=n)
    if "mean=" not in program:
        check(program, 1e-3, x=Input((2, 3, 4), "float32"), n=n)


@pytest.mark.parametrize(
    "name", ["sum", "prod", "max", "min", "any", "all", "mean", "argmax", "count_nonzero", "cumsum"]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_without_elements(device, name):
    for axis in ("None", "0", "1"):
        check(f"xp.{name}(x, axis={axis})", x=Input((0, 3), "float32"))
        check(f"xp.{name}(x, axis={axis})", x=Input((3, 0), "int32"))


@pytest.mark.parametrize(
    "name", ["sum", "prod", "max", "min", "any", "all", "mean", "var", "argmax", "count_nonzero", "cumsum"]
)
def test_without_dimensions(device, name):
    check(f"xp.{name}(x)", x=Input((), "float32"))
    check(f"xp.{name}(x, axis=0)", x=Input((), "float32")) if name not in (
        "argmax",
        "cumsum",
        "sum",
        "prod",
        "max",
        "min",
        "any",
        "all",
        "count_nonzero",
    ) else None
    check(f"xp.{name}(x, axis=1)", x=Input((), "float32"))


@pytest.mark.parametrize(
    "program",
    [
        "xp.sum(x, axis=0, out=o)",
        "xp.max(x, axis=0, out=o)",
        "xp.mean(x, 0, out=o)",
        "xp.cumsum(x[0], out=o)",
        "xp.sum(x, out=o)",
        "xp.var(x, 0, out=o)",
        "xp.ptp(x, 0, out=o)",
        "xp.all(x, 0, out=xp.zeros(4, bool))",
    ],
)
def test_out(device, program):
    check(program, x=Input((3, 4), "float64"), o=Input((4,), "float64"))


def test_long_lines_agree(device):
    for shape, axis in (((100_003,), 0), ((5, 20_011), 1), ((20_011, 5), 0)):
        x = Input(shape, "float32")
        for name in ("sum", "max", "argmin", "cumsum", "var"):
            check(f"xp.{name}(x, axis={axis})", 2e-3, x=x)
