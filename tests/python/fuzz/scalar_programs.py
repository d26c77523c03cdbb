"""Random functions over int and float variables that mean the same in CPython and in a kernel.

Integers are kept below 2**31 by reductions modulo a prime, divisors away from zero and shift counts small, so that
64-bit arithmetic never wraps and CPython's unbounded integers agree. Variables keep one type, as a kernel's must where
control flow merges.
"""

from __future__ import annotations

import random

INTS = ("a", "b", "c")
FLOATS = ("x", "y", "z")
PRIME = 1000003


class Program:
    """One random function ``f(a, b, c, x, y, z) -> (int, float)``; ``source`` is its text."""

    def __init__(self, seed: int, statements: int = 8):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0
        self.block(1, statements)
        header = ["import math", "", "", "def f(a, b, c, x, y, z):"]
        self.source = "\n".join([*header, *self.lines, "    return a + b + c, x + y + z", ""])

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return self.random.choice(choices)

    def integer(self, depth: int = 0) -> str:
        r = self.random
        if depth > 3 or r.random() < 0.25:
            return self.pick(r.choice(INTS), r.choice(INTS), str(r.randint(-20, 20)))
        e, f = self.integer(depth + 1), self.integer(depth + 1)
        return self.pick(
            f"({e} + {f})",
            f"({e} - {f})",
            f"({e} * {f}) % {PRIME}",
            f"({e}) // (abs({f}) % 9 + 1)",
            f"({e}) // -(abs({f}) % 9 + 1)",
            f"({e}) % (abs({f}) % 9 + 1)",
            f"({e}) % -(abs({f}) % 9 + 1)",
            f"(({e}) & ({f}))",
            f"(({e}) | ({f}))",
            f"(({e}) ^ ({f}))",
            f"(({e}) >> (abs({f}) % 5))",
            f"((({e}) % 1000) << (abs({f}) % 5))",
            f"(-({e}))",
            f"(~({e}))",
            f"abs({e})",
            f"min({e}, {f})",
            f"max({e}, {f})",
            f"({e} if {self.condition(depth + 1)} else {f})",
            f"int({self.floating(depth + 1)})",
            f"int({self.condition(depth + 1)})",
            f"round({self.floating(depth + 1)})",
            f"divmod({e}, abs({f}) % 7 + 1)[{r.randint(0, 1)}]",
        )

    def floating(self, depth: int = 0) -> str:
        r = self.random
        if depth > 3 or r.random() < 0.25:
            return self.pick(r.choice(FLOATS), r.choice(FLOATS), repr(round(r.uniform(-8, 8), 2)))
        e, f = self.floating(depth + 1), self.floating(depth + 1)
        return self.pick(
            f"({e} + {f})",
            f"({e} - {f})",
            f"({e} * {f}) % 1024.0",
            f"({e}) / (abs({f}) + 0.5)",
            f"({e}) // (abs({f}) + 0.5)",
            f"({e}) % (abs({f}) + 0.5)",
            f"({e}) % -(abs({f}) + 0.5)",
            f"(-({e}))",
            f"abs({e})",
            f"math.sqrt(abs({e}))",
            f"math.fabs({e})",
            f"float(math.floor({e}))",
            f"float(math.ceil({e}))",
            f"math.copysign({e}, {f})",
            f"({e} if {self.condition(depth + 1)} else {f})",
            f"float({self.integer(depth + 1)})",
            f"({self.integer(depth + 1)}) / (abs({self.integer(depth + 1)}) % 5 + 1)",
            f"({e} + {self.integer(depth + 1)})",
        )

    def condition(self, depth: int = 0) -> str:
        r = self.random
        if depth > 3 or r.random() < 0.5:
            op = self.pick("<", "<=", ">", ">=", "==", "!=")
            side = self.pick(self.integer, self.floating)
            return f"({side(depth + 1)} {op} {side(depth + 1)})"
        p, q = self.condition(depth + 1), self.condition(depth + 1)
        low, middle, high = (self.integer(depth + 2) for _ in range(3))
        return self.pick(f"({p} and {q})", f"({p} or {q})", f"(not {p})", f"({low} <= {middle} < {high})")

    def assign(self, depth: int) -> None:
        r = self.random
        if r.random() < 0.5:
            target = r.choice(INTS)
            self.emit(depth, f"{target} = ({self.integer()}) % {PRIME}")
        elif r.random() < 0.5:
            target = r.choice(FLOATS)
            self.emit(depth, f"{target} = ({self.floating()}) % 4096.0")
        elif r.random() < 0.5:
            first, second = r.sample(self.pick(INTS, FLOATS), 2)
            self.emit(depth, f"{first}, {second} = {second}, {first}")
        else:
            target = r.choice(INTS)
            op = self.pick("+", "-", "^", "|", "&")
            self.emit(depth, f"{target} {op}= ({self.integer()}) % {PRIME}")
            self.emit(depth, f"{target} %= {PRIME}")

    def block(self, depth: int, statements: int, in_loop: bool = False) -> None:
        r = self.random
        for _ in range(r.randint(1, statements)):
            kind = r.random()
            if depth >= 4 or kind < 0.55:
                self.assign(depth)
            elif kind < 0.75:
                self.emit(depth, f"if {self.condition()}:")
                self.block(depth + 1, 3, in_loop)
                if r.random() < 0.4:
                    self.emit(depth, f"elif {self.condition()}:")
                    self.block(depth + 1, 3, in_loop)
                if r.random() < 0.6:
                    self.emit(depth, "else:")
                    self.block(depth + 1, 3, in_loop)
            elif kind < 0.9:
                self.loop(depth)
            elif in_loop:
                self.emit(depth, f"if {self.condition()}:")
                self.emit(depth + 1, self.pick("break", "continue"))
            else:
                self.emit(depth, f"if {self.condition()}:")
                self.emit(depth + 1, f"return {self.integer()}, {self.floating()}")

    def loop(self, depth: int) -> None:
        r = self.random
        self.loops += 1
        index = f"i{self.loops}"
        if r.random() < 0.6:
            bounds = self.pick(
                f"abs({self.integer(2)}) % 6",
                f"{r.randint(-4, 4)}, abs({self.integer(2)}) % 6",
                f"{r.randint(-6, 6)}, {r.randint(-6, 6)}, {self.pick(1, 2, -1, -2)}",
                f"abs({self.integer(2)}) % 8, {r.randint(-6, 2)}, -1",
            )
            self.emit(depth, f"for {index} in range({bounds}):")
            self.emit(depth + 1, f"a = (a + {index} * {r.randint(-3, 3)}) % {PRIME}")
        else:
            self.emit(depth, f"{index} = abs({self.integer(2)}) % 7")
            self.emit(depth, f"while {index} > 0:")
            self.emit(depth + 1, f"{index} -= {r.randint(1, 2)}")
        self.block(depth + 1, 3, True)
        if r.random() < 0.3:
            self.emit(depth, "else:")
            self.assign(depth + 1)
