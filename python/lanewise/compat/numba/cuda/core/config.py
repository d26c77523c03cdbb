"""numba.cuda.core.config is lanewise.config."""

import sys

from lanewise import config

sys.modules[__name__] = config
