"""The heat equation on a plate: Jacobi iteration with slices, until it changes little."""

import cupy as cp
import numpy as np


def solve(xp, n, steps):
    u = xp.zeros((n, n), dtype=xp.float64)
    u[0, :] = 100.0
    u[:, -1] = xp.linspace(100.0, 0.0, n)
    change = None
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = xp.abs(new - u).max()
        u = new
    return u, change


device, change = solve(cp, 50, 200)
host, expected = solve(np, 50, 200)
np.testing.assert_allclose(cp.asnumpy(device), host, rtol=1e-12, atol=1e-12)
assert abs(float(change) - expected) < 1e-9
print(f"heat: mean {float(device.mean()):.4f}, last change {float(change):.5f}")
