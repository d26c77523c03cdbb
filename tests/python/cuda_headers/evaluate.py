"""Kernels that compute one expression for each element of their arguments."""

import functools

import numpy as np

from lanewise import RawKernel, _core

# C++ names of NumPy's types.
TYPES = {
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}


@functools.cache
def _kernel(expression, result, operands, before):
    parameters = "".join(f"const {t}* in_{i}, " for i, t in enumerate(operands))
    names = "".join(f"const {t} {'abcd'[i]} = in_{i}[i]; " for i, t in enumerate(operands))
    code = f"""{before}
extern "C" __global__ void evaluate({parameters}{result}* out, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{ {names} out[i] = {expression}; }}
}}"""
    return RawKernel(code, "evaluate", backend="clang")


def evaluate(expression, result, *operands, before=""):
    """`expression` of the operands' elements, which are a, b, c and d; `before` stands before the kernel."""
    operands = [np.ascontiguousarray(x) for x in operands]
    count = operands[0].size
    result = np.dtype(result)
    kernel = _kernel(expression, TYPES[result.name], tuple(TYPES[x.dtype.name] for x in operands), before)
    inputs = [_core.Array.from_host(x) for x in operands]
    out = _core.Array.empty(count, result)
    kernel((count + 127) // 128, 128, (*inputs, out, np.int32(count)))
    return out.to_host()
