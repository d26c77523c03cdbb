"""cupyx.profiler: measuring functions, and ranges on the time lines of profilers."""

import contextlib

from lanewise.compat.cupyx.profiler._benchmark import benchmark
from lanewise.compat.cupyx.profiler._time_range import time_range
from lanewise.cuda.devices import profile_start, profile_stop


@contextlib.contextmanager
def profile():
    """A with block that a profiler which waits for it records (nsys --capture-range=cudaProfilerApi)."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()
