"""pycuda.reduction."""

from lanewise.compat.pycuda._later import unavailable

unavailable("reduction", "reductions of one expression", "write the kernel with pycuda.compiler.SourceModule")
