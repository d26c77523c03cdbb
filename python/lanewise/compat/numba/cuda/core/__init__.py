"""numba.cuda.core: types, errors and settings."""

from lanewise.compat.numba.cuda.core import config, errors, types

__all__ = ["config", "errors", "types"]
