"""1 GiB of ordinary (pageable) NumPy memory to the device and back; pinned memory as the floor."""

from __future__ import annotations

import time

import numpy as np

from report import Report, best

BYTES = 1 << 30


def rate(copy, synchronize, repeats=4) -> float:
    """GB/s."""

    def run():
        synchronize()
        start = time.perf_counter()
        copy()
        synchronize()
        return time.perf_counter() - start

    run()
    return BYTES / best(run, repeats) / 1e9


def main() -> None:
    import lanewise
    import lanewise.cuda as cuda

    report = Report("transfer", "1 GiB of NumPy memory", ["to device", "back"], "GB/s")
    report.header()
    host = np.ones(BYTES // 4, np.float32)
    back = np.empty_like(host)
    array = cuda.to_device(host)
    report.row(
        "lanewise, pageable",
        [
            rate(lambda: array.copy_to_device(host), cuda.synchronize),
            rate(lambda: array.copy_to_host(back), cuda.synchronize),
        ],
    )
    assert (back == host).all()
    pinned = cuda.pinned_array(host.shape, host.dtype)
    pinned[:] = host
    report.row(
        "lanewise, pinned",
        [
            rate(lambda: array.copy_to_device(pinned), cuda.synchronize),
            rate(lambda: array.copy_to_host(pinned), cuda.synchronize),
        ],
    )
    if lanewise.current_device().kind == "cuda":
        import cupy

        synchronize = cupy.cuda.Device().synchronize
        target = cupy.empty_like(cupy.asarray(host))
        report.row(
            "CuPy, pageable",
            [rate(lambda: target.set(host), synchronize), rate(lambda: target.get(out=back), synchronize)],
        )
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack
        import numba.cuda

        peer = numba.cuda.to_device(host)
        report.row(
            "Numba, pageable",
            [
                rate(lambda: peer.copy_to_device(host), numba.cuda.synchronize),
                rate(lambda: peer.copy_to_host(back), numba.cuda.synchronize),
            ],
        )
    else:
        report.row("numpy.copyto", [rate(lambda: np.copyto(back, host), lambda: None)] * 2)
    report.save(lanewise.current_device().model)


if __name__ == "__main__":
    main()
