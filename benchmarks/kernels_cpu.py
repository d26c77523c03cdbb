"""Twelve kernels on the cpu device against hand-written C++ (-O3 -march=native, OpenMP, the same number of threads)."""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import kernels
from report import Report, geometric_mean

COMPILERS = ("clang++-19", "g++", "clang++")


def reference(folder: str):
    """kernels_cpu.cpp as a shared library, by the first compiler of COMPILERS that builds it."""
    library = Path(folder, "reference.so")
    source = Path(__file__).with_name("kernels_cpu.cpp")
    for compiler in filter(shutil.which, COMPILERS):
        command = [compiler, "-std=c++20", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "-o", str(library)]
        if subprocess.run([*command, str(source)], capture_output=True).returncode == 0:
            print("reference built by", compiler)
            return ctypes.CDLL(str(library))
    raise SystemExit("no C++ compiler with OpenMP among " + ", ".join(COMPILERS))


def c_arguments(arguments):
    flat = []
    for a in arguments:
        if isinstance(a, np.ndarray) and a.ndim:
            flat.append(ctypes.c_void_p(a.ctypes.data))
            flat.extend(ctypes.c_longlong(n) for n in a.shape)
        else:
            flat.append((ctypes.c_float if a.dtype.kind == "f" else ctypes.c_int)(a))
    return flat


def seconds(run, budget=1.2) -> float:
    best, spent = float("inf"), 0.0
    run()
    while spent < budget:
        start = time.perf_counter()
        run()
        took = time.perf_counter() - start
        best, spent = min(best, took), spent + took
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(kernels.NAMES))
    parser.add_argument("--scale", type=float, default=0.125, help="problem size relative to the GPU's")
    options = parser.parse_args()
    os.environ["LANEWISE_DEVICE"] = "cpu"

    from lanewise import cuda

    report = Report(
        "kernels_cpu", "Twelve kernels on the cpu device", ["C++", "lanewise", "speed"], "ms; C++ time / lanewise time"
    )
    report.header()
    speeds = []
    with tempfile.TemporaryDirectory() as folder:
        library = reference(folder)
        for name in options.names:
            module = kernels.load(name)
            case = module.setup(np.random.default_rng(7), options.scale)
            host = [a.copy() if isinstance(a, np.ndarray) else a for a in case.arguments]
            function = getattr(library, name)
            function.restype = None
            flat = c_arguments(host)
            base = seconds(lambda: function(*flat))
            arrays = [cuda.to_device(a) if isinstance(a, np.ndarray) and a.ndim else a for a in case.arguments]
            launch = cuda.jit(module.python(cuda))[case.grid, case.block]

            def run():
                launch(*arrays)
                cuda.synchronize()

            run()
            kernels.check(case, {i: arrays[i].copy_to_host() for i in case.expected})
            if hasattr(case, "sample"):
                index, where, expected, tolerance = case.sample
                np.testing.assert_allclose(
                    arrays[index].copy_to_host()[where], expected, rtol=tolerance, atol=tolerance
                )
            ours = seconds(run)
            speeds.append(base / ours)
            report.row(name, [base * 1e3, ours * 1e3, base / ours])
    report.row("geometric mean", [None, None, geometric_mean(speeds)])
    report.save(f"cpu device, {len(os.sched_getaffinity(0))} threads")


if __name__ == "__main__":
    main()
