"""The Mandelbrot set by arrays: complex numbers, masks, in-place updates."""

import cupy as cp
import numpy as np


def mandelbrot(xp, width, height, iterations):
    x = xp.linspace(-2.0, 0.5, width)
    y = xp.linspace(-1.25, 1.25, height)
    c = x[None, :] + 1j * y[:, None]
    z = xp.zeros_like(c)
    counts = xp.zeros(c.shape, dtype=xp.int32)
    for _ in range(iterations):
        inside = xp.abs(z) <= 2.0
        z = xp.where(inside, z * z + c, z)
        counts += inside
    return counts


on_device = mandelbrot(cp, 120, 80, 30)
on_host = mandelbrot(np, 120, 80, 30)
assert isinstance(on_device, cp.ndarray)
different = int((cp.asnumpy(on_device) != on_host).sum())
# Points on the very border may fall either way.
assert different <= 5, different
print("mandelbrot", on_device.max(), int(on_device.sum()))
