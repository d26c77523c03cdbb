"""Host memory of all kinds, and a kernel that works on it in place."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

square = SourceModule("""
__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= x[i];
}
""").get_function("square")
n = 1000
launch = dict(block=(256, 1, 1), grid=(4, 1))
source = np.arange(n, dtype=np.float32)

mapped = drv.pagelocked_empty(n, np.float32, mem_flags=drv.host_alloc_flags.DEVICEMAP)
mapped[:] = source
square(np.intp(mapped.base.get_device_pointer()), np.int32(n), **launch)
drv.Context.synchronize()
assert (mapped == source**2).all()

managed = drv.managed_zeros(n, np.float32, mem_flags=drv.mem_attach_flags.GLOBAL)
managed[:] = source
square(managed, np.int32(n), **launch)
drv.Context.synchronize()
assert (managed == source**2).all()

aligned = drv.aligned_empty(n, np.float32, alignment=4096)
assert aligned.ctypes.data % 4096 == 0
aligned[:] = source
registered = drv.register_host_memory(aligned)
memory = drv.mem_alloc(registered.nbytes)
stream = drv.Stream()
drv.memcpy_htod_async(memory, registered, stream)
square(memory, np.int32(n), stream=stream, **launch)
drv.memcpy_dtoh_async(registered, memory, stream)
stream.synchronize()
assert (aligned == source**2).all()
registered.base.unregister()
print("host memory")
