"""Fills, copies between device memories, and offsets into an allocation."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv

memory = drv.mem_alloc(4096)
drv.memset_d8(memory, 0xAB, 4096)
assert (drv.from_device(memory, 4096, np.uint8) == 0xAB).all()
drv.memset_d16(int(memory) + 1024, 0x1234, 256)
drv.memset_d32(int(memory) + 2048, 0xDEADBEEF, 128)
out = drv.from_device(memory, 4096, np.uint8)
expected = np.full(4096, 0xAB, np.uint8)
expected[1024:1536].view(np.uint16)[:] = 0x1234
expected[2048:2560].view(np.uint32)[:] = 0xDEADBEEF
assert (out == expected).all()

other = drv.mem_alloc(4096)
drv.memcpy_dtod(other, memory, 4096)
drv.memset_d2d32(other, 256, 7, 8, 16)
rows = expected.view(np.uint32).reshape(16, 64).copy()
rows[:, :8] = 7
assert (drv.from_device(other, (16, 64), np.uint32) == rows).all()

stream = drv.Stream()
drv.memset_d8_async(memory, 0, 4096, stream)
drv.memset_d16_async(memory, 9, 4, stream)
stream.synchronize()
assert drv.from_device(memory, 6, np.uint16).tolist() == [9, 9, 9, 9, 0, 0]
free, total = drv.mem_get_info()
assert 0 < free <= total
print("fills")
