"""Operations on large arrays on a GPU: lanewise and CuPy, against the time that copying the same bytes takes.

The floor of an operation is the time in which the driver's device-to-device copy moves the bytes that the operation has
to read and write. A time is that of one of a batch of calls, between two synchronisations of the device; every result
is computed, results are fresh arrays except for `out`. Each is checked against CuPy's in the same run.
"""

from __future__ import annotations

import argparse
import time

from array_cases import CASES, inputs, on_device
from report import Report, geometric_mean

BATCHES = 4
BATCH_SECONDS = 0.02


def milliseconds(run, synchronize) -> float:
    """Of one run; the best of several batches."""

    def batch(count: int) -> float:
        synchronize()
        start = time.perf_counter()
        for _ in range(count):
            run()
        synchronize()
        return (time.perf_counter() - start) / count

    batch(1)
    count = max(2, min(1000, int(BATCH_SECONDS / batch(2))))
    return min(batch(count) for _ in range(BATCHES)) * 1e3


def copy_rate(cupy, bytes_: int) -> float:
    """Bytes read and written a millisecond by cuMemcpyDtoD."""
    source, target = (cupy.cuda.alloc(bytes_) for _ in range(2))
    target.memset(0, bytes_)
    source.memset(0, bytes_)
    synchronize = cupy.cuda.Device().synchronize
    run = lambda: target.copy_from_device_async(source, bytes_, cupy.cuda.Stream.null)
    return 2 * bytes_ / milliseconds(run, synchronize)


def verify(cupy, case, d, result) -> None:
    expected = case.reference(cupy, d) if case.reference else case.run(cupy, d)
    actual = cupy.asarray(result)
    assert actual.shape == expected.shape, f"{case.name}: shape {actual.shape}, CuPy's is {expected.shape}"
    if not case.reference:
        assert actual.dtype == expected.dtype, f"{case.name}: {actual.dtype}, CuPy's is {expected.dtype}"
    tolerance = case.tolerance_of(expected)
    worst = float((abs(actual - expected) - tolerance * abs(expected)).max())
    assert worst <= tolerance, f"{case.name}: {worst} beyond the tolerance {tolerance} of CuPy's result"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--log2", type=int, default=28, help="elements as a power of two")
    parser.add_argument("--matrix", type=int, default=4096, help="rows and columns for matmul")
    options = parser.parse_args()

    import cupy

    import lanewise
    from lanewise import cuda

    report = Report(
        "arrays_gpu",
        f"Operations on 2^{options.log2} float32, matmul on {options.matrix} x {options.matrix}",
        ["CuPy", "lanewise", "TB/s", "TFLOP/s", "lw/CuPy", "lw/floor", "CuPy/floor"],
        "ms; bytes and operations of lanewise a second; ratios of times",
    )
    report.header()
    host = inputs(1 << options.log2, options.matrix)
    theirs, ours = on_device(host, cupy.asarray), on_device(host, lanewise.array)
    rate = copy_rate(cupy, host["x"].nbytes)
    copy_ms = 2 * host["x"].nbytes / rate
    report.row("device-to-device copy (floor)", [None, copy_ms, rate / 1e9, None, None, 1.0, None])
    synchronize = cupy.cuda.Device().synchronize
    to_cupy, to_floor = [], []
    for name in options.names:
        case = CASES[name]

        def lanewise_run():
            result = case.run(lanewise, ours)
            lanewise.evaluate(result)
            return result

        result = lanewise_run()
        cuda.synchronize()
        verify(cupy, case, theirs, result)
        del result
        our_ms = milliseconds(lanewise_run, cuda.synchronize)
        their_ms = milliseconds(lambda: case.run(cupy, theirs), synchronize)
        memory, operations = case.memory(ours), case.operations(ours)
        floor = memory and memory / rate
        to_cupy.append(our_ms / their_ms)
        if floor:
            to_floor.append(our_ms / floor)
        report.row(
            name,
            [
                their_ms,
                our_ms,
                memory and memory / our_ms / 1e9,
                operations and operations / our_ms / 1e9,
                our_ms / their_ms,
                floor and our_ms / floor,
                floor and their_ms / floor,
            ],
        )
    means = [geometric_mean(to_cupy), geometric_mean(to_floor) if to_floor else None]
    report.row("geometric mean", [None, None, None, None, *means, None])
    report.save(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(), log_scale=True)


if __name__ == "__main__":
    main()
