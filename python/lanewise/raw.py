"""Kernels in CUDA C++: `RawKernel` and `RawModule`, which are the core's classes."""

from lanewise import libdevice_path
from lanewise._core import RawKernel, RawLauncher, RawModule
from lanewise.cuda import notices

# The math library is looked for before the first compilation, and what compilers say arrives as CompilerWarning.
libdevice_path.announce()
notices.install()

__all__ = ["RawKernel", "RawLauncher", "RawModule"]
