"""Random kernels with barriers and warp exchanges, and a model that runs them thread by thread in CPython.

A program is a list of phases. In the kernel's text a barrier is ``cuda.syncthreads()`` and an exchange a shuffle; in
the model's text both are ``yield``, and ``run_model`` advances all threads of a block in lock step. Threads write only
their own slot of shared memory and meet at a barrier before others read it, so every order of threads gives one result.
"""

from __future__ import annotations

import random


class Program:
    """``source``: module text with ``kernel(data, out, limit)`` for ``cuda`` and ``model(...)``, a generator. ``block``
    is the block's shape, of one to three dimensions with ``threads`` threads in all."""

    def __init__(self, seed: int, threads: int):
        self.random = random.Random(seed)
        self.threads = threads
        divisors = [d for d in range(1, threads + 1) if threads % d == 0]
        x = self.random.choice([threads, self.random.choice(divisors)])
        y = self.random.choice([d for d in divisors if threads // x % d == 0])
        self.block = (x, y, threads // x // y)
        self.kernel: list[str] = []
        self.model: list[str] = []
        self.depth = 1
        self.counter = 0
        both = self.both
        both("v = data[block * threads + tid]")
        both("w = v * 3 + tid")
        self.barrier()
        for _ in range(self.random.randint(2, 6)):
            self.phase(0)
        both("out[block * threads + tid] = v * 31 + w")
        head = [
            "import numpy as np",
            "from lanewise import cuda",
            f"THREADS = {threads}",
            "",
            "@cuda.jit",
            "def kernel(data, out, limit):",
            "    s = cuda.shared.array(THREADS, np.int64)",
            "    x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z",
            "    width = cuda.blockDim.x",
            "    tid = x + width * (y + cuda.blockDim.y * z)",
            "    block = cuda.blockIdx.x",
            "    threads = width * cuda.blockDim.y * cuda.blockDim.z",
        ]
        middle = [
            "",
            "def model(tid, block, threads, data, out, limit, s):",
            f"    width = {self.block[0]}",
            f"    x, y, z = tid % width, tid // width % {self.block[1]}, tid // width // {self.block[1]}",
        ]
        self.source = "\n".join([*head, *self.kernel, *middle, *self.model, ""])

    def both(self, text: str) -> None:
        for lines in (self.kernel, self.model):
            lines.append("    " * self.depth + text)

    def barrier(self) -> None:
        self.kernel.append("    " * self.depth + "cuda.syncthreads()")
        self.model.append("    " * self.depth + "yield None")

    def uniform_condition(self) -> str:
        return self.random.choice(
            ["limit > 3", "limit % 2 == 0", "data[block * threads] > 0", "block % 2 == 0", "threads > 40"]
        )

    def divergent_condition(self) -> str:
        return self.random.choice(
            ["tid % 3 == 0", "y % 2 == 0", "x < limit", "v > w", "v % 2 == 0", "tid < limit", "(w & 4) == 0"]
        )

    def update(self) -> None:
        self.both(
            self.random.choice(
                [
                    "v = (v * 5 + w) % 10007",
                    "w = (w - v * 2) % 10007",
                    "v, w = w, v",
                    "w += tid * limit",
                    "w += y * limit + z",
                    "v -= x * limit",
                    "v = v if v > w else w - 1",
                ]
            )
        )

    def indent(self, header: str, body) -> None:
        self.both(header)
        self.depth += 1
        body()
        self.depth -= 1

    def exchange(self) -> None:
        self.both("s[tid] = v + w")
        self.barrier()
        kind = self.random.random()
        if kind < 0.5:
            self.both(f"w = s[(tid * {self.random.choice([1, 3, 5, 7])} + {self.random.randint(0, 9)}) % threads]")
        else:
            # A row or a column of the block, as in a tiled matrix product.
            self.counter += 1
            k = f"k{self.counter}"
            self.both(f"for {k} in range(width):")
            where = self.random.choice([f"y * width + {k}", f"({k} * width + x) % threads"])
            self.both(f"    w = (w + s[{where}] * (x + {k})) % 10007")
        self.barrier()

    def vote(self) -> None:
        name = self.random.choice(["count", "and", "or"])
        condition = self.divergent_condition()
        self.kernel.append("    " * self.depth + f"w = (w + cuda.syncthreads_{name}({condition})) % 10007")
        self.model.append("    " * self.depth + f"w = (w + (yield ('{name}', {condition}))) % 10007")

    def shuffle(self) -> None:
        # Full warps only: reading a lane that is not there is undefined in CUDA.
        if self.threads % 32:
            return
        kind = self.random.choice(["xor", "idx"])
        argument = self.random.choice([1, 2, 7, 16]) if kind == "xor" else self.random.randint(0, 31)
        function = {"xor": "shfl_xor_sync", "idx": "shfl_sync"}[kind]
        self.kernel.append("    " * self.depth + f"w = cuda.{function}(0xFFFFFFFF, v, {argument})")
        self.model.append("    " * self.depth + f"w = yield ('{kind}', v, {argument})")

    def phase(self, nesting: int) -> None:
        kind = self.random.random()
        if kind < 0.3 or nesting >= 3:
            self.random.choice([self.exchange, self.exchange, self.vote, self.shuffle])()
        elif kind < 0.45:
            self.update()
        elif kind < 0.6:
            self.indent(f"if {self.divergent_condition()}:", self.update)
        elif kind < 0.75:
            self.indent(f"if {self.uniform_condition()}:", lambda: (self.update(), self.phase(nesting + 1)))
            if self.random.random() < 0.5:
                self.indent("else:", lambda: (self.update(), self.phase(nesting + 1)))
        else:
            self.counter += 1
            index = f"i{self.counter}"

            def body():
                self.both(f"v = (v + {index}) % 10007")
                self.phase(nesting + 1)
                if self.random.random() < 0.3:
                    self.indent(
                        f"if {self.uniform_condition()}:", lambda: self.both(self.random.choice(["break", "continue"]))
                    )
                self.update()

            self.indent(f"for {index} in range({self.random.choice(['limit % 4', '2', 'block % 3'])}):", body)


def run_model(model, data, out, limit: int, blocks: int, threads: int) -> None:
    """Runs every block's threads in lock step; all threads must yield alike, as at a real barrier."""
    for block in range(blocks):
        shared = [0] * threads
        fibers = [model(t, block, threads, data, out, limit, shared) for t in range(threads)]
        answers = [None] * threads
        while fibers:
            requests = []
            for fiber, received in zip(fibers, answers):
                try:
                    requests.append(fiber.send(received))
                except StopIteration:
                    requests.append(StopIteration)
            ended = [r is StopIteration for r in requests]
            if all(ended):
                break
            assert not any(ended), "threads disagree on a barrier"
            answers = [answer(requests, t) for t in range(threads)]


def answer(requests, t: int):
    request = requests[t]
    if request is None:
        return None
    if request[0] == "count":
        return sum(bool(r[1]) for r in requests)
    if request[0] == "and":
        return int(all(r[1] for r in requests))
    if request[0] == "or":
        return int(any(r[1] for r in requests))
    warp = t // 32 * 32
    lane = t % 32 ^ request[2] if request[0] == "xor" else request[2]
    return requests[warp + lane][1]
