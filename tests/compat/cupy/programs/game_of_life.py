"""Conway's game of life with roll: a glider walks one cell down and right in four steps."""

import cupy as cp
import numpy as np


def step(xp, board):
    neighbours = sum(xp.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(board.dtype)


board = cp.zeros((16, 16), dtype=cp.int8)
board[1:4, 1:4] = cp.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=cp.int8)
start = board.copy()
host = cp.asnumpy(board)
for _ in range(4):
    board = step(cp, board)
    host = step(np, host)
np.testing.assert_array_equal(board.get(), host)
assert bool((board == cp.roll(start, (1, 1), axis=(0, 1))).all())
print("life", int(board.sum()), "cells")
