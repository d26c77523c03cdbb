"""Questions about modules: which one an array belongs to, what this one runs on."""

import importlib

import numpy as np

from lanewise import _core
from lanewise.compat.cupy import cuda


def get_array_module(*args):
    """`cupy` when an argument is an array on a device, else `numpy`."""
    if any(isinstance(arg, _core.Array) for arg in args):
        return importlib.import_module("lanewise.compat.cupy")
    return np


def is_available():
    """True: without a GPU everything runs on the cpu device."""
    return cuda.is_available()


def show_config(*, _full=False):
    """Prints the versions and devices."""
    from lanewise.compat.cupyx.runtime import get_runtime_info

    print(get_runtime_info(full=_full))
