"""cupy.fft."""

from lanewise.compat.cupy._later import unavailable

unavailable("fft")
