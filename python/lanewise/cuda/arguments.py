"""Directions for host arrays given to a kernel: `kernel[1, 32](cuda.In(a), cuda.Out(b))` saves a copy each."""

import numpy as np

from lanewise import _core


def _host_argument(array, copy_in, copy_out):
    if _core.is_device_array(array) or hasattr(array, "__cuda_array_interface__"):
        return array
    return _core.HostArgument(np.asarray(array), copy_in=copy_in, copy_out=copy_out)


def In(array):
    """The kernel reads the array: it is copied to the device, and not back."""
    return _host_argument(array, True, False)


def Out(array):
    """The kernel writes the whole array: it is copied back from the device, and not there."""
    return _host_argument(array, False, True)


def InOut(array):
    """The kernel reads and writes the array: it is copied to the device and back, as a plain array is."""
    return _host_argument(array, True, True)
