"""cupy.lib."""

from lanewise.compat.cupy.lib import stride_tricks
