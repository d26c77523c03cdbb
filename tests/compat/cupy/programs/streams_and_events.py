"""Streams as contexts, order between them by events, callbacks, timing, the current stream, graphs."""

import threading

import cupy as cp
import numpy as np

n = 200_000
host = np.arange(n, dtype=np.float32)
streams = [cp.cuda.Stream(non_blocking=True) for _ in range(3)]
results = []
for number, stream in enumerate(streams):
    with stream:
        assert cp.cuda.get_current_stream() == stream
        part = cp.asarray(host) * (number + 1)
        results.append(part.sum())
for stream in streams:
    stream.synchronize()
assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
for number, total in enumerate(results):
    np.testing.assert_allclose(float(total), host.astype("f8").sum() * (number + 1), rtol=1e-5)

first, second = streams[:2]
ready = cp.cuda.Event(disable_timing=True)
with first:
    x = cp.full(n, 2.0)
    x *= 3
ready.record(first)
second.wait_event(ready)
with second:
    y = x + 1
second.synchronize()
assert second.done and float(y[123]) == 7

begin, end = cp.cuda.Event(), cp.cuda.Event()
begin.record()
for _ in range(10):
    y += 1
end.record()
end.synchronize()
assert cp.cuda.get_elapsed_time(begin, end) >= 0
assert end.done

told = threading.Event()
messages = []
first.add_callback(lambda stream, status, arg: messages.append((status, arg)), "done")
first.launch_host_func(lambda arg: told.set(), None)
first.synchronize()
assert told.wait(10) and messages == [(0, "done")]

second.use()
assert cp.cuda.get_current_stream() == second
cp.cuda.Stream.null.use()
assert cp.cuda.ExternalStream(first.ptr) == first

first.synchronize()
with first:
    first.begin_capture()
    x *= 2
    x += 1
    graph = first.end_capture()
for _ in range(3):
    graph.launch(first)
first.synchronize()
assert float(x[123]) == ((6 * 2 + 1) * 2 + 1) * 2 + 1
print("streams", float(y.max()))
