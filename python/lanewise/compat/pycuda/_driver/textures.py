"""CUDA arrays, textures and surfaces: what programs find when they ask for them. Compilers have not taken texture and
surface references since CUDA 12, so that no kernel is left that could use them."""

import numpy as np

from lanewise.compat.pycuda._driver.enums import array_format
from lanewise.compat.pycuda._driver.errors import refuse

_FORMATS = {
    "u1": array_format.UNSIGNED_INT8,
    "u2": array_format.UNSIGNED_INT16,
    "u4": array_format.UNSIGNED_INT32,
    "i1": array_format.SIGNED_INT8,
    "i2": array_format.SIGNED_INT16,
    "i4": array_format.SIGNED_INT32,
    "f2": array_format.HALF,
    "f4": array_format.FLOAT,
}


def dtype_to_array_format(dtype):
    found = _FORMATS.get(np.dtype(dtype).str[1:])
    if found is None:
        raise TypeError(f"there is no array format for dtype {np.dtype(dtype)}")
    return found


def refuse_texture(name):
    refuse(
        name,
        "CUDA compilers have had no texture or surface references since CUDA 12; pass a pointer to the kernel and read "
        "it through const __restrict__ or __ldg()",
    )


def _refused(name):
    def function(*args, **kwargs):
        refuse_texture(name)

    function.__name__ = function.__qualname__ = name
    return function


class _Refused:
    def __init__(self, *args, **kwargs):
        refuse_texture(type(self).__name__)


class Array(_Refused):
    __module__ = "pycuda._driver"


class TextureReference(_Refused):
    __module__ = "pycuda._driver"


class SurfaceReference(_Refused):
    __module__ = "pycuda._driver"


class _Descriptor:
    """Plain facts about an array."""

    def __init__(self):
        self.width = self.height = 0
        self.format = array_format.UNSIGNED_INT8
        self.num_channels = 1


class ArrayDescriptor(_Descriptor):
    __module__ = "pycuda._driver"


class ArrayDescriptor3D(_Descriptor):
    __module__ = "pycuda._driver"

    def __init__(self):
        super().__init__()
        self.depth = self.flags = 0


matrix_to_texref = _refused("matrix_to_texref")
matrix_to_array = _refused("matrix_to_array")
np_to_array = _refused("np_to_array")
gpuarray_to_array = _refused("gpuarray_to_array")
make_multichannel_2d_array = _refused("make_multichannel_2d_array")
bind_array_to_texref = _refused("bind_array_to_texref")
memcpy_atoh = _refused("memcpy_atoh")
memcpy_htoa = _refused("memcpy_htoa")
memcpy_dtoa = _refused("memcpy_dtoa")
memcpy_atod = _refused("memcpy_atod")
memcpy_atoa = _refused("memcpy_atoa")
memcpy_atoh_async = _refused("memcpy_atoh_async")
memcpy_htoa_async = _refused("memcpy_htoa_async")
