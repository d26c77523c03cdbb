"""cupy.linalg."""

from lanewise.compat.cupy._later import unavailable

unavailable("linalg")
