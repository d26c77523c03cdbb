"""Host arrays to the device and back in one step, and as arguments of kernels."""

import numpy as np

from lanewise import _core
from lanewise.compat.pycuda._driver.copies import memcpy_dtoh, memcpy_dtoh_async, memcpy_htod, memcpy_htod_async
from lanewise.compat.pycuda._driver.memory import mem_alloc


def to_device(bf_obj):
    """New device memory with a copy of a buffer."""
    _, size = _core.host_address(bf_obj)
    allocation = mem_alloc(size)
    memcpy_htod(allocation, bf_obj)
    return allocation


def from_device(devptr, shape, dtype, order="C"):
    """A NumPy array with a copy of device memory."""
    result = np.empty(shape, dtype, order)
    memcpy_dtoh(result, devptr)
    return result


def from_device_like(devptr, other_ary):
    """from_device with the shape, dtype and memory order of an array."""
    result = np.empty_like(other_ary)
    memcpy_dtoh(result, devptr)
    return result


class ArgumentHandler:
    """A host array as a kernel argument: its copy on the device is passed. The copies are in the order of the launch's
    stream; an array that is copied back is complete when the launch returns, unless it is page-locked."""

    def __init__(self, ary):
        if not hasattr(ary, "nbytes"):
            raise TypeError(
                f"{type(self).__name__}() takes a NumPy array, not a {type(ary).__name__}; numpy.asarray(x) makes one"
            )
        self.array = ary
        self.dev_alloc = None

    def get_device_alloc(self):
        if self.dev_alloc is None:
            self.dev_alloc = mem_alloc(max(self.array.nbytes, 1))
        return self.dev_alloc

    def pre_call(self, stream):
        pass

    def post_call(self, stream):
        pass


class In(ArgumentHandler):
    """Copied to the device before the kernel."""

    def pre_call(self, stream):
        memcpy_htod_async(self.get_device_alloc(), self.array, stream)


class Out(ArgumentHandler):
    """Copied back after the kernel."""

    def post_call(self, stream):
        if stream is None:
            memcpy_dtoh(self.array, self.get_device_alloc())
        else:
            memcpy_dtoh_async(self.array, self.get_device_alloc(), stream)


class InOut(In, Out):
    """Copied to the device before the kernel, and back after it."""
