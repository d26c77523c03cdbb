"""Cost of a launch seen from Python, of Python kernels and of CUDA C++ kernels, beside cuLaunchKernel called from C++.

Peers are CuPy's RawKernel, Numba and PyCUDA, where they are installed. Empty kernels, grid and block of one warp, 2000
launches and one synchronisation, best of 15. On the cpu device: the time from launch to completion of an empty kernel,
nothing to compare it with.
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from report import Report, best, peer

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


def python_kernels(base: dict) -> None:
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

    def row(label, pair):
        f = (base.get("scalar_2_arrays"), base.get("arrays_16"))
        report.row(label, [*pair, *(p / q if q else None for p, q in zip(pair, f))])

    if base:
        row("cuLaunchKernel from C++", (base["scalar_2_arrays"], base["arrays_16"]))
    row("lanewise", jit_rows(lanewise.cuda, lambda: lanewise.cuda.to_device(host)))
    if on_gpu and (cupy := peer("cupy")):
        make = lambda: cupy.zeros(16, np.float32)
        row("CuPy RawKernel", raw_row(cupy.RawKernel, make, cupy.cuda.Stream.null.synchronize)[::2])
        row("lanewise on CuPy arrays", jit_rows(lanewise.cuda, make))
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack
    if on_gpu and (numba_cuda := peer("numba.cuda")):
        warnings.simplefilter("ignore")
        row("Numba", jit_rows(numba_cuda, lambda: numba_cuda.to_device(host)))
    report.save(device.name if isinstance(device.name, str) else device.name.decode())


def empty_kernel(parameters: list[str]) -> str:
    declared = ", ".join(f"{p} p{i}" for i, p in enumerate(parameters))
    return f'extern "C" __global__ void empty({declared}) {{}}'


SIGNATURES = (["double", "float*", "float*"], ["float*"] * 3 + ["int"], ["float*"] * 16)
FLOORS = ("scalar_2_pointers", "pointers_4", "pointers_16")


def raw_row(raw_kernel, make_array, synchronize) -> list:
    """A class with CuPy's interface of RawKernel, on each of SIGNATURES."""
    array = make_array()
    times = []
    for signature in SIGNATURES:
        kernel = raw_kernel(empty_kernel(signature), "empty")
        values = {"double": 2.0, "int": np.int32(3), "float*": array}
        arguments = tuple(values[p] for p in signature)
        times.append(microseconds(lambda: kernel((1,), (32,), arguments), synchronize))
    return times


def pycuda_rows(compiler, driver, autoinit) -> tuple[list, list]:
    """Unprepared and prepared calls of a kernel with 4 parameters; the two others of SIGNATURES are left out."""
    function = compiler.SourceModule(empty_kernel(SIGNATURES[1]), no_extern_c=True).get_function("empty")
    a, n = driver.mem_alloc(64), np.int32(3)
    synchronize = autoinit.context.synchronize
    loose = microseconds(lambda: function(a, a, a, n, block=(32, 1, 1), grid=(1, 1)), synchronize)
    function.prepare("PPPi")
    prepared = microseconds(lambda: function.prepared_call((1, 1), (32, 1, 1), a, a, a, 3), synchronize)
    return [None, loose, None], [None, prepared, None]


def cuda_kernels(base: dict) -> None:
    import lanewise
    import lanewise.compat.pycuda.autoinit
    import lanewise.compat.pycuda.compiler
    import lanewise.compat.pycuda.driver
    import lanewise.cuda

    face = lanewise.compat.pycuda
    report = Report(
        "launch_raw",
        "One launch of a CUDA C++ kernel from Python",
        ["scalar+2", "4 args", "16 args", "x floor", "x floor 4", "x floor 16"],
        "microseconds, then ratios to cuLaunchKernel from C++",
    )
    report.header()
    floors = [base.get(name) for name in FLOORS]

    def row(label, times):
        report.row(label, [*times, *(t / f if t and f else None for t, f in zip(times, floors))])

    if base:
        row("cuLaunchKernel from C++", floors)
    host = np.zeros(16, np.float32)
    row(
        "lanewise RawKernel",
        raw_row(lanewise.RawKernel, lambda: lanewise.cuda.to_device(host), lanewise.cuda.synchronize),
    )
    loose, prepared = pycuda_rows(face.compiler, face.driver, face.autoinit)
    row("lanewise as PyCUDA", loose)
    row("lanewise as PyCUDA, prepared", prepared)
    on_gpu = lanewise.current_device().kind == "cuda"
    if on_gpu and (cupy := peer("cupy")):
        make = lambda: cupy.zeros(16, np.float32)
        row("lanewise RawKernel, CuPy arrays", raw_row(lanewise.RawKernel, make, lanewise.cuda.synchronize))
        row("CuPy RawKernel", raw_row(cupy.RawKernel, make, cupy.cuda.Stream.null.synchronize))
    if on_gpu and peer("pycuda"):
        names = ("pycuda.compiler", "pycuda.driver", "pycuda.autoprimaryctx")
        loose, prepared = pycuda_rows(*map(importlib.import_module, names))
        row("PyCUDA", loose)
        row("PyCUDA, prepared", prepared)
    report.save(lanewise.current_device().model)


def graphs() -> None:
    """A graph of 100 empty kernels, for each kernel, beside launching them one by one."""
    import lanewise
    from lanewise import cuda

    kernels = 100
    report = Report("launch_graph", "A kernel in a graph of 100", ["one by one", "in a graph"], "microseconds")
    report.header()
    array = cuda.to_device(np.zeros(16, np.float32))
    kernel = scalar_and_two(cuda)[1, 32]

    def one_by_one():
        for _ in range(kernels):
            kernel(2.0, array, array)

    one_by_one()
    with cuda.graph() as captured:
        one_by_one()

    def each(launch):
        def run():
            cuda.synchronize()
            start = time.perf_counter()
            for _ in range(LAUNCHES // kernels):
                launch()
            cuda.synchronize()
            return (time.perf_counter() - start) / LAUNCHES

        run()
        return best(run, 15) * 1e6

    report.row("lanewise", [each(one_by_one), each(captured.launch)])
    report.save(lanewise.current_device().model)


def main() -> None:
    import lanewise

    base = floor() if lanewise.current_device().kind == "cuda" else {}
    python_kernels(base)
    cuda_kernels(base)
    graphs()


if __name__ == "__main__":
    main()
