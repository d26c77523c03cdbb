"""numba.cuda.libdevice is lanewise.cuda.libdevice."""

import sys

from lanewise.cuda import libdevice

sys.modules[__name__] = libdevice
