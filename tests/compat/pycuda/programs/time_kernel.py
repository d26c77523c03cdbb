"""The time of a kernel, by time_kernel= and by events, and what the kernel needs."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule
from pycuda.tools import DeviceData, OccupancyRecord

kernel = SourceModule("""
__global__ void work(float *x)
{
    __shared__ float cache[256];
    cache[threadIdx.x] = x[threadIdx.x + blockIdx.x * blockDim.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 256; ++i) sum += cache[i];
    x[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
""").get_function("work")
x = np.ones(256 * 64, np.float32)
seconds = kernel(drv.InOut(x), block=(256, 1, 1), grid=(64, 1), time_kernel=True)
assert 0 < seconds < 60
assert (x == 256).all()
assert kernel(drv.In(x), block=(256, 1, 1), grid=(64, 1)) is None

assert kernel.shared_size_bytes == 1024
assert kernel.max_threads_per_block >= 256
assert kernel.num_regs == kernel.get_attribute(drv.function_attribute.NUM_REGS)
occupancy = OccupancyRecord(DeviceData(), 256, kernel.shared_size_bytes, kernel.num_regs)
assert 0 < occupancy.occupancy <= 1 and occupancy.tb_per_mp >= 1
print("timed")
