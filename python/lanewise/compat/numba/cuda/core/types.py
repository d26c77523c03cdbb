"""numba.cuda.core.types is lanewise.cuda.types."""

import sys

from lanewise.cuda import types

sys.modules[__name__] = types
