"""pycuda.elementwise."""

from lanewise.compat.pycuda._later import unavailable

unavailable("elementwise", "kernels of one expression", "write the kernel with pycuda.compiler.SourceModule")
