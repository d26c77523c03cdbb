"""Streams and events."""

import numpy as np
import pytest

from lanewise.compat.pycuda import driver as cuda


def test_stream_members(device):
    stream = cuda.Stream()
    assert stream.is_done() is True
    assert isinstance(stream.handle, int) and stream.handle != 0
    assert stream.__cuda_stream__() == (0, stream.handle)
    stream.synchronize()
    assert cuda.Stream(cuda.stream_flags.NON_BLOCKING).is_done()
    with pytest.raises(cuda.LogicError, match="cuStreamCreate failed: invalid argument"):
        cuda.Stream(99)


def test_streams_are_compared_by_identity(device):
    first, second = cuda.Stream(), cuda.Stream()
    assert first == first and first != second and len({first, second, first}) == 2


def test_event_members(device):
    start, end = cuda.Event(), cuda.Event(cuda.event_flags.BLOCKING_SYNC)
    assert start.record() is start
    assert end.record(cuda.Stream()) is end
    assert end.synchronize() is end and start.synchronize() is start
    assert start.query() is True
    assert end.time_since(start) == start.time_till(end)
    assert isinstance(end.time_since(start), float)


def test_events_count_milliseconds(device):
    import time

    start, end = cuda.Event(), cuda.Event()
    start.record().synchronize()
    time.sleep(0.03)
    end.record().synchronize()
    assert 25 < end.time_since(start) < 3000


def test_time_of_events_that_have_none(device):
    recorded = cuda.Event().record().synchronize()
    silent = cuda.Event(cuda.event_flags.DISABLE_TIMING).record().synchronize()
    for other, problem in ((cuda.Event(), "has not been recorded"), (silent, "has no timing")):
        with pytest.raises(cuda.LogicError, match=f"cuEventElapsedTime failed: invalid resource handle - .*{problem}"):
            recorded.time_since(other)


def test_events_of_other_processes_are_refused(device):
    for call in (
        lambda: cuda.Event(cuda.event_flags.INTERPROCESS),
        lambda: cuda.Event().ipc_handle(),
        lambda: cuda.Event.from_ipc_handle(bytearray(64)),
    ):
        with pytest.raises(cuda.LogicError, match="operation not supported"):
            call()


def test_work_is_ordered_by_an_event(device):
    first, second = cuda.Stream(), cuda.Stream()
    n = 1 << 20
    source, target = cuda.mem_alloc(n), cuda.mem_alloc(n)
    event = cuda.Event()
    for value in range(1, 20):
        cuda.memset_d8_async(source, value, n, first)
        event.record(first)
        second.wait_for_event(event)
        cuda.memcpy_dtod_async(target, source, n, second)
        event.record(second)
        first.wait_for_event(event)
    second.synchronize()
    assert (cuda.from_device(target, n, np.uint8) == 19).all()


def test_none_is_the_default_stream(device):
    memory = cuda.mem_alloc(4)
    cuda.memset_d32_async(memory, 5, 1, None)
    cuda.memset_d32_async(memory, 6, 1, stream=None)
    assert cuda.from_device(memory, 1, np.int32)[0] == 6


def test_what_is_no_stream(device):
    with pytest.raises(TypeError, match=r"a stream is a pycuda\.driver\.Stream or None; got str"):
        cuda.memset_d8_async(cuda.mem_alloc(4), 0, 4, "stream")
