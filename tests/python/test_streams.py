"""Streams and events."""

import asyncio
import threading

import numpy as np
import pytest

from lanewise import _core, cuda
from lanewise.cuda.streams import as_stream


@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def test_default_streams(device):
    assert cuda.default_stream() == cuda.default_stream()
    assert not cuda.default_stream().external
    for stream in (cuda.legacy_default_stream(), cuda.per_thread_default_stream(), cuda.stream()):
        x = cuda.to_device(np.zeros(4), stream=stream)
        increment[1, 4, stream](x)
        stream.synchronize()
        assert x.copy_to_host(stream=stream).tolist() == [1] * 4


def test_with_blocks_make_streams_current(device):
    default, first, second = _core.current_stream(), cuda.stream(), cuda.stream()
    with first as entered:
        assert entered is first
        with second:
            assert _core.current_stream() == second
        assert _core.current_stream() == first
        with pytest.raises(KeyError), second:
            raise KeyError
        x = cuda.to_device(np.zeros(4))
        increment[1, 4](x)
        assert _core.current_stream() == first
    assert _core.current_stream() == default
    assert x.copy_to_host().tolist() == [1] * 4


def test_stream_handles(device):
    stream = cuda.stream()
    assert int(stream) == stream.handle != 0
    version, handle = stream.__cuda_stream__()
    assert (version, handle) == (0, stream.handle)
    assert stream != cuda.stream()
    assert len({stream, stream}) == 1


def test_external_stream(device):
    stream = cuda.stream()
    external = cuda.external_stream(int(stream))
    x = cuda.to_device(np.zeros(1), stream=stream)
    increment[1, 1, external](x)
    external.synchronize()
    assert x.copy_to_host(stream=stream)[0] == 1


def test_streams_of_other_libraries(device):
    stream = cuda.stream()

    class Protocol:
        def __cuda_stream__(self):
            return 0, stream.handle

    class Torch:
        cuda_stream = stream.handle

    class Cupy:
        ptr = stream.handle

    for foreign in (Protocol(), Torch(), Cupy(), stream, int(stream)):
        assert as_stream(foreign) == stream
        x = cuda.to_device(np.zeros(1), stream=foreign)
        increment[1, 1, foreign](x)
        assert x.copy_to_host(stream=foreign)[0] == 1
    assert as_stream(0) is None and as_stream(None) is None
    with pytest.raises(TypeError, match="str"):
        as_stream("stream")


def test_auto_synchronize(device):
    stream = cuda.stream()
    out = cuda.pinned_array(1)
    with stream.auto_synchronize() as same:
        assert same is stream
        x = cuda.to_device(np.zeros(1), stream=stream)
        increment[1, 1, stream](x)
        x.copy_to_host(out, stream=stream)
    assert out[0] == 1


def test_callbacks_run_in_order(device):
    stream = cuda.stream()
    seen = []
    done = threading.Event()
    stream.add_callback(lambda s, status, arg: seen.append((s == stream, status, arg)), "first")
    stream.add_callback(lambda s, status, arg: (seen.append(arg), done.set()), "second")
    stream.synchronize()
    assert done.wait(10)
    assert seen == [(True, 0, "first"), "second"]


def test_async_done(device):
    async def main():
        stream = cuda.stream()
        x = cuda.to_device(np.zeros(1000), stream=stream)
        increment[8, 128, stream](x)
        assert await stream.async_done() is stream
        futures = [cuda.stream().async_done() for _ in range(5)]
        await asyncio.gather(*futures)
        cancelled = stream.async_done()
        cancelled.cancel()
        await stream.async_done()
        return x.copy_to_host(stream=stream)

    assert (asyncio.run(main()) == 1).all()


def test_events(device):
    start, end = cuda.event(), cuda.event()
    x = cuda.to_device(np.zeros(1000))
    start.record()
    increment[8, 128](x)
    end.record()
    end.synchronize()
    assert end.query()
    assert start.elapsed_time(end) >= 0
    assert cuda.event_elapsed_time(start, end) == start.elapsed_time(end)


def test_events_order_streams(device):
    first, second = cuda.stream(), cuda.stream()
    x = cuda.to_device(np.zeros(1 << 16), stream=first)
    for _ in range(20):
        increment[1 << 8, 256, first](x)
    event = cuda.event(timing=False)
    event.record(first)
    event.wait(second)
    increment[1 << 8, 256, second](x)
    assert (x.copy_to_host(stream=second) == 21).all()


def test_events_without_timing(device):
    start, end = cuda.event(timing=False), cuda.event(timing=False)
    start.record()
    end.record()
    cuda.synchronize()
    with pytest.raises(ValueError, match="timing"):
        start.elapsed_time(end)


def test_query(device):
    stream = cuda.stream()
    stream.synchronize()
    assert stream.query()
