"""Device memory shared between processes."""

import contextlib

from lanewise import _core
from lanewise.cuda.arrays import DeviceNDArray


class IpcArrayHandle:
    """Names a device array to other processes: pickle it, and open() it there. The memory must stay allocated here as
    long as it is open elsewhere. Neither process waits for the other's work."""

    def __init__(self, handle, shape, dtype, strides=None, offset=0):
        self._handle = bytes(handle)
        self._layout = shape, dtype, strides, offset
        self._memory = None

    def open(self):
        """The array, in a process other than the one whose memory it is; until close()."""
        if self._memory is not None:
            raise ValueError("the handle is open already")
        shape, dtype, strides, offset = self._layout
        memory = _core.Buffer.open(self._handle)
        array = DeviceNDArray.from_buffer(memory, shape, dtype, strides=strides, offset=offset)
        self._memory = memory
        return array

    def close(self):
        """Ends the use of the memory with the last array in it, after the work on it."""
        if self._memory is None:
            raise ValueError("the handle is not open")
        self._memory.release()
        self._memory = None

    def __enter__(self):
        return self.open()

    def __exit__(self, *exc):
        self.close()

    def __reduce__(self):
        return type(self), (self._handle, *self._layout)


@contextlib.contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """A with block with the memory of another process as an array: `handle` as bytes or a sequence of them, as CUDA's
    interfaces give it. shape, dtype (of NumPy) and strides (in bytes; None: C contiguous) describe the array, `offset`
    its start in bytes. ValueError for bytes that are no handle and for arrays that do not fit; DriverError when the
    memory cannot be opened; NotImplementedError on the cpu device."""
    with IpcArrayHandle(handle, shape, dtype, strides, offset) as array:
        yield array
