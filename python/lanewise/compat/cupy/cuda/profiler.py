"""cupy.cuda.profiler: starts and stops a profiler that waits for it (nsys --capture-range=cudaProfilerApi)."""

from lanewise.cuda.devices import profile_start as start
from lanewise.cuda.devices import profile_stop as stop
from lanewise.cuda.devices import profiling as profile
