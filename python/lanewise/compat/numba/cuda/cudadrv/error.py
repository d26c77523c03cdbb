"""numba.cuda.cudadrv.error."""

from lanewise.errors import CompileError, DeviceUnavailable, DriverError

CudaDriverError = DriverError
CudaRuntimeError = DriverError
CudaSupportError = DeviceUnavailable
CCSupportError = DeviceUnavailable
NvvmError = CompileError
NvvmSupportError = DeviceUnavailable
NvrtcError = CompileError
NvrtcCompilationError = CompileError
NvrtcSupportError = DeviceUnavailable
