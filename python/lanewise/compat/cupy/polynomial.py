"""cupy.polynomial."""

from lanewise.compat.cupy._later import unavailable

unavailable("polynomial")
