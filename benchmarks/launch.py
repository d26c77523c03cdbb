"""Cost of a launch seen from Python: lanewise, CuPy's RawKernel and Numba beside cuLaunchKernel called from C++.

Empty kernels, grid and block of one warp, 2000 launches and one synchronisation, best of 15. On the cpu device: the
time from launch to completion of an empty kernel, nothing to compare it with.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from report import Report, best

LAUNCHES = 2000


def microseconds(launch, synchronize) -> float:
    def run():
        synchronize()
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            launch()
        synchronize()
        return (time.perf_counter() - start) / LAUNCHES

    run()
    return best(run, 15) * 1e6


def floor() -> dict:
    """cuLaunchKernel from C++, in a process of its own; empty without nvcc."""
    if not shutil.which("nvcc"):
        return {}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "floor")
        source = Path(__file__).with_name("launch_floor.cpp")
        subprocess.run(["nvcc", "-O3", "-o", str(program), str(source), "-lcuda"], check=True)
        return json.loads(subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout)


def scalar_and_two(cuda):
    @cuda.jit
    def empty(s, a, b):
        pass

    return empty


def sixteen(cuda):
    @cuda.jit
    def empty(a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q):
        pass

    return empty


def jit_rows(cuda, make_array):
    arrays = [make_array() for _ in range(16)]
    two = scalar_and_two(cuda)[1, 32]
    many = sixteen(cuda)[1, 32]
    return (
        microseconds(lambda: two(2.0, arrays[0], arrays[1]), cuda.synchronize),
        microseconds(lambda: many(*arrays), cuda.synchronize),
    )


def main() -> None:
    import lanewise
    import lanewise.cuda

    report = Report(
        "launch",
        "One launch from Python",
        ["scalar+2", "16 arrays", "x floor", "x floor 16"],
        "microseconds, then ratios to cuLaunchKernel from C++",
    )
    report.header()
    device = lanewise.cuda.get_current_device()
    host = np.zeros(16, np.float32)
    on_gpu = lanewise.current_device().kind == "cuda"
    base = floor() if on_gpu else {}

    def row(label, pair):
        f = (base.get("scalar_2_arrays"), base.get("arrays_16"))
        report.row(label, [*pair, *(p / q if q else None for p, q in zip(pair, f))])

    if base:
        row("cuLaunchKernel from C++", (base["scalar_2_arrays"], base["arrays_16"]))
    row("lanewise", jit_rows(lanewise.cuda, lambda: lanewise.cuda.to_device(host)))
    if on_gpu:
        import cupy

        code = 'extern "C" __global__ void empty(%s) {}'
        two = cupy.RawKernel(code % "double s, float* a, float* b", "empty")
        many = cupy.RawKernel(code % ", ".join(f"float* a{i}" for i in range(16)), "empty")
        arrays = tuple(cupy.zeros(16, np.float32) for _ in range(16))
        synchronize = cupy.cuda.Stream.null.synchronize
        row(
            "CuPy RawKernel",
            (
                microseconds(lambda: two((1,), (32,), (2.0, arrays[0], arrays[1])), synchronize),
                microseconds(lambda: many((1,), (32,), arrays), synchronize),
            ),
        )
        row("lanewise on CuPy arrays", jit_rows(lanewise.cuda, lambda: cupy.zeros(16, np.float32)))
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack
        import warnings

        import numba.cuda

        warnings.simplefilter("ignore")
        row("Numba", jit_rows(numba.cuda, lambda: numba.cuda.to_device(host)))
    report.save(device.name if isinstance(device.name, str) else device.name.decode())


if __name__ == "__main__":
    main()
