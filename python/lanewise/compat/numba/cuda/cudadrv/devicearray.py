"""numba.cuda.cudadrv.devicearray."""

from lanewise.cuda.arrays import (
    DeviceNDArray,
    ManagedNDArray,
    MappedNDArray,
    check_array_compatibility,
    is_cuda_ndarray,
    require_cuda_ndarray,
    sentry_contiguous,
)
from lanewise.cuda.memory import auto_device

DeviceNDArrayBase = DeviceNDArray

__all__ = [
    "DeviceNDArray",
    "DeviceNDArrayBase",
    "ManagedNDArray",
    "MappedNDArray",
    "auto_device",
    "check_array_compatibility",
    "is_cuda_ndarray",
    "require_cuda_ndarray",
    "sentry_contiguous",
]
