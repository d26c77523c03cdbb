"""numba.cuda.errors."""

from lanewise.errors import KernelRuntimeError, LoweringError

CudaLoweringError = LoweringError

__all__ = ["CudaLoweringError", "KernelRuntimeError"]
