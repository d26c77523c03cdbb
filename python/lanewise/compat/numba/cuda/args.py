"""numba.cuda.args is lanewise.cuda.arguments."""

import sys

from lanewise.cuda import arguments

sys.modules[__name__] = arguments
