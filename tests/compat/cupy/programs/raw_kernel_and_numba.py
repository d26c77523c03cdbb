"""One array through a CuPy kernel, a Numba kernel, and DLPack."""

import cupy as cp
import numpy as np
from numba import cuda, float32


@cuda.jit
def add_index(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(i)


doubled = cp.RawKernel('extern "C" __global__ void twice(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }', "twice")
x = cp.ones(256, dtype=cp.float32)
add_index[2, 128](x)
doubled((2,), (128,), (x,))
y = x + 0
add_index[2, 128](cuda.as_cuda_array(x))
np.testing.assert_array_equal(y.get(), 2 * (1 + np.arange(256)))
np.testing.assert_array_equal(x.get(), 2 * (1 + np.arange(256)) + np.arange(256))

numba_array = cuda.to_device(np.arange(10.0))
view = cp.asarray(numba_array)
view *= 10
np.testing.assert_array_equal(numba_array.copy_to_host(), np.arange(10.0) * 10)

again = cp.from_dlpack(view)
again += 1
np.testing.assert_array_equal(view.get(), np.arange(10.0) * 10 + 1)
assert again.data.ptr == view.data.ptr
interface = view.__cuda_array_interface__
assert interface["data"][0] == view.data.ptr and interface["shape"] == (10,)
print("interop", y.sum())
