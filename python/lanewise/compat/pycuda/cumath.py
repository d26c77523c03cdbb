"""pycuda.cumath."""

from lanewise.compat.pycuda._later import unavailable

unavailable("cumath", "functions of arrays", "write the kernel with pycuda.compiler.SourceModule")
