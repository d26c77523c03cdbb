"""pycuda.gpuarray."""

from lanewise.compat.pycuda._later import unavailable

unavailable(
    "gpuarray",
    "arrays on the device",
    "use pycuda.driver memory with kernels, or lanewise.cuda.to_device arrays, which kernels take",
)
