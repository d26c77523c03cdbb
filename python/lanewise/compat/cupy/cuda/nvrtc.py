"""cupy.cuda.nvrtc: names that programs ask for; kernels are compiled by RawKernel and RawModule."""

from lanewise.compat.cupy.cuda.compiler import CompileException

NVRTCError = CompileException


def getVersion():
    """The version of CUDA C++ that kernels are written in, (major, minor)."""
    return 13, 0


def createProgram(*args):
    raise NotImplementedError("cupy.cuda.nvrtc.createProgram: compile with cupy.RawModule(code=...), which finds NVRTC")
