"""CUDA C++ kernels and kinds of arguments that several test files use."""

import enum
import functools

import numpy as np

from lanewise import RawKernel, _core

# Arithmetic types of CUDA C++ and NumPy's name for each.
SCALARS = {
    "bool": "bool",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned int": "uint32",
    "long long": "int64",
    "unsigned long long": "uint64",
    "size_t": "uint64",
    "float": "float32",
    "double": "float64",
}
INTEGERS = {c: n for c, n in SCALARS.items() if np.dtype(n).kind in "iu"}

VECTORS = """
struct Particle { float mass; double position[3]; };
enum Mode { FAST = 1, SLOW = 7 };
"""

PARTICLE = np.dtype([("mass", "f4"), ("position", "f8", 3)], align=True)  # Particle


@functools.cache
def echo(type_name, *, lenient=False, include=""):
    """A kernel that stores its first argument at its second."""
    code = (
        f'{include}{VECTORS}\nextern "C" __global__ void echo({type_name} value, {type_name} *out) {{ *out = value; }}'
    )
    return RawKernel(code, "echo", lenient=lenient)


def sent(kernel, value, dtype):
    """The element that the kernel saw."""
    dtype = np.dtype(dtype)
    out = _core.Array.empty(dtype.itemsize, np.uint8)
    kernel(1, 1, (value, out.pointer))
    return np.frombuffer(out.to_host().tobytes(), dtype)[0]


@functools.cache
def add_one(type_name, *, lenient=False, const=False):
    """A kernel that adds one to `n` elements; with `const` it only reads them, into `out`."""
    if const:
        code = f"({'const ' + type_name} *x, double *out) {{ *out = (double) x[0]; }}"
    else:
        code = f"({type_name} *x, int n) {{ for (int i = 0; i < n; ++i) x[i] = x[i] + ({type_name})1; }}"
    return RawKernel('extern "C" __global__ void add_one' + code, "add_one", lenient=lenient)


class Interface:
    """A device array of another library."""

    def __init__(self, array, **changes):
        self._array = array
        self.changes = changes

    @property
    def __cuda_array_interface__(self):
        return {**self._array.__cuda_array_interface__, **self.changes}


class Dlpack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Colour(enum.Enum):
    RED = 3


class Hook:
    def __init__(self, value):
        self.value = value

    def __lanewise_argument__(self):
        return self.value


class Indexed:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value
