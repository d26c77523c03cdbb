"""Random programs over a few arrays of mixed dtypes and layouts: views of views, in-place updates that overlap, fancy
indexing, reductions, scans, long chains, refused statements.

A program is made by running it with NumPy. Its floating-point numbers stay small multiples of 1/16, so that every order
of additions gives the same; a step that NumPy refuses stays in the program as a refusal where it changes nothing.
"""

from __future__ import annotations

import random

import numpy as np

DTYPES = ("bool", "int8", "int32", "int64", "uint8", "uint16", "uint64", "float16", "float32", "float64", "complex64")
LAYOUTS = ("", ".T", "[::-1]", "[..., ::-1]", "[1:]", "[..., 1::2]", "[..., None]", "[:, None]", "[0]")
MOST_ELEMENTS = 6000
REFUSED = (TypeError, ValueError, IndexError, OverflowError)


def _steps(text: str) -> list[str]:
    return [step.strip() for line in text.strip().splitlines() for step in line.split(";")]


# New values of arrays {a}, {b}, {c}. {i} is an index, {f} one with arrays in it, {k} an axis or None, {n} a number.
EXPRESSIONS = _steps("""
{a} + {b}; {a} - {b}; {a} * {b}; xp.maximum({a}, {b}) + 0; {a} < {b}; {a} == {b}; {a} // 3; {a} % {n}; {a} + {n}
{n} - {a}; -{a}; xp.maximum({a}, -{a}) + 0; {a} & {b}; {a} ^ {b}; {a} << 1; xp.logical_and({a}, {b})
xp.sign({a}); ({a} - {b}) / 2
xp.where({a} > {b}, {a}, {b}); xp.where({a} != 0, {b}, {n}); xp.where({a} > 1, {b}, {c}); xp.clip({a}, -2, 3)
({a} + {b}) * ({a} + {b}) - ({a} + {b}); ({a} - {b}).sum() + ({a} - {b}); {a} - {a}.max({k}, keepdims=True)
{a}[{i}]; {a}[{i}]; {a}[{i}]; {a}.T; {a}.reshape(-1); {a}.ravel(); {a}[..., None]; xp.swapaxes({a}, 0, -1)
{a}.diagonal(); xp.broadcast_to({a}, (3, *{a}.shape)); {a}.real; {a}.imag + 0; {a}.copy(); {a}.squeeze()
{a}[{f}]; {a}[{f}]; {a}[{f}]; {a}[{a} != 0]; xp.take({a}, [0, -1, 0], {k}); xp.nonzero({a})[0]; {a}.flatten("F")
{a}.sum({k}); {a}.sum({k}, keepdims=True); {a}.max({k}) + 0; {a}.min({k}) + 0; {a}.argmax({k}); {a}.any({k})
{a}.sum({k}, where={b} > 0); xp.count_nonzero({a}, {k}); xp.cumsum({a}, {k}) + 0; xp.maximum.accumulate({a}) + 0
xp.add.reduceat({a}, asarray([0, 1, 0])); xp.subtract.outer({a}, {b}); {a} @ {b}; {a} @ {b}.T
xp.einsum("ij,kj->ik", {a}, {b})
xp.concatenate([{a}, {b}]); xp.stack([{a}, {a}], -1); xp.roll({a}, 2, {k}); xp.repeat({a}, 2, {k}); xp.pad({a}, 1)
xp.tile({a}, 2); {a}.astype("int32"); {a}.astype("float32"); {a}.astype(bool)
({a} + 0).view("int8"); xp.diff({a}); xp.tril({a}); xp.select([{a} > 1, {a} < 0], [{a}, {b}], 7)
xp.choose({a} > 1, [{b}, {c}])
""")

# Statements that write to {a}.
UPDATES = _steps("""
{a} += {b}; {a} -= {b}; {a} *= 2; {a} ^= {b}; {a} //= 2; {a} += 1; {a}[{i}] += {b}; {a}[{i}] -= 1; {a}[{i}] *= 2
{a}[{i}] = {n}; {a}[{i}] = {b}; {a}[{i}] = {b} + 1; {a}[{i}] = {b}[{i}]; {a}[...] = {b}; {a}[...] = {b}.sum() - {b}
{a}[1:] = {a}[:-1]; {a}[:-1] = {a}[1:]; {a}[1:] += {a}[:-1]; {a}[...] = {a}[::-1]; {a}[...] -= {a}[::-1]
{a}[0] = {a}[-1]
{a}[...] = {a}.T; {a} += {a}.T; {a}[..., ::2] = {a}[..., ::2][..., ::-1]; {a}[1:] = {a}[:-1] * 2 + {b}
{a}[{f}] = {n}; {a}[{a} > 0] = {n}; {a}[{a} != 0] += 1; {a}[{b} > 1] = {n}; {a}[::2] += {b}
xp.add({b}, {c}, out={a}); xp.subtract({a}, {b}, out={a}); xp.less({b}, {c}, out={a})
xp.add({b} + 0, {c} + 0, out={a}, where={b} > 0); xp.multiply({a}[:-1], 2, out={a}[1:])
xp.copyto({a}, {b} + {b}, where={c} > 0)
{b}.sum(0, out={a}); xp.maximum({b}, 1, out={a}[{i}]); {a}.fill(3); {a}[{i}] = {b}.max({k}); {a}.real[...] = {n}
for _ in range(70): {a}[...] = {a}[::-1] ^ 5; for _ in range(70): {a} += 1
""")


