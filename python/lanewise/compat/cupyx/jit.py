"""cupyx.jit."""

from lanewise.compat.cupyx import _REFUSED

raise ImportError(f"cupyx.jit is not offered by lanewise: {_REFUSED['jit']}")
