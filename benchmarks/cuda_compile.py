"""Time from CUDA C++ text to a loaded kernel: clang and NVRTC in process, the disk cache, CuPy's RawModule and nvcc.

The text is examples/cuda/ray_march.cu, about 100 lines with templates and one kernel. "First" is the first text of a
process whose device is in use already, with the start of the compiler; "next" another text in that process. Every
figure is the median of several processes.
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
import time
from pathlib import Path

from report import Report, peer

SOURCE = Path(__file__).resolve().parents[1] / "examples" / "cuda" / "ray_march.cu"
NAME = "render<true>"

PROGRAM = """
import json, sys, time
import numpy as np
import {package}
text = open({path!r}).read()
{prepare}

def milliseconds(variant):
    code = "#define VARIANT %d\\n%s" % (variant, text)
    start = time.perf_counter()
    {package}.RawModule(code=code, options={options!r}, name_expressions=[{name!r}]{backend}).get_function({name!r})
    return (time.perf_counter() - start) * 1e3

print(json.dumps([milliseconds(i) for i in range(4)]))
"""
USE_LANEWISE = (
    "from lanewise import cuda; cuda.to_device(np.ones(1024, np.float32)); cuda.synchronize(); time.sleep(0.3)"
)
USE_CUPY = "cupy.ones(1024, np.float32).sum(); cupy.cuda.Device().synchronize()"


def run(program: str, environment: dict) -> list:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def rows(program: str, variable: str, repeats: int) -> dict:
    """{"cold": [first, next], "disk cache": [first, next]} in milliseconds; the cache lies where `variable` says."""
    cold, cached = [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(run(program, {variable: folder}))
            cached.append(run(program, {variable: folder}))
    # The compiler is warm from the second text on.
    summary = lambda runs: [
        statistics.median(r[0] for r in runs),
        statistics.median(t for r in runs for t in r[1:]),
    ]
    return {"cold": summary(cold), "disk cache": summary(cached)}


def nvcc_ms(repeats: int, architecture: str) -> float:
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cu")
        path.write_text(
            SOURCE.read_text() + "template __global__ void render<true>(float*, float*, int, int, Camera);\n"
        )
        for _ in range(repeats):
            start = time.perf_counter()
            command = ["nvcc", "-std=c++17", f"-arch={architecture}", "-cubin", "-o", f"{folder}/kernel.cubin", path]
            subprocess.run(command, check=True)
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    import lanewise
    from lanewise import _core

    device = lanewise.current_device()
    on_gpu = device.kind == "cuda"
    report = Report("cuda_compile", "CUDA C++ text to loaded kernel", ["first", "next"], "ms, median")
    report.header()
    for backend in ("clang", "nvrtc") if on_gpu else ("clang",):
        program = PROGRAM.format(
            package="lanewise",
            path=str(SOURCE),
            prepare=USE_LANEWISE,
            options=(),
            name=NAME,
            backend=f", backend={backend!r}",
        )
        try:
            lanewise.RawModule("__global__ void empty() {}", backend=backend).compile()
        except _core.DeviceUnavailable:
            print(f"{backend} is absent")
            continue
        for state, times in rows(program, "LANEWISE_CACHE_DIR", options.repeats).items():
            report.row(f"lanewise, {backend}, {state}", times)
    if on_gpu and peer("cupy"):
        program = PROGRAM.format(
            package="cupy", path=str(SOURCE), prepare=USE_CUPY, options=("-std=c++17",), name=NAME, backend=""
        )
        for state, times in rows(program, "CUPY_CACHE_DIR", options.repeats).items():
            report.row(f"CuPy (NVRTC), {state}", times)
    if shutil.which("nvcc"):
        architecture = "sm_{}{}".format(*device.compute_capability) if on_gpu else "sm_90"
        report.row("nvcc, a process", [nvcc_ms(options.repeats, architecture), None])
    else:
        print("nvcc is absent")
    report.save(device.model)


if __name__ == "__main__":
    main()
