"""CUDA's driver library through ctypes, for the calls of the faces that have no place in the core."""

import ctypes
import functools
import os


@functools.lru_cache(maxsize=1)
def library():
    """libcuda; None where there is none."""
    try:
        return ctypes.CDLL(os.environ.get("LANEWISE_CUDA_DRIVER") or "libcuda.so.1")
    except OSError:
        return None


def driver_text(code):
    """What the driver says about a CUresult."""
    text = ctypes.c_char_p()
    if library() is None or library().cuGetErrorString(code, ctypes.byref(text)) or not text.value:
        return f"error {code}"
    return text.value.decode()
