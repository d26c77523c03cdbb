"""cupy.random."""

from lanewise.compat.cupy._later import unavailable

unavailable("random")
