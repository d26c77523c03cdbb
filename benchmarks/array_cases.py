"""Operations on large arrays that the benchmarks time under several libraries: the same line of Python for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np


@dataclass(frozen=True)
class Case:
    """`run(xp, d)` is what is timed: `xp` is the library, `d` what `inputs` gives, as the library's arrays."""

    name: str
    run: Callable
    memory: Callable = lambda d: None  # bytes that have to be read and written at least
    operations: Callable = lambda d: None  # of floating point, where they and not the bytes are the work
    reference: Callable | None = None  # the expected result, where float32 depends on the order of additions
    tolerance: float = 1e-5

    def tolerance_of(self, expected) -> float:
        """Relative and absolute; numbers that are not floats have to be equal."""
        return self.tolerance if expected.dtype.kind in "fc" else 0.0


def inputs(elements: int, matrix: int, seed: int = 7) -> dict[str, np.ndarray]:
    """x, y: float32 between 0 and 1; m: x as a square; i: a quarter as many positions; a, b: square matrices; rows: as
    many of m as it has; n: integers below 1000."""
    side = 1 << (elements.bit_length() - 1) // 2
    generator = np.random.Generator(np.random.SFC64(seed))
    x, y = (generator.random(elements, dtype=np.float32) for _ in range(2))
    return {
        "x": x,
        "y": y,
        "out": np.zeros_like(x),
        "m": x[: elements // side * side].reshape(side, -1),
        "i": generator.integers(0, elements, elements // 4),
        "a": generator.random((matrix, matrix), dtype=np.float32),
        "b": generator.random((matrix, matrix), dtype=np.float32),
        "rows": generator.integers(0, side, side),
        "n": generator.integers(0, 1000, elements, dtype=np.int32),
    }


def on_device(host: dict[str, np.ndarray], convert: Callable) -> SimpleNamespace:
    """The inputs as arrays made by `convert`; m stays a view of x."""
    d = SimpleNamespace(**{name: convert(array) for name, array in host.items() if name != "m"})
    d.m = d.x[: host["m"].size].reshape(host["m"].shape)
    return d


def x_times(count: float) -> Callable:
    """So many bytes as `count` arrays of the size of x."""
    return lambda d: count * d.x.nbytes


FUSED = (
    Case("2*X + Y*X - 3", lambda xp, d: 2 * d.x + d.y * d.x - 3, x_times(3)),
    Case("exp(-X*X)*sin(Y) + 1", lambda xp, d: xp.exp(-d.x * d.x) * xp.sin(d.y) + 1, x_times(3)),
    Case("((X - Y)**2).sum()", lambda xp, d: ((d.x - d.y) ** 2).sum(), x_times(2)),
)
SINGLE = (
    Case("add(x, y, out)", lambda xp, d: xp.add(d.x, d.y, out=d.out), x_times(3)),
    Case("x + y", lambda xp, d: d.x + d.y, x_times(3)),
    Case("x * y", lambda xp, d: d.x * d.y, x_times(3)),
    Case("sqrt", lambda xp, d: xp.sqrt(d.x), x_times(2)),
    Case("exp", lambda xp, d: xp.exp(d.x), x_times(2)),
    Case("sin", lambda xp, d: xp.sin(d.x), x_times(2)),
    Case("where", lambda xp, d: xp.where(d.x > 0.5, d.x, d.y), x_times(3)),
    Case("astype float64", lambda xp, d: d.x.astype(np.float64), x_times(3)),
    Case("astype int32", lambda xp, d: d.y.astype(np.int32), x_times(2)),
    Case("sum", lambda xp, d: d.x.sum(), x_times(1)),
    Case("sum axis 0", lambda xp, d: d.m.sum(axis=0), x_times(1), tolerance=1e-4),
    Case("sum axis 1", lambda xp, d: d.m.sum(axis=1), x_times(1), tolerance=1e-4),
    Case("max", lambda xp, d: d.x.max(), x_times(1)),
    Case("argmax", lambda xp, d: d.x.argmax(), x_times(1)),
    Case("mean", lambda xp, d: d.x.mean(), x_times(1)),
    Case("std", lambda xp, d: d.x.std(), x_times(2), tolerance=1e-4),
    Case(
        "cumsum",
        lambda xp, d: xp.cumsum(d.x),
        x_times(2),
        reference=lambda xp, d: xp.cumsum(d.x, dtype=np.float64),
        tolerance=1e-3,
    ),
    Case("cumsum axis 0", lambda xp, d: xp.cumsum(d.m, axis=0), x_times(2), tolerance=1e-3),
    Case("cumsum axis 1", lambda xp, d: xp.cumsum(d.m, axis=1), x_times(2), tolerance=1e-3),
    Case("transpose copy", lambda xp, d: d.m.T.copy(), x_times(2)),
    Case("strided copy x[::2]", lambda xp, d: d.x[::2].copy(), x_times(1.5)),
    Case("reversed copy", lambda xp, d: d.x[::-1].copy(), x_times(2)),
    Case("concatenate", lambda xp, d: xp.concatenate([d.x, d.y]), x_times(4)),
    Case("concatenate 256 parts", lambda xp, d: xp.concatenate([d.x[k : k + 1000] for k in range(256)])),
    Case("stack axis 1", lambda xp, d: xp.stack([d.x, d.y], axis=1), x_times(4)),
    Case("pad", lambda xp, d: xp.pad(d.m, 1), x_times(2)),
    Case("roll", lambda xp, d: xp.roll(d.m, (3, 5), axis=(0, 1)), x_times(2)),
    Case("repeat", lambda xp, d: xp.repeat(d.x, 2), x_times(3)),
    Case("x[x > 0.5]", lambda xp, d: d.x[d.x > 0.5], x_times(1.5)),
    Case("nonzero", lambda xp, d: xp.nonzero(d.x > 0.5)[0], x_times(2)),
    Case("take", lambda xp, d: xp.take(d.x, d.i), lambda d: d.i.nbytes + 2 * d.i.size * d.x.itemsize),
    Case("m[rows]", lambda xp, d: d.m[d.rows], x_times(2)),
    Case("bincount", lambda xp, d: xp.bincount(d.n), x_times(1)),
    Case("matmul", lambda xp, d: xp.matmul(d.a, d.b), operations=lambda d: 2 * d.a.shape[0] ** 3, tolerance=1e-4),
)
CASES = {case.name: case for case in FUSED + SINGLE}
