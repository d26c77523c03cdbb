"""Asynchronous copies from and to page-locked memory."""

import cupy as cp
import cupyx
import numpy as np

n = 100_000


def pinned_copy(array):
    memory = cp.cuda.alloc_pinned_memory(array.nbytes)
    copy = np.frombuffer(memory, array.dtype, array.size).reshape(array.shape)
    copy[...] = array
    return copy


source = pinned_copy(np.arange(n, dtype=np.float64))
stream = cp.cuda.Stream(non_blocking=True)
device = cp.empty(n)
device.set(source, stream=stream)
with stream:
    device += 0.5
target = cupyx.empty_pinned((n,), dtype=np.float64)
device.get(stream=stream, out=target)
stream.synchronize()
np.testing.assert_array_equal(target, np.arange(n) + 0.5)

zeros = cupyx.zeros_pinned((3, 4), dtype=np.int32, order="F")
assert zeros.flags.f_contiguous and not zeros.any()
like = cupyx.empty_like_pinned(device)
cp.asnumpy(device, out=like, stream=stream, blocking=False)
stream.synchronize()
np.testing.assert_array_equal(like, target)

host = np.empty(n)
cp.cuda.runtime.memcpyAsync(
    host.ctypes.data, device.data.ptr, device.nbytes, cp.cuda.runtime.memcpyDeviceToHost, stream.ptr
)
stream.synchronize()
np.testing.assert_array_equal(host, target)

pointer = cp.cuda.alloc(800)
view = cp.ndarray(100, dtype=np.float64, memptr=pointer)
view.fill(3)
assert view.data.ptr == pointer.ptr and float(view.sum()) == 300
part = cp.ndarray((10,), np.float64, memptr=pointer + 80)
part[:] = cp.arange(10)
np.testing.assert_array_equal(view[8:22].get(), [3, 3, *range(10), 3, 3])
print("pinned", target[-1])
