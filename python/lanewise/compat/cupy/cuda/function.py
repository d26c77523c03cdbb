"""cupy.cuda.function: kernels of compiled code; RawModule and RawKernel make them."""

from lanewise._core import RawKernel as Function
from lanewise._core import RawModule as Module
