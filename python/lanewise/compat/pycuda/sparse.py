"""pycuda.sparse."""

from lanewise.compat.pycuda._later import unavailable

unavailable("sparse", "sparse matrices", "write the kernel with pycuda.compiler.SourceModule")
