"""pycuda.scan."""

from lanewise.compat.pycuda._later import unavailable

unavailable("scan", "prefix sums", "write the kernel with pycuda.compiler.SourceModule")
