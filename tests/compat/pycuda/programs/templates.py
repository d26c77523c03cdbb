"""C++ kernels: templates and overloads, with no extern "C" around the text."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

TYPES = {np.float32: "float", np.float64: "double", np.int32: "int"}
source = """
template <typename T, int FACTOR>
__device__ T scaled(T value) { return value * FACTOR; }

template <typename T>
struct Pair { T first, second; __device__ T sum() const { return first + second; } };

extern "C" {
""" + "".join(
    """
__global__ void scale_%(name)s(%(name)s *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair<%(name)s> pair{data[i], scaled<%(name)s, 3>(data[i])};
        data[i] = pair.sum();
    }
}
""" % {"name": name} for name in TYPES.values()
) + "}"
mod = SourceModule(source, no_extern_c=True, options=["-std=c++17"])
for dtype, name in TYPES.items():
    data = np.arange(100).astype(dtype)
    mod.get_function("scale_" + name)(drv.InOut(data), np.int32(100), block=(128, 1, 1))
    assert (data == np.arange(100) * 4).all(), dtype
print("templates")
