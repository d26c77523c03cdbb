"""numba.core: types, errors and settings."""

from lanewise.compat.numba.core import config, errors, types

__all__ = ["config", "errors", "types"]
