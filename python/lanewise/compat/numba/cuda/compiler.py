"""numba.cuda.compiler is lanewise.cuda.compiler."""

import sys

from lanewise.cuda import compiler

sys.modules[__name__] = compiler
