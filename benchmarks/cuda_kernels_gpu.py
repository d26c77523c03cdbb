"""CUDA C++ kernels on a GPU: the code of NVRTC and of clang against nvcc -O3's, with the same launches and data.

A time is of the kernels alone: events around a batch of runs, best of several batches. Every compiler's results are
checked. A compiler that is absent has no column of times.
"""

from __future__ import annotations

import argparse

import numpy as np

from cuda_cases import CASES
from report import Report, geometric_mean

COMPILERS = ("nvcc", "nvrtc", "clang")
OPTIONS = {"nvcc": ("-O3",), "nvrtc": (), "clang": ()}


def milliseconds(runs: list, batches: int = 7, target_ms: float = 40.0) -> list:
    """Of one run of each; batches of them take turns."""
    from lanewise import cuda

    start, stop = cuda.event(), cuda.event()

    def batch(run, count):
        start.record()
        for _ in range(count):
            run()
        stop.record()
        stop.synchronize()
        return cuda.event_elapsed_time(start, stop) / count

    counts = []
    for run in runs:
        batch(run, 2)
        counts.append(max(3, min(2000, int(target_ms / max(batch(run, 3), 1e-3)))))
    best = [float("inf")] * len(runs)
    for _ in range(batches):
        for index, run in enumerate(runs):
            best[index] = min(best[index], batch(run, counts[index]))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--scale", type=float, default=1.0, help="problem size")
    options = parser.parse_args()

    import lanewise
    from lanewise import _core

    if lanewise.current_device().kind != "cuda":
        raise SystemExit("cuda_kernels_gpu.py: there is no CUDA device here")
    report = Report(
        "cuda_kernels_gpu",
        "CUDA C++ kernels: time of one run by compiler",
        [*COMPILERS, "nvrtc/nvcc", "clang/nvcc"],
        "ms, then ratios",
    )
    report.header()
    ratios = {"nvrtc": [], "clang": []}
    absent = set()
    for name in options.names:
        case = CASES[name](np.random.default_rng(7), options.scale)
        runs = {}
        for backend in COMPILERS:
            try:
                runs[backend] = case.compile(backend, OPTIONS[backend])
            except _core.DeviceUnavailable:
                absent.add(backend)
        times = dict(zip(runs, milliseconds(list(runs.values()))))
        row = [times.get(backend) for backend in COMPILERS]
        for backend, values in ratios.items():
            both = backend in times and "nvcc" in times
            row.append(times[backend] / times["nvcc"] if both else None)
            values += row[-1:] if both else []
        report.row(name, row)
    means = [geometric_mean(values) if values else None for values in ratios.values()]
    report.row("geometric mean", [None, None, None, *means])
    if absent:
        print("absent:", ", ".join(sorted(absent)))
    report.save(lanewise.current_device().model, log_scale=True)


if __name__ == "__main__":
    main()
