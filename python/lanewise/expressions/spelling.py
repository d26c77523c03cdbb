"""How CUDA C++ calls the dtypes, and what has to be included for them."""

import numpy as np

#: NumPy's name: C++ type.
TYPES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}

_COMPLEX = "#include <cupy/complex.cuh>\n"


def _short_float(name, storage, to_float, from_float, header):
    """A class of 16-bit floats whose arithmetic is float's."""
    return f"""#include <{header}>
class {name} {{
    {storage} value_;
public:
    {name}() = default;
    __device__ {name}({storage} value) : value_(value) {{}}
    __device__ {name}(float value) : value_({from_float}(value)) {{}}
    __device__ operator float() const {{ return {to_float}(value_); }}
    __device__ {storage} value() const {{ return value_; }}
    __device__ {name} &operator+=(float x) {{ return *this = float(*this) + x; }}
    __device__ {name} &operator-=(float x) {{ return *this = float(*this) - x; }}
    __device__ {name} &operator*=(float x) {{ return *this = float(*this) * x; }}
    __device__ {name} &operator/=(float x) {{ return *this = float(*this) / x; }}
}};
"""


_FLOAT16 = _short_float("float16", "__half", "__half2float", "__float2half", "cuda_fp16.h")
_BFLOAT16 = _short_float("bfloat16", "__nv_bfloat16", "__bfloat162float", "__float2bfloat16", "cuda_bf16.h")


def type_name(dtype):
    return TYPES[dtype.name]


def includes(dtypes, *texts):
    """What stands in front of code that uses these dtypes and mentions these texts."""
    names = {dtype.name for dtype in dtypes}
    mentioned = " ".join(texts)
    parts = []
    if any(dtype.kind == "c" for dtype in dtypes) or "complex" in mentioned:
        parts.append(_COMPLEX)
    if "float16" in names or "float16" in mentioned.replace("bfloat16", ""):
        parts.append(_FLOAT16)
    if "bfloat16" in names or "bfloat16" in mentioned:
        parts.append(_BFLOAT16)
    return "".join(parts)


def scalar_argument(value, dtype):
    """A NumPy scalar of this dtype as an argument of a kernel: classes go by their bytes."""
    if dtype.name in ("float16", "bfloat16"):
        return np.asarray(value, dtype).tobytes()
    return value
