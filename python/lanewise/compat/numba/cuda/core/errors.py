"""numba.cuda.core.errors is lanewise.compat.numba.core.errors."""

import sys

from lanewise.compat.numba.core import errors

sys.modules[__name__] = errors
