"""numba.cuda.api: the host API."""

from lanewise.cuda import *
from lanewise.cuda.devices import *
from lanewise.cuda.memory import *
