"""pycuda.driver: devices, contexts, streams, memory, modules and kernels, in the terms of CUDA's driver."""

from lanewise.compat.pycuda._driver import *
from lanewise.compat.pycuda._driver.handlers import (
    ArgumentHandler,
    In,
    InOut,
    Out,
    from_device,
    from_device_like,
    to_device,
)
from lanewise.compat.pycuda._driver.memory import (
    aligned_empty,
    aligned_empty_like,
    aligned_zeros,
    aligned_zeros_like,
    managed_empty,
    managed_empty_like,
    managed_zeros,
    managed_zeros_like,
    mem_alloc_like,
    pagelocked_empty,
    pagelocked_empty_like,
    pagelocked_zeros,
    pagelocked_zeros_like,
    register_host_memory,
)
from lanewise.compat.pycuda._driver.textures import (
    bind_array_to_texref,
    dtype_to_array_format,
    gpuarray_to_array,
    make_multichannel_2d_array,
    matrix_to_array,
    matrix_to_texref,
    np_to_array,
)


def set_debugging(flag=True):
    """Compilations from now on keep what debuggers need."""
    from lanewise.compat.pycuda import compiler

    compiler.set_debugging(flag)
