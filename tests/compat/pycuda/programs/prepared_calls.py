"""Prepared calls: types are said once, then Python's numbers do."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

mod = SourceModule("""
__global__ void axpby(float a, const float *x, double b, const float *y, float *z, short n, unsigned long long offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + (float)b * y[i] + offset;
}
""")
axpby = mod.get_function("axpby")
n = 500
x, y = np.random.rand(2, n).astype(np.float32)
d_x, d_y, d_z = drv.to_device(x), drv.to_device(y), drv.mem_alloc(x.nbytes)
expected = np.float32(2) * x + np.float32(3) * y + np.float32(1)

assert axpby.prepare("fPdPPhQ") is axpby
axpby.prepared_call((2, 1), (256, 1, 1), 2, d_x, 3.0, d_y, d_z, n, 1)
assert np.allclose(drv.from_device_like(d_z, x), expected)

axpby.prepare([np.float32, np.intp, "d", "P", "P", np.dtype(np.int16), np.uint64])
stream = drv.Stream()
drv.memset_d32(d_z, 0, n)
axpby.prepared_async_call((2, 1), (256, 1, 1), stream, 2.0, d_x, 3, d_y, d_z, n, 1)
stream.synchronize()
assert np.allclose(drv.from_device_like(d_z, x), expected)
axpby.prepared_async_call((2, 1), (256, 1, 1), None, 2.0, int(d_x), 3, int(d_y), int(d_z), n, 1, shared_size=16)

seconds = axpby.prepared_timed_call((2, 1), (256, 1, 1), 2.0, d_x, 3, d_y, d_z, n, 1)()
assert 0 <= seconds < 60
print("prepared")
