"""Kernels from expressions: the loop, the arguments and the allocation are lanewise's, the arithmetic is the user's."""

from lanewise.expressions.elementwise import ElementwiseKernel
from lanewise.expressions.reduction import ReductionKernel

__all__ = ["ElementwiseKernel", "ReductionKernel"]
