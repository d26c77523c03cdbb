"""numba.cuda.random: random numbers in kernels are not offered yet."""

from lanewise.compat.numba.later import module_getattr

__getattr__ = module_getattr("numba.cuda.random", "random numbers in kernels")
