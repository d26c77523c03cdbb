"""Facts about devices, a measurement, marks for profilers."""

import cupy as cp
from cupyx.profiler import benchmark, time_range

assert cp.is_available() and cp.cuda.is_available()
assert cp.cuda.runtime.getDeviceCount() >= 1
device = cp.cuda.Device()
free, total = device.mem_info
assert 0 < free <= total
assert (free, total) == tuple(device.mem_info) or device.mem_info[1] == total
properties = cp.cuda.runtime.getDeviceProperties(device.id)
assert properties["maxThreadsPerBlock"] == device.attributes["MaxThreadsPerBlock"] == 1024
assert device.compute_capability == f"{properties['major']}{properties['minor']}"
assert properties["name"].decode()
assert cp.cuda.runtime.driverGetVersion() > 0 and not cp.cuda.runtime.is_hip
try:
    cp.cuda.Device(99).use()
except cp.cuda.runtime.CUDARuntimeError as error:
    assert error.status == 101 and "cudaErrorInvalidDevice" in str(error)
else:
    raise AssertionError("there is no device 99")


def work(x):
    return (x * 2 + 1).sum()


x = cp.ones(1000)
result = benchmark(work, (x,), n_repeat=5, n_warmup=1)
assert result.cpu_times.shape == (5,) and result.gpu_times.shape == (1, 5)
assert "work" in str(result) and "GPU-" in str(result)

with time_range("range", color_id=0):
    work(x)


@time_range()
def marked():
    return work(x)


assert float(marked()) == 3000
cp.cuda.nvtx.RangePush("outer")
cp.cuda.nvtx.Mark("here")
cp.cuda.nvtx.RangePop()
cp.show_config()
