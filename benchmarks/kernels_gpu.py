"""Twelve kernels on a GPU: lanewise, nvcc -O3 on the same algorithm (the reference) and Numba.

Times are of the kernel alone: CUDA events around a batch of launches on the null stream, best of several batches, the
same device buffers for all three. Needs CuPy (buffers, events and loading nvcc's cubin) and nvcc; Numba is optional.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np

import kernels
from report import Report, geometric_mean


def nvcc_kernel(cupy, module):
    major, minor = cupy.cuda.Device().compute_capability[:-1], cupy.cuda.Device().compute_capability[-1]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernel.cu")
        source.write_text(module.CUDA)
        cubin = Path(folder, "kernel.cubin")
        arch = f"-arch=sm_{major}{minor}"
        subprocess.run(["nvcc", "-O3", arch, "-cubin", "-o", str(cubin), str(source)], check=True)
        return cupy.RawModule(path=str(cubin)).get_function(module.NAME)


def c_arguments(arguments):
    """Arrays become a pointer and their extents, as the CUDA C++ texts take them."""
    flat = []
    for a in arguments:
        flat.append(a)
        if hasattr(a, "shape") and a.shape:
            flat.extend(np.int64(n) for n in a.shape)
    return tuple(flat)


def time_batches(cupy, launch, batches=5, target_ms=60.0):
    """Milliseconds of one launch."""
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()

    def batch(count):
        start.record()
        for _ in range(count):
            launch()
        stop.record()
        stop.synchronize()
        return cupy.cuda.get_elapsed_time(start, stop) / count

    batch(2)
    count = max(3, min(2000, int(target_ms / max(batch(3), 1e-3))))
    return min(batch(count) for _ in range(batches))


def verify(case, arrays, label):
    outputs = {}
    for index in case.expected:
        outputs[index] = arrays[index].get()
    kernels.check(case, outputs)
    if hasattr(case, "sample"):
        index, where, expected, tolerance = case.sample
        np.testing.assert_allclose(arrays[index].get()[where], expected, rtol=tolerance, atol=tolerance, err_msg=label)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(kernels.NAMES))
    parser.add_argument("--no-numba", action="store_true")
    options = parser.parse_args()

    import cupy

    import lanewise.cuda

    faces = {"lanewise": lanewise.cuda}
    if not options.no_numba:
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack
        import numba.cuda

        warnings.simplefilter("ignore")
        faces["numba"] = numba.cuda

    report = Report(
        "kernels_gpu",
        "Twelve kernels: time of one launch",
        ["nvcc -O3", "lanewise", "numba", "lw/nvcc", "numba/nvcc"],
        "ms, then ratios",
    )
    report.header()
    ratios = {"lanewise": [], "numba": []}
    for name in options.names:
        module = kernels.load(name)
        case = module.setup(np.random.default_rng(7))

        def fresh(case=case):
            return [cupy.asarray(a) if isinstance(a, np.ndarray) and a.ndim else a for a in case.arguments]

        times = {}
        compiled = nvcc_kernel(cupy, module)
        arrays = fresh()
        grid, block = (tuple(d) + (1,) * (3 - len(d)) for d in (case.grid, case.block))
        compiled(grid, block, c_arguments(arrays))
        verify(case, arrays, f"{name}: nvcc")
        packed = c_arguments(arrays)
        times["nvcc"] = time_batches(cupy, lambda: compiled(grid, block, packed))
        for face, cuda in faces.items():
            arrays = fresh()
            launch = cuda.jit(module.python(cuda))[case.grid, case.block]
            arguments = [
                a if face == "lanewise" or not hasattr(a, "__cuda_array_interface__") else cuda.as_cuda_array(a)
                for a in arrays
            ]
            launch(*arguments)
            cuda.synchronize()
            verify(case, arrays, f"{name}: {face}")
            times[face] = time_batches(cupy, lambda: launch(*arguments))
            ratios[face].append(times[face] / times["nvcc"])
        numba_ms = times.get("numba")
        report.row(
            name,
            [
                times["nvcc"],
                times["lanewise"],
                numba_ms,
                times["lanewise"] / times["nvcc"],
                numba_ms and numba_ms / times["nvcc"],
            ],
        )
    means = {face: geometric_mean(r) for face, r in ratios.items() if r}
    report.row("geometric mean", [None, None, None, means.get("lanewise"), means.get("numba")])
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    report.save(properties["name"].decode(), log_scale=True)


if __name__ == "__main__":
    main()