def is_tame(x):
    """Whether sums of the elements are the same in any order, for every dtype that they may come to."""
    if x.dtype.kind in "biu":
        return True
    wide = x.astype("complex128") * 16
    return bool(np.isfinite(wide).all() and (wide == np.round(wide)).all() and (abs(wide) <= 2**13).all())


class Program:
    """One random program. `source` is its text, which takes `xp`, `asarray` and `refuses` and leaves `arrays`."""

    def __init__(self, seed: int, steps: int = 24):
        self.random = random.Random(seed)
        self.names = {"xp": np, "np": np, "asarray": np.array}
        self.lines: list[str] = []
        self.arrays: list[str] = []
        self.made = 0
        self.extents = [
            self.random.choice(extents) for extents in [(1, 2, 3, 4), (1, 3, 5, 8), (0, 2, 4, 5, 16, 33, 70)]
        ]
        self.dtypes = self.random.sample(DTYPES, 3)
        for _ in range(3):
            self.leaf()
        while len(self.lines) < steps:
            self.step()

    @property
    def source(self) -> str:
        return "\n".join(self.lines)

    def leaf(self) -> None:
        r = self.random
        shape = self.extents[r.randrange(3) :]
        for axis in range(len(shape)):
            if r.random() < 0.2:
                shape[axis] = 1
        numbers = f"np.random.default_rng({r.randrange(1000)}).integers(-3, 4, {tuple(shape)})"
        self.new(f"asarray({numbers}.astype({r.choice(self.dtypes)!r})){r.choice(LAYOUTS)}")

    def step(self) -> None:
        r = self.random
        a, b, c = (r.choice(self.arrays) for _ in range(3))
        x = self.names[a]
        fields = {
            "a": a,
            "b": b,
            "c": c,
            "i": self.index(x),
            "f": self.index(x, fancy=True),
            "k": r.choice([None, *range(-x.ndim, x.ndim)]),
            "n": r.choice([0, 1, 2, 3, -1, True]),
        }
        choice = r.random()
        if choice < 0.45:
            self.new(r.choice(EXPRESSIONS).format(**fields))
        elif choice < 0.85 and (x.dtype.kind not in "iu" or all(self.names[n].dtype.kind in "biu" for n in (b, c))):
            # Floating-point numbers outside an integer type become what the processor makes of them in NumPy.
            self.update(r.choice(UPDATES).format(**fields), x)
        elif choice < 0.9:
            self.leaf()
        elif choice < 0.95 and len(self.arrays) > 3:
            self.arrays.remove(a)
            self.lines.append(f"del {a}")
        else:
            self.lines.append(r.choice(["xp.evaluate()", f"xp.evaluate({b})"]))
        if len(self.arrays) > 7:
            self.lines.append(f"del {self.arrays.pop(0)}")

    def index(self, x: np.ndarray, fancy: bool = False) -> str:
        r = self.random
        items = []
        for extent in x.shape[: r.randint(0, x.ndim)]:
            kind = r.random()
            if fancy and kind < 0.5:
                picked = [r.randrange(-extent, extent + (r.random() < 0.02)) for _ in range(r.randint(1, 3)) if extent]
                items.append(
                    f"asarray({picked}, int)" if kind < 0.3 else f"asarray([[{picked[0] if picked else ''}]], int)"
                )
            elif kind < 0.7:
                items.append(str(r.randint(-extent, extent)))
            else:
                start, stop = (r.choice(["", r.randint(-extent - 1, extent + 1)]) for _ in range(2))
                items.append(f"{start}:{stop}:{r.choice(['', 1, 2, -1, -2])}")
        if r.random() < 0.1:
            items.insert(r.randint(0, len(items)), "None")
        return ", ".join([*items, "..."])

    def new(self, expression: str) -> None:
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(eval(expression, self.names))
        except REFUSED:
            self.lines.append(f"refuses(lambda: {expression})")
            return
        if value.size > MOST_ELEMENTS or not is_tame(value):
            return
        self.made += 1
        name = f"v{self.made}"
        self.names[name] = value
        self.arrays.append(name)
        self.lines.append(f"{name} = {expression}")

    def update(self, statement: str, target: np.ndarray) -> None:
        owner = target
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        before = owner.copy()
        try:
            with np.errstate(all="ignore"):
                exec(statement, self.names)
        except REFUSED:
            owner[...] = before
            return
        # Which of several values that are written to the same place wins is not defined.
        if is_tame(owner):
            self.lines.append(statement)
        else:
            owner[...] = before
