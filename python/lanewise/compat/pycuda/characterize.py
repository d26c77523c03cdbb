"""pycuda.characterize: what the platform and the device are like."""

import struct

import numpy as np

from lanewise.compat.pycuda import driver as cuda
from lanewise.compat.pycuda.compiler import SourceModule
from lanewise.compat.pycuda.tools import context_dependent_memoize


def platform_bits():
    """The bits of an address."""
    return 8 * struct.calcsize("P")


def has_stack():
    """True: kernels can call functions that are not inlined."""
    return cuda.Context.get_device().compute_capability() >= (2, 0)


def has_double_support():
    """True: kernels compute in double precision."""
    return cuda.Context.get_device().compute_capability() >= (1, 3)


@context_dependent_memoize
def sizeof(type_name, preamble=""):
    """The bytes of a type of CUDA C++, as a kernel sees it."""
    module = SourceModule(
        f"""
{preamble}
extern "C" __global__ void write_size(unsigned long long *size) {{ *size = sizeof({type_name}); }}
""",
        no_extern_c=True,
    )
    size = np.zeros(1, np.uint64)
    module.get_function("write_size")(cuda.Out(size), block=(1, 1, 1))
    return int(size[0])
