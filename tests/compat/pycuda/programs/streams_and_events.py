"""Work on several streams with page-locked memory, timed by events."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

mod = SourceModule("""
__global__ void repeat(int *data, int value, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count; ++k) data[i] += value;
}
""")
repeat = mod.get_function("repeat")
n, parts = 64 * 1024, 4
host = drv.pagelocked_zeros(n * parts, np.int32)
result = drv.pagelocked_empty_like(host)
streams = [drv.Stream() for _ in range(parts)]
device = [drv.mem_alloc(n * 4) for _ in range(parts)]
start, stop = drv.Event(), drv.Event()

start.record()
for k, (stream, memory) in enumerate(zip(streams, device)):
    piece = slice(k * n, (k + 1) * n)
    drv.memcpy_htod_async(memory, host[piece], stream)
    repeat(memory, np.int32(k + 1), np.int32(10), block=(256, 1, 1), grid=(n // 256, 1), stream=stream)
    drv.memcpy_dtoh_async(result[piece], memory, stream)
stop.record().synchronize()
assert stop.time_since(start) >= 0 and start.time_till(stop) == stop.time_since(start)
for stream in streams:
    stream.synchronize()
    assert stream.is_done()
assert (result == np.repeat(np.arange(1, parts + 1, dtype=np.int32) * 10, n)).all()

# One stream waits for another.
first, second = streams[:2]
done = drv.Event(drv.event_flags.DISABLE_TIMING)
repeat(device[0], np.int32(1), np.int32(1000), block=(256, 1, 1), grid=(n // 256, 1), stream=first)
done.record(first)
second.wait_for_event(done)
drv.memcpy_dtod_async(device[1], device[0], n * 4, second)
second.synchronize()
assert (drv.from_device(device[1], n, np.int32) == 1010).all()
print("streams")
