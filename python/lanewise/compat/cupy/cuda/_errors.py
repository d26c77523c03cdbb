"""CUDA errors under CuPy's names. They are the core's classes, so that what any operation raises is caught by them."""

from lanewise import _core

CUDARuntimeError = CUDADriverError = _core.DriverError
OutOfMemoryError = _core.OutOfMemoryError

CUDARuntimeError.status = property(lambda self: self.code, doc="The number of the error.")

#: Numbers of the errors that programs ask for, with CUDA's names and texts.
ERRORS = {
    "InvalidValue": (1, "invalid argument"),
    "MemoryAllocation": (2, "out of memory"),
    "InitializationError": (3, "initialization error"),
    "NoDevice": (100, "no CUDA-capable device is detected"),
    "InvalidDevice": (101, "invalid device ordinal"),
    "ContextIsDestroyed": (709, "context is destroyed"),
    "InvalidResourceHandle": (400, "invalid resource handle"),
    "NotReady": (600, "device not ready"),
    "UnsupportedLimit": (215, "limit is not supported on this architecture"),
    "PeerAccessAlreadyEnabled": (704, "peer access is already enabled"),
    "PeerAccessNotEnabled": (705, "peer access has not been enabled"),
    "NotSupported": (801, "operation not supported"),
}


def cuda_error(name, detail=""):
    """The exception for one of ERRORS."""
    code, text = ERRORS[name]
    error = CUDARuntimeError(f"cudaError{name}: {text}" + (f" ({detail})" if detail else ""))
    error.code = code
    return error
