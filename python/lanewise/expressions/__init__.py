"""Kernels from expressions: the loop, the arguments and the allocation are lanewise's, the arithmetic is the user's."""

from lanewise.expressions.elementwise import ElementwiseKernel
from lanewise.expressions.fusing import fuse
from lanewise.expressions.reduction import ReductionKernel
from lanewise.expressions.vectorizing import vectorize

__all__ = ["ElementwiseKernel", "ReductionKernel", "fuse", "vectorize"]
