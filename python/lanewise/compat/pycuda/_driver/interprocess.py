"""Memory of other processes."""

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.enums import ipc_mem_flags
from lanewise.compat.pycuda._driver.errors import checked, driver_error


@checked("cuIpcGetMemHandle", NotImplementedError)
def mem_get_ipc_handle(devptr):
    """What another process opens the memory with, as a bytearray: the driver's handle and, for memory that does not
    begin a block of the driver's, the distance from there. Waits for the work on the device."""
    return bytearray(_core.export_memory(int(devptr), device=current_core()))


class IPCMemoryHandle:
    """Memory of another process, until close()."""

    __module__ = "pycuda._driver"

    @checked("cuIpcOpenMemHandle", ValueError, NotImplementedError)
    def __init__(self, handle, flags=ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS):
        if not isinstance(handle, bytearray):
            raise ValueError(f"a handle is a bytearray of 64 bytes, got {type(handle).__name__}")
        if flags != ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS:
            raise ValueError(f"flags must be ipc_mem_flags.LAZY_ENABLE_PEER_ACCESS, got {flags}")
        self._memory = _core.Buffer.open(bytes(handle), device=current_core())

    def close(self):
        """Ends the use of the memory, after the work on it."""
        if self._memory.released:
            raise driver_error(errors.INVALID_HANDLE, "cuIpcCloseMemHandle", "the handle has been closed already")
        self._memory.release()

    def __int__(self):
        if self._memory.released:
            raise driver_error(errors.INVALID_HANDLE, "IPCMemoryHandle", "the handle has been closed")
        return self._memory.pointer

    __index__ = __int__
