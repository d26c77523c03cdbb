"""numba.cuda.dispatcher."""

from lanewise.cuda.dispatcher import Dispatcher, ForAll

CUDADispatcher = Dispatcher

__all__ = ["CUDADispatcher", "ForAll"]
