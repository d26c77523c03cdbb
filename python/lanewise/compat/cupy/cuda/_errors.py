"""CUDA errors under CuPy's names. They are the core's classes, so that what any operation raises is caught by them."""

import ctypes

from lanewise import _core
from lanewise.compat.driver_library import library

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
    "PeerAccessAlreadyEnabled": (704, "peer access is already enabled"),
    "PeerAccessNotEnabled": (705, "peer access has not been enabled"),
    "NotSupported": (801, "operation not supported"),
}
_NAMES = {code: (name, text) for name, (code, text) in ERRORS.items()}


def cuda_error(name, detail=""):
    """The exception for one of ERRORS."""
    code, text = ERRORS[name]
    error = CUDARuntimeError(f"cudaError{name}: {text}" + (f" ({detail})" if detail else ""))
    error.code = code
    return error


def call_driver(name, *arguments):
    """A driver call by its exported name; CUDARuntimeError when it fails."""
    function = library() and getattr(library(), name, None)
    if not function:
        raise cuda_error("NotSupported", f"there is no {name} here: no CUDA driver, or one without it")
    if code := function(*arguments):
        error = CUDARuntimeError(f"{name.removesuffix('_v2')}: {_text(code)}")
        error.code = code
        raise error


def _text(code):
    if code in _NAMES:
        name, text = _NAMES[code]
        return f"cudaError{name}: {text}"
    from lanewise.compat.driver_library import driver_text

    return driver_text(code)
