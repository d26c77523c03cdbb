"""Operations on large arrays on the cpu device against NumPy: expressions that fuse, and operations one by one.

A time is from the line of Python to its completed result, a fresh array except for `out`. The libraries take turns, and
the least of many runs counts. Results are checked against NumPy's in the same run.
"""

from __future__ import annotations

import argparse
import os

import numpy as np

from array_cases import CASES, FUSED, inputs, on_device
from report import Report, fastest, geometric_mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--fused-log2", type=int, default=26, help="elements of the expressions, as a power of two")
    parser.add_argument("--log2", type=int, default=24, help="elements of single operations")
    parser.add_argument("--matrix", type=int, default=1024, help="rows and columns for matmul")
    parser.add_argument("--seconds", type=float, default=1.0, help="to spend on each operation of each library")
    options = parser.parse_args()
    os.environ["LANEWISE_DEVICE"] = "cpu"

    import lanewise
    from lanewise import cuda

    report = Report(
        "arrays_cpu",
        "Operations on large arrays on the cpu device",
        ["NumPy", "lanewise", "lw/NumPy"],
        "ms, least of many; lanewise time / NumPy time",
    )
    report.header()
    ratios = {True: [], False: []}
    shared = {}
    for name in options.names:
        case, fused = CASES[name], CASES[name] in FUSED
        log2 = options.fused_log2 if fused else options.log2
        if log2 not in shared:
            host = inputs(1 << log2, options.matrix)
            shared = {log2: (on_device(host, np.asarray), on_device(host, lanewise.array))}
        theirs, ours = shared[log2]

        def numpy_run():
            return case.run(np, theirs)

        def lanewise_run():
            result = case.run(lanewise, ours)
            lanewise.evaluate(result)
            cuda.synchronize()
            return result

        expected = case.reference(np, theirs) if case.reference else numpy_run()
        tolerance = case.tolerance_of(expected)
        np.testing.assert_allclose(lanewise_run().get(), expected, rtol=tolerance, atol=tolerance, err_msg=name)
        del expected
        times = fastest([lanewise_run, numpy_run], options.seconds)
        ratio = times[0] / times[1]
        ratios[fused].append(ratio)
        report.row(f"{name}, 2^{log2}" if name != "matmul" else f"{name} {options.matrix}", [times[1], times[0], ratio])
    for fused, label in ((True, "expressions"), (False, "operations")):
        if ratios[fused]:
            report.row(f"geometric mean of {label}", [None, None, geometric_mean(ratios[fused])])
    report.save(f"cpu device, {len(os.sched_getaffinity(0))} threads; NumPy {np.__version__}", log_scale=True)


if __name__ == "__main__":
    main()
