"""numba.cuda.cudadrv.driver."""

from lanewise.compat.numba.cuda.cudadrv.error import CudaDriverError, CudaSupportError
from lanewise.cuda.arrays import MemoryPointer, is_cuda_array
from lanewise.cuda.devices import Context, Device, MemoryInfo, driver_version
from lanewise.cuda.streams import Event, Stream, event_elapsed_time
from lanewise.errors import CompileError, DriverError

CudaAPIError = DriverError
LinkerError = CompileError


class _Driver:
    """Numba's driver object, as far as programs ask it for facts."""

    def get_version(self):
        version = driver_version()
        if version is None:
            raise CudaSupportError("there is no CUDA driver on this machine")
        return version

    def get_device_count(self):
        from lanewise.cuda import gpus

        return len(gpus)


driver = _Driver()


def is_device_memory(obj):
    """True for arrays on a device, and host arrays that kernels use as they lie."""
    return bool(getattr(obj, "__cuda_memory__", False))


def device_pointer(obj):
    """The address of an array's memory on the device."""
    return obj.gpu_data.device_pointer


def get_numba_type(obj):
    from lanewise.cuda.types import typeof

    return typeof(obj)


__all__ = [
    "Context",
    "CudaAPIError",
    "CudaDriverError",
    "CudaSupportError",
    "Device",
    "Event",
    "LinkerError",
    "MemoryInfo",
    "MemoryPointer",
    "Stream",
    "device_pointer",
    "driver",
    "event_elapsed_time",
    "is_cuda_array",
    "is_device_memory",
]
