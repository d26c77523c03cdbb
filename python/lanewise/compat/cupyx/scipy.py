"""cupyx.scipy."""

from lanewise.compat.cupyx import _REFUSED

raise ImportError(f"cupyx.scipy is not offered by lanewise: {_REFUSED['scipy']}")
