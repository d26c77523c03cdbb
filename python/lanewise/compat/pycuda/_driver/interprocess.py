"""Memory of other processes."""

import ctypes
import struct

from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.enums import ipc_mem_flags
from lanewise.compat.pycuda._driver.errors import call_driver, driver_error, warn_about_cleanup
from lanewise.compat.pycuda._driver.memory import mem_get_address_range

_HANDLE_BYTES = 64
_DISTANCE = struct.Struct("<Q")


class _Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char * _HANDLE_BYTES)]


def _require_gpu(call):
    current_core().make_current()
    if current_core().kind == "cpu":
        raise driver_error(
            errors.NOT_SUPPORTED, call, "memory of the cpu device is this process's; share it by multiprocessing"
        )


def mem_get_ipc_handle(devptr):
    """What another process opens the memory with, as a bytearray: the driver's handle and, for memory that does not
    begin a block of the driver's, the distance from there."""
    _require_gpu("cuIpcGetMemHandle")
    address = int(devptr)
    handle = _Handle()
    call_driver("cuIpcGetMemHandle", ctypes.byref(handle), ctypes.c_void_p(address))
    distance = address - mem_get_address_range(address)[0]
    text = ctypes.string_at(ctypes.byref(handle), _HANDLE_BYTES)
    return bytearray(text + (_DISTANCE.pack(distance) if distance else b""))


class IPCMemoryHandle:
    """Memory of another process, until close()."""

    __module__ = "pycuda._driver"

    def __init__(self, handle, flags=ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS):
        self._pointer = None
        if not isinstance(handle, bytearray) or len(handle) not in (_HANDLE_BYTES, _HANDLE_BYTES + _DISTANCE.size):
            raise driver_error(
                errors.INVALID_VALUE, "cuIpcOpenMemHandle", f"a handle is a bytearray of {_HANDLE_BYTES} bytes"
            )
        _require_gpu("cuIpcOpenMemHandle")
        pointer = ctypes.c_void_p()
        call_driver(
            "cuIpcOpenMemHandle_v2",
            ctypes.byref(pointer),
            _Handle.from_buffer_copy(handle),
            ctypes.c_uint(int(flags)),
        )
        self._pointer = pointer.value
        self._distance = _DISTANCE.unpack(handle[_HANDLE_BYTES:])[0] if len(handle) > _HANDLE_BYTES else 0
        self._device = current_core()

    def close(self):
        if self._pointer is None:
            raise driver_error(errors.INVALID_HANDLE, "cuIpcCloseMemHandle", "the handle has been closed already")
        pointer, self._pointer = self._pointer, None
        self._device.make_current()
        call_driver("cuIpcCloseMemHandle", ctypes.c_void_p(pointer))

    def __int__(self):
        if self._pointer is None:
            raise driver_error(errors.INVALID_HANDLE, "IPCMemoryHandle", "the handle has been closed")
        return self._pointer + self._distance

    __index__ = __int__

    def __del__(self):
        if getattr(self, "_pointer", None) is not None:
            try:
                self.close()
            except Exception as error:
                warn_about_cleanup(error)
