"""CUDA C++ kernels on the cpu device against the same kernels in OpenCL C through PoCL, or another OpenCL CPU device.

The kernels of benchmarks/opencl are line-by-line translations of those in examples/cuda and are launched on the same
problems with the same work sizes. A time is from the launch to its completion; runs of the two alternate, and the least
of many counts. Results are checked in the same run. Without OpenCL only the times of lanewise are given.
"""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

import numpy as np

import opencl_host
from cuda_cases import CASES, Case
from report import Report, fastest, geometric_mean

TEXTS = Path(__file__).with_name("opencl")


def lanewise_run(case: Case):
    """A function that runs the case and waits; one run has been checked."""
    from lanewise import cuda

    enqueue = case.compile()

    def run():
        enqueue()
        cuda.synchronize()

    return run


def opencl_name(kernel: str) -> str:
    """The plain name; a comparison among the template's arguments is part of it."""
    plain = kernel.partition("<")[0]
    order = re.search(r", (Less|Greater)>", kernel)
    return f"{plain}_{order[1]}" if order else plain


def opencl_run(runtime: opencl_host.Runtime, case: Case):
    """The same with OpenCL; None for a kernel without a translation."""
    path = TEXTS / f"{case.file}.cl"
    if not path.exists():
        return None
    text = path.read_text()
    if any(not re.search(rf"\b{opencl_name(launch.kernel)}\b|#include", text) for launch in case.launches):
        return None
    program = runtime.build(text, f"-cl-std=CL1.2 -I{TEXTS}")
    arrays = {name: runtime.to_device(content) for name, content in case.arrays.items()}
    constants = [runtime.to_device(content) for content in case.constants.values()]
    launches = []
    for launch in case.launches:
        arguments = [arrays[a] if isinstance(a, str) else a for a in launch.arguments] + constants
        name = opencl_name(launch.kernel)
        launches.append(runtime.kernel(program, name, launch.grid, launch.block, arguments, launch.shared))

    def run():
        for launch in launches:
            launch()
        runtime.finish()

    run()
    case.check(lambda name: arrays[name].copy_to_host())
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--scale", type=float, default=1 / 64, help="problem size relative to the GPU's")
    parser.add_argument("--seconds", type=float, default=2.0, help="to spend on each kernel of each library")
    options = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    os.environ["LANEWISE_DEVICE"] = "cpu"
    os.environ.setdefault("POCL_MAX_PTHREAD_COUNT", str(threads))

    try:
        runtime = opencl_host.Runtime()
        print(f"peer: {runtime.description()}, {runtime.threads()} threads")
    except opencl_host.Unavailable as reason:
        runtime = None
        print(f"no peer: {reason}; only lanewise is measured")
    report = Report(
        "cuda_kernels_cpu",
        "CUDA C++ kernels on the cpu device",
        ["OpenCL", "lanewise", "speed"],
        "ms, least of many; OpenCL time / lanewise time",
    )
    report.header()
    speeds = []
    for name in options.names:
        case = CASES[name](np.random.default_rng(7), options.scale)
        ours = lanewise_run(case)
        peer = opencl_run(runtime, case) if runtime else None
        times = fastest([ours, peer] if peer else [ours], options.seconds)
        speed = times[1] / times[0] if peer else None
        speeds += [speed] if peer else []
        report.row(name, [times[1] if peer else None, times[0], speed])
    if speeds:
        report.row("geometric mean", [None, None, geometric_mean(speeds)])
    peer_name = runtime.description() if runtime else "no OpenCL"
    report.save(f"cpu device, {threads} threads; {peer_name}", log_scale=True)


if __name__ == "__main__":
    main()
