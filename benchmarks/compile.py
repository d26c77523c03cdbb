"""Time to the first result: import, first and next kernel of a process, cold and from the disk cache.

Every figure is from a process of its own, the median of several. "First" is the first launch of the first kernel, with
everything it starts (device, compiler, driver JIT); "next" is the first launch of another kernel in that process.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from report import Report

KERNELS = """
import json, sys, time
import numpy as np
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack
{imports}
x = cuda.to_device(np.ones(1024, np.float32))
cuda.synchronize()

@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]

@cuda.jit
def block_sum(x, out):
    buf = cuda.shared.array(128, dtype=np.float32)
    tid = cuda.threadIdx.x
    i = cuda.grid(1)
    buf[tid] = 0.0
    if i < x.size:
        buf[tid] = x[i]
    cuda.syncthreads()
    stride = cuda.blockDim.x // 2
    while stride > 0:
        if tid < stride:
            buf[tid] += buf[tid + stride]
        cuda.syncthreads()
        stride //= 2
    if tid == 0:
        cuda.atomic.add(out, 0, buf[0])

def timed(f):
    start = time.perf_counter()
    f()
    cuda.synchronize()
    return (time.perf_counter() - start) * 1e3

time.sleep({pause})
print(json.dumps([timed(lambda: saxpy[8, 128](2.0, x, x)), timed(lambda: block_sum[8, 128](x, x))]))
"""


def child(code: str, environment: dict | None = None) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    if run.returncode:
        raise RuntimeError(run.stderr)
    return run.stdout


def import_ms(module: str, repeats: int) -> float:
    code = "import time; s = time.perf_counter(); %s; print((time.perf_counter() - s) * 1e3)"
    return statistics.median(float(child(code % f"import {module}" if module else "pass")) for _ in range(repeats))


def kernels(imports: str, environment: dict, repeats: int, pause: float, fresh: str | None) -> tuple[float, float]:
    runs = []
    # exec'ed text has no source file: the program is a file of its own.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w") as file:
            file.write(KERNELS.format(imports=imports, pause=pause))
        for _ in range(repeats):
            if fresh:
                shutil.rmtree(fresh, ignore_errors=True)
            run = subprocess.run(
                [sys.executable, "-W", "ignore", path],
                capture_output=True,
                text=True,
                env={**os.environ, **environment},
            )
            if run.returncode:
                raise RuntimeError(run.stderr)
            runs.append(json.loads(run.stdout))
    return statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    n = options.repeats

    import lanewise

    on_gpu = lanewise.current_device().kind == "cuda"
    report = Report("compile", "Time to the first result", ["import", "first", "next"], "ms, median")
    report.header()
    report.row("numpy", [import_ms("numpy", n), None, None])
    with tempfile.TemporaryDirectory() as cache:
        imported = import_ms("lanewise", n)
        use = "import lanewise.cuda as cuda"
        environment = {"LANEWISE_CACHE_DIR": cache + "/c"}
        report.row("lanewise, cold", [imported, *kernels(use, environment, n, 0.3, cache + "/c")])
        report.row("lanewise, cold, at once", [imported, *kernels(use, environment, n, 0.0, cache + "/c")])
        kernels(use, environment, 1, 0.0, None)
        report.row("lanewise, disk cache", [imported, *kernels(use, environment, n, 0.3, None)])
    if on_gpu:
        imported = import_ms("numpy; import numpy as np; np.row_stack = np.vstack; import numba.cuda", n)
        report.row("Numba", [imported, *kernels("from numba import cuda", {}, n, 0.0, None)])
        report.row("CuPy", [import_ms("cupy", n), None, None])
    report.save(lanewise.current_device().model)


if __name__ == "__main__":
    main()
