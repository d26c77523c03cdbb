"""numba.cuda.decorators is lanewise.cuda.decorators."""

import sys

from lanewise.cuda import decorators

sys.modules[__name__] = decorators
