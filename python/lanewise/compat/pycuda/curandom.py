"""pycuda.curandom."""

from lanewise.compat.pycuda._later import unavailable

unavailable("curandom", "random numbers", "make them with NumPy, or in a kernel with curand_kernel.h")
