"""Cost of operations on 256 elements, seen from Python: lanewise, its peer, and the driver called from C++.

"recorded" is the call alone: what is made of arrays is computed when it is needed, here never. "computed" is the call
and `lanewise.evaluate` of its result, which launches it. Peers are CuPy on a GPU, NumPy on the cpu device. 2000 calls
and one synchronisation, best of 15; `float(x[0])` waits for the device in each call. The floor is the driver's call for
the same: one launch, or one copy or fill of so many bytes, with no memory allocated.
"""

from __future__ import annotations

import numpy as np

from launch import floor, microseconds
from report import Report, peer

SIZE = 256
LAUNCH = "pointers_4"

# Name, the call, and the floor's name in launch_floor.cpp.
CASES = (
    ("add(x, y, out)", lambda xp, x, y, out: xp.add(x, y, out), LAUNCH),
    ("x + y", lambda xp, x, y, out: x + y, LAUNCH),
    ("2*x + y", lambda xp, x, y, out: 2 * x + y, LAUNCH),
    ("x[10:20]", lambda xp, x, y, out: x[10:20], None),
    ("x.sum()", lambda xp, x, y, out: x.sum(), LAUNCH),
    ("x.copy()", lambda xp, x, y, out: x.copy(), "copy_1024"),
    ("zeros(256)", lambda xp, x, y, out: xp.zeros(SIZE, np.float32), "fill_1024"),
    ("float(x[0])", lambda xp, x, y, out: float(x[0]), "read_4"),
)


def arrays(convert):
    generator = np.random.default_rng(7)
    return [convert(generator.random(SIZE, dtype=np.float32)) for _ in range(3)]


def main() -> None:
    import lanewise
    from lanewise import cuda

    on_gpu = lanewise.current_device().kind == "cuda"
    base = floor() if on_gpu else {}
    other = peer("cupy") if on_gpu else np
    label = "CuPy" if on_gpu else "NumPy"
    report = Report(
        "arrays_small",
        f"Operations on {SIZE} float32",
        ["recorded", "computed", label, "driver", f"lw/{label}", "lw/driver"],
        "microseconds; ratios of computed",
    )
    report.header()
    ours = arrays(lanewise.array)
    theirs = arrays(other.asarray) if other else None
    wait_for_other = other.cuda.Device().synchronize if on_gpu and other else lambda: None
    for name, call, floor_name in CASES:
        result = call(lanewise, *ours)
        lazy = isinstance(result, lanewise.ndarray)
        if other:
            expected = call(other, *theirs)
            np.testing.assert_allclose(
                lanewise.asnumpy(result) if lazy else result,
                expected.get() if hasattr(expected, "get") else expected,
                rtol=1e-5,
                err_msg=name,
            )
        recorded = microseconds(lambda: call(lanewise, *ours), cuda.synchronize) if lazy else None
        run = (lambda: lanewise.evaluate(call(lanewise, *ours))) if lazy else (lambda: call(lanewise, *ours))
        computed = microseconds(run, cuda.synchronize)
        their = microseconds(lambda: call(other, *theirs), wait_for_other) if other else None
        driver = base.get(floor_name)
        report.row(name, [recorded, computed, their, driver, their and computed / their, driver and computed / driver])
    report.save(lanewise.current_device().model, log_scale=True)


if __name__ == "__main__":
    main()
