"""Every elementwise function, cast, reduction and product of arrays on the cpu device against NumPy, worst ratio first.

A time is from the line of Python to its completed result. Elementwise functions and casts write into an array that is
there (``out=``), so that no allocation is part of it. The libraries take turns, and the least of many runs counts.
Results are not compared here: the tests do that.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from report import fastest, geometric_mean

INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
FLOATS = ("f2", "f4", "f8")
COMPLEX = ("c8", "c16")
DTYPES = ("?", *INTEGERS, *FLOATS, *COMPLEX)
PLAIN_REDUCTIONS = (
    "sum",
    "prod",
    "min",
    "max",
    "any",
    "all",
    "argmin",
    "argmax",
    "count_nonzero",
    "mean",
    "std",
    "ptp",
)
NAN_REDUCTIONS = ("nansum", "nanprod", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanmean", "nanstd")
SPECIAL_DOMAINS = {"arcsin": (-1, 1), "arccos": (-1, 1), "arctanh": (-0.99, 0.99), "arccosh": (1, 4)}


@dataclass(frozen=True)
class Case:
    """`run(xp, arrays, out)` is what is timed; `inputs` are made into arrays of each library, and so is `out`."""

    group: str
    name: str
    run: Callable
    inputs: tuple
    out: np.ndarray | None = None


def numbers(dtype: str, count: int, low: float = 0.01, high: float = 4.0, seed: int = 7) -> np.ndarray:
    """Floats between the bounds, integers between 1 and 100."""
    generator = np.random.Generator(np.random.SFC64(seed))
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return generator.random(count, dtype=np.float32) < 0.5
    if dtype.kind in "iu":
        return generator.integers(1, 100, count, dtype=dtype)
    values = low + (high - low) * generator.random(count)
    if dtype.kind == "c":
        return (values + 1j * values[::-1]).astype(dtype)
    return values.astype(dtype)


def resolved(function: np.ufunc, arrays: list) -> np.ndarray | None:
    """An array for the result as NumPy types it; None where NumPy refuses the operands."""
    try:
        return np.empty(arrays[0].shape, function(*(a[:1] for a in arrays)).dtype)
    except TypeError:
        return None


def elementwise(lanewise, count: int) -> Iterator[Case]:
    for name in sorted(dir(np)):
        function = getattr(np, name)
        if not isinstance(function, np.ufunc) or function.nout != 1 or not hasattr(lanewise, name):
            continue
        if function.signature or function.__name__ != name:
            continue
        for dtype in DTYPES:
            low, high = SPECIAL_DOMAINS.get(name, (0.01, 4.0))
            arrays = [numbers(dtype, count, low, high, seed) for seed in range(function.nin)]
            if name in ("left_shift", "right_shift", "power", "ldexp"):
                arrays[1] = arrays[1] % 7 if arrays[1].dtype.kind in "iu" else arrays[1]
            if name == "ldexp":
                arrays[1] = numbers("i4", count) % 7
            out = resolved(function, arrays)
            if out is None:
                continue

            def run(xp, a, out, name=name):
                return getattr(xp, name)(*a, out=out)

            yield Case("elementwise", f"{name} {dtype}", run, tuple(arrays), out)


def scalars(lanewise, count: int) -> Iterator[Case]:
    operations = {
        "x // 7": lambda xp, a, out: xp.floor_divide(a[0], 7, out=out),
        "x % 7": lambda xp, a, out: xp.remainder(a[0], 7, out=out),
        "fmod(x, 7)": lambda xp, a, out: xp.fmod(a[0], 7, out=out),
        "x * 7": lambda xp, a, out: xp.multiply(a[0], 7, out=out),
        "x ** 2": lambda xp, a, out: a[0] ** 2,
        "x ** 3": lambda xp, a, out: a[0] ** 3,
        "x > 3": lambda xp, a, out: xp.greater(a[0], 3, out=out),
        "clip(x, 2, 50)": lambda xp, a, out: xp.clip(a[0], 2, 50, out=out),
        "where(x > 2, x, 0)": lambda xp, a, out: xp.where(a[0] > 2, a[0], 0),
    }
    for name, run in operations.items():
        for dtype in DTYPES[1:]:
            x = numbers(dtype, count)
            try:
                kind = run(np, [x[:1]], None).dtype
            except TypeError:
                continue
            yield Case("scalar", f"{name} {dtype}", run, (x,), np.empty(count, kind))


def mixed(lanewise, count: int) -> Iterator[Case]:
    for name in ("add", "multiply", "less", "equal", "maximum"):
        for first, second in (("i1", "u1"), ("i4", "i8"), ("u8", "i8"), ("i4", "f4"), ("f4", "f8"), ("i8", "f8")):
            arrays = (numbers(first, count), numbers(second, count, seed=8))
            out = resolved(getattr(np, name), list(arrays))
            yield Case(
                "mixed", f"{name} {first} {second}", lambda xp, a, out, n=name: getattr(xp, n)(*a, out=out), arrays, out
            )


def casts(lanewise, count: int) -> Iterator[Case]:
    def run(xp, a, out):
        out[...] = a[0]
        return out

    for source in DTYPES:
        for target in DTYPES:
            if np.dtype(source).kind == "c" and np.dtype(target).kind != "c":
                continue
            yield Case("cast", f"astype {source} {target}", run, (numbers(source, count),), np.empty(count, target))


def layouts(count: int, dtype: str) -> dict[str, np.ndarray]:
    side = 1 << (count.bit_length() - 1) // 2
    x = numbers(dtype, count)
    square = x.reshape(side, -1)
    return {
        "C": square,
        "F": square.T,
        "strided": np.tile(square, (1, 2))[:, ::2],
        "wide": x.reshape(4, -1),
        "tall": x.reshape(-1, 4),
        "cube": x.reshape(64, 64, -1),
    }


def reductions(lanewise, count: int) -> Iterator[Case]:
    for dtype in DTYPES:
        for layout, x in layouts(count, dtype).items():
            axes = (None, 0, 1) if x.ndim == 2 else (1, (0, 2))
            for name in PLAIN_REDUCTIONS + (NAN_REDUCTIONS if x.dtype.kind in "fc" else ()):
                for axis in axes:
                    if name.startswith(("arg", "nanarg")) and isinstance(axis, tuple):
                        continue
                    if name == "ptp" and dtype == "?":
                        continue

                    def run(xp, a, out, name=name, axis=axis):
                        return getattr(xp, name)(a[0], axis=axis)

                    yield Case("reduction", f"{name} {dtype} {layout} {axis}", run, (x,))


def products(lanewise, count: int) -> Iterator[Case]:
    side = 1 << (count.bit_length() - 1) // 2
    for dtype in DTYPES:
        slow = np.dtype(dtype).kind in "biu" or dtype == "f2"
        edge = 256 if slow else 1024
        matrix = numbers(dtype, edge * edge).reshape(edge, edge)
        large = numbers(dtype, side * side).reshape(side, side)
        v, batch = numbers(dtype, side), numbers(dtype, 64 * 64 * 64).reshape(64, 64, 64)
        operations = {
            f"M @ M {edge}": (lambda xp, a, out: xp.matmul(a[0], a[1]), (matrix, matrix)),
            f"M.T @ M {edge}": (lambda xp, a, out: xp.matmul(a[0].T, a[1]), (matrix, matrix)),
            f"M @ tall {edge}x8": (lambda xp, a, out: xp.matmul(a[0], a[1]), (matrix, matrix[:, :8].copy())),
            f"M @ v {side}": (lambda xp, a, out: xp.matmul(a[0], a[1]), (large, v)),
            f"v @ M {side}": (lambda xp, a, out: xp.matmul(a[0], a[1]), (v, large)),
            f"M.T @ v {side}": (lambda xp, a, out: xp.matmul(a[0].T, a[1]), (large, v)),
            f"dot {count}": (lambda xp, a, out: xp.dot(a[0], a[0]), (large.ravel(),)),
            f"vdot {count}": (lambda xp, a, out: xp.vdot(a[0], a[0]), (large.ravel(),)),
            f"inner {edge}": (lambda xp, a, out: xp.inner(a[0], a[1]), (matrix, matrix)),
            f"outer {side}": (lambda xp, a, out: xp.outer(a[0], a[0]), (v,)),
            "batch 64": (lambda xp, a, out: xp.matmul(a[0], a[1]), (batch, batch)),
        }
        for name, (run, inputs) in operations.items():
            yield Case("product", f"{name} {dtype}", run, inputs)


GROUPS = {f.__name__: f for f in (elementwise, scalars, mixed, casts, reductions, products)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", default=list(GROUPS), help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--log2", type=int, default=22, help="elements, as a power of two")
    parser.add_argument("--seconds", type=float, default=0.1, help="to spend on each operation of each library")
    parser.add_argument("--match", default="", help="only cases whose name has this in it")
    parser.add_argument("--above", type=float, default=0.0, help="print only ratios above this")
    options = parser.parse_args()
    os.environ["LANEWISE_DEVICE"] = "cpu"
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")

    import lanewise
    from lanewise import cuda

    rows, refused = [], []
    for group in options.groups:
        for case in GROUPS[group](lanewise, 1 << options.log2):
            if options.match not in case.name:
                continue
            theirs = list(case.inputs)
            # An F-ordered or strided array of the device has to be a view there, too.
            ours = [on_device(lanewise, x) for x in theirs]
            out = None if case.out is None else lanewise.array(case.out)

            def numpy_run():
                return case.run(np, theirs, case.out)

            def lanewise_run():
                lanewise.evaluate(case.run(lanewise, ours, out))
                cuda.synchronize()

            try:
                lanewise_run()
                numpy_run()
            except Exception as error:
                refused.append(f"{case.name}: {str(error).splitlines()[0]}")
                continue
            mine, numpy_ms = fastest([lanewise_run, numpy_run], options.seconds)
            rows.append((mine / numpy_ms, case.name, numpy_ms, mine))
    print(f"{'':34s} {'NumPy ms':>10s} {'lanewise ms':>11s} {'ratio':>7s}")
    for ratio, name, numpy_ms, mine in sorted(rows, reverse=True):
        if ratio > options.above:
            print(f"{name:34s} {numpy_ms:10.4f} {mine:11.4f} {ratio:7.2f}")
    if rows:
        ratios = [row[0] for row in rows]
        slower = sum(ratio > 1.1 for ratio in ratios)
        print(f"{len(rows)} cases, geometric mean {geometric_mean(ratios):.3f}, {slower} above 1.1")
    for line in refused:
        print("refused:", line)


def on_device(lanewise, x: np.ndarray):
    """The array in the same layout."""
    if x.flags.c_contiguous or x.ndim != 2:
        return lanewise.array(x)
    if x.flags.f_contiguous:
        return lanewise.array(x.T).T
    return lanewise.array(np.repeat(x, 2, axis=1))[:, ::2]


if __name__ == "__main__":
    main()
