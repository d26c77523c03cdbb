"""The conjugate gradient method, with scalars that stay on the device until the residual is looked at."""

import cupy as cp
import numpy as np


def solve(a, b, tolerance):
    xp = cp.get_array_module(b)
    x = xp.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    squared = xp.dot(r, r)
    for iteration in range(10 * len(b)):
        q = a @ p
        alpha = squared / xp.dot(p, q)
        x += alpha * p
        r -= alpha * q
        new = xp.dot(r, r)
        if xp.sqrt(new) < tolerance:
            return x, iteration + 1
        p = r + (new / squared) * p
        squared = new
    raise AssertionError("no convergence")


n = 64
a = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1) + 0.1 * np.eye(n)
b = np.cos(np.arange(n))
x, iterations = solve(cp.asarray(a), cp.asarray(b), 1e-10)
np.testing.assert_allclose(cp.asnumpy(x), np.linalg.solve(a, b), rtol=1e-8)
assert bool(cp.allclose(cp.asarray(a) @ x, cp.asarray(b)))
print("conjugate gradient:", iterations, "iterations")
