"""Twelve kernels, each written twice on the same algorithm: as a Python function and as CUDA C++.

A module of this package has

- ``python(cuda)``: the kernel for a namespace ``cuda`` (``lanewise.cuda`` or ``numba.cuda``), undecorated;
- ``CUDA`` and ``NAME``: the CUDA C++ text and its kernel's name;
- ``setup(rng)``: a ``Case``: host arguments, launch configuration, expected results and the work done.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field

import numpy as np

NAMES = (
    "saxpy",
    "strided_scale",
    "transpose",
    "reduction",
    "histogram",
    "stencil",
    "matmul",
    "mandelbrot",
    "nbody",
    "black_scholes",
    "scan",
    "warp_reduction",
)


@dataclass
class Case:
    """One problem: what to launch and what must come out."""

    arguments: list
    """NumPy arrays and NumPy scalars in kernel parameter order."""
    grid: tuple
    block: tuple
    expected: dict
    """Argument index -> (expected array, relative tolerance)."""
    work: float
    """Bytes moved, or floating-point operations, of one launch."""
    unit: str = "GB/s"
    repeatable: bool = field(default=True)
    """False: a launch changes what the next one reads, so results are checked on the first launch only."""


def load(name: str):
    """The module of one kernel."""
    return importlib.import_module(f"{__name__}.{name}")


def check(case: Case, arrays: dict) -> None:
    """Raises AssertionError when an output differs from what NumPy computed."""
    for index, (expected, tolerance) in case.expected.items():
        np.testing.assert_allclose(arrays[index], expected, rtol=tolerance, atol=tolerance)
