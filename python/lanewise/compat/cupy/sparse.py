"""cupy.sparse."""

from lanewise.compat.cupy._later import unavailable

unavailable("sparse")
