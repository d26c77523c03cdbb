"""cupy.cuda: streams, events, devices."""

import threading

import numpy as np
import pytest

from lanewise import _core


def test_default_streams_have_cudas_handles(cp):
    assert (cp.cuda.Stream.null.ptr, cp.cuda.Stream.ptds.ptr) == (0, 2)
    assert cp.cuda.Stream(null=True) == cp.cuda.Stream.null != cp.cuda.Stream.ptds
    assert cp.cuda.Stream(ptds=True) == cp.cuda.Stream.ptds
    with pytest.raises(ValueError, match="null and ptds"):
        cp.cuda.Stream(null=True, ptds=True)


def test_with_blocks_nest_and_go_back(cp):
    first, second = cp.cuda.Stream(), cp.cuda.Stream(non_blocking=True)
    with first:
        with second:
            assert cp.cuda.get_current_stream() == second
        with first:
            assert cp.cuda.get_current_stream() == first
        assert cp.cuda.get_current_stream() == first
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null


def test_with_block_goes_back_after_an_exception(cp):
    with pytest.raises(KeyError), cp.cuda.Stream():
        raise KeyError
    assert cp.cuda.get_current_stream() == cp.cuda.Stream.null


def test_use_stays_until_the_next(cp):
    stream = cp.cuda.Stream().use()
    assert cp.cuda.get_current_stream() == stream
    cp.cuda.Stream.null.use()
    assert cp.cuda.get_current_stream() is cp.cuda.Stream.null


def test_current_stream_is_the_threads_own(cp, device):
    seen = []

    def look():
        _core.set_current_device(_core.device(device))
        seen.append(cp.cuda.get_current_stream())

    with cp.cuda.Stream():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [cp.cuda.Stream.null]


def test_equal_streams_have_equal_hashes(cp):
    stream = cp.cuda.Stream()
    same = cp.cuda.ExternalStream(stream.ptr)
    assert stream == same and hash(stream) == hash(same)
    assert stream != cp.cuda.Stream() and stream != 5


def test_streams_of_other_libraries(cp):
    core = _core.current_device().create_stream()
    stream = cp.cuda.Stream.from_external(core)
    assert stream.ptr == core.handle and stream.__cuda_stream__() == core.__cuda_stream__()
    with pytest.raises(TypeError, match="__cuda_stream__"):
        cp.cuda.Stream.from_external(3)


def test_priority_is_kept(cp):
    assert cp.cuda.Stream(priority=-1).priority == -1
    least, greatest = cp.cuda.runtime.deviceGetStreamPriorityRange()
    assert greatest <= least


def test_callbacks_run_in_order(cp):
    stream, seen = cp.cuda.Stream(), []
    stream.launch_host_func(seen.append, 1)
    stream.add_callback(lambda s, status, arg: seen.append((s is stream, status, arg)), "x")
    stream.launch_host_func(seen.append, 2)
    stream.synchronize()
    assert seen == [1, (True, 0, "x"), 2] and stream.done


def test_events_order_streams(cp):
    first, second = cp.cuda.Stream(), cp.cuda.Stream()
    gate, seen = threading.Event(), []
    first.launch_host_func(lambda _: gate.wait(10), None)
    first.launch_host_func(seen.append, "first")
    second.wait_event(first.record())
    second.launch_host_func(seen.append, "second")
    event = second.record()
    assert not event.done
    gate.set()
    event.synchronize()
    assert seen == ["first", "second"] and event.done


def held_back(stream):
    """An event that the later work of the stream waits for."""
    gate = threading.Event()
    stream.launch_host_func(lambda _: gate.wait(20), None)
    return gate


def test_operations_run_on_the_stream_of_the_with_block(cp):
    def work(x):
        y = cp.sqrt(x) + x[::-1].sum()
        x += 1
        x[0] = -1
        return y

    x, other = cp.arange(100.0), cp.arange(100.0)
    cp.cuda.Stream.null.synchronize()
    work(other).get()  # loading code waits for all streams
    cp.cuda.Stream.null.synchronize()
    stream = cp.cuda.Stream(non_blocking=True)
    gate = held_back(stream)
    try:
        with stream:
            y = work(x)
            event = stream.record()
        assert not event.done
        assert cp.cuda.Stream.null.done
    finally:
        gate.set()
    np.testing.assert_allclose(y.get(), np.sqrt(np.arange(100.0)) + 4950)
    np.testing.assert_allclose(x.get(), np.r_[-1, np.arange(2, 101.0)])


def test_the_null_stream_and_blocking_streams_are_in_order(cp):
    x = cp.zeros(1000)
    streams = [cp.cuda.Stream(), cp.cuda.Stream.null, cp.cuda.Stream(), cp.cuda.Stream.null, cp.cuda.Stream.ptds]
    for step in range(20):
        with streams[step % 4 if step % 2 else 2 * (step % 3 == 0)]:
            x = x * 2 + step
        with cp.cuda.Stream.null:
            x += 1
    with cp.cuda.Stream.ptds:
        x -= 1
    expected = 0
    for step in range(20):
        expected = expected * 2 + step + 1
    np.testing.assert_array_equal(x.get(), np.full(1000, expected - 1.0))


def test_double_buffering(cp):
    # Uploads on one stream, computation on another, two buffers that go back and forth between them.
    n, parts = 5000, 9
    host = np.random.default_rng(1).random((parts, n))
    pinned = [np.frombuffer(cp.cuda.alloc_pinned_memory(host[0].nbytes), host.dtype, n) for _ in range(2)]
    copying, computing = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    buffers = [cp.empty(n) for _ in range(2)]
    uploaded = [cp.cuda.Event(disable_timing=True) for _ in range(2)]
    computed = [cp.cuda.Event(disable_timing=True) for _ in range(2)]
    total, squares = cp.zeros(n), []
    for event in computed:
        event.record(computing)
    computing.wait_event(cp.cuda.get_current_stream().record())
    for part in range(parts):
        k = part % 2
        uploaded[k].synchronize()  # the pinned memory is free again
        pinned[k][:] = host[part]
        copying.wait_event(computed[k])
        buffers[k].set(pinned[k], stream=copying)
        uploaded[k].record(copying)
        computing.wait_event(uploaded[k])
        with computing:
            total += cp.sin(buffers[k]) * part
            squares.append((buffers[k] ** 2).sum())
        computed[k].record(computing)
    np.testing.assert_allclose(total.get(), (np.sin(host) * np.arange(parts)[:, None]).sum(axis=0))
    np.testing.assert_allclose([float(s) for s in squares], (host**2).sum(axis=1))


def test_streams_a_part_each(cp):
    # Each stream uploads, computes and downloads its own parts.
    n, parts = 4000, 8
    host = np.arange(parts * n, dtype=np.float32).reshape(parts, n)
    out = np.frombuffer(cp.cuda.alloc_pinned_memory(host.nbytes), host.dtype, host.size).reshape(host.shape)
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(3)]
    for part in range(parts):
        with streams[part % 3] as stream:
            x = cp.asarray(host[part])
            (x * 2 + cp.arange(n, dtype=np.float32)).get(out=out[part], stream=stream, blocking=False)
    for stream in streams:
        stream.synchronize()
    np.testing.assert_array_equal(out, host * 2 + np.arange(n, dtype=np.float32))


def test_threads_use_their_own_streams(cp, device):
    results = {}

    def work(number):
        _core.set_current_device(_core.device(device))
        with cp.cuda.Stream(ptds=True) if number % 2 else cp.cuda.Stream(non_blocking=True):
            x = cp.full(1000, float(number))
            for _ in range(10):
                x = x * 2 - cp.ones(1000)
            results[number] = x.get()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, result in results.items():
        assert (result == number * 1024 - 1023).all()


def test_elapsed_time(cp):
    start, end = cp.cuda.Event(), cp.cuda.Event()
    start.record()
    end.record()
    end.synchronize()
    assert 0 <= cp.cuda.get_elapsed_time(start, end) < 1000


@pytest.mark.parametrize("which", ["start", "end"])
def test_elapsed_time_of_an_event_not_recorded(cp, which):
    recorded = cp.cuda.Event()
    recorded.record()
    recorded.synchronize()
    events = (cp.cuda.Event(), recorded) if which == "start" else (recorded, cp.cuda.Event())
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match=f"InvalidResourceHandle.*the {which} event") as error:
        cp.cuda.get_elapsed_time(*events)
    assert error.value.status == 400


def test_elapsed_time_without_timing(cp):
    event = cp.cuda.Event(disable_timing=True)
    event.record()
    event.synchronize()
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="has no timing"):
        cp.cuda.get_elapsed_time(event, event)


def test_events_for_other_processes_are_refused(cp):
    with pytest.raises(NotImplementedError, match="not offered by lanewise"):
        cp.cuda.Event(interprocess=True)


def test_capture(cp):
    stream = cp.cuda.Stream(non_blocking=True)
    a = cp.arange(100.0)
    with stream:
        stream.begin_capture()
        assert stream.is_capturing()
        a += 1
        b = a * 3
        graph = stream.end_capture()
    assert not stream.is_capturing()
    assert isinstance(graph, cp.cuda.Graph)
    cp.cuda.Stream.null.synchronize()
    for step in range(1, 4):
        graph.launch(stream)
        stream.synchronize()
        np.testing.assert_array_equal(b.get(), (np.arange(100.0) + step) * 3)
    graph.upload()
    graph.launch()
    np.testing.assert_array_equal(a.get(), np.arange(100.0) + 4)


def test_capture_across_streams(cp):
    first, second = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
    forked, joined = cp.cuda.Event(), cp.cuda.Event()
    a = cp.full(1000, 2.0)
    with first:
        first.begin_capture(cp.cuda.runtime.streamCaptureModeThreadLocal)
        b = a * 3
        forked.record(first)
        second.wait_event(forked)
        assert second.is_capturing()
        with second:
            c = a + b
            joined.record(second)
        first.wait_event(joined)
        d = b * c
        graph = first.end_capture()
    assert not second.is_capturing()
    cp.cuda.Stream.null.synchronize()
    graph.launch(second)
    second.synchronize()
    assert (c.get() == 8).all()
    assert (d.get() == 48).all()


@pytest.mark.parametrize("which", ["not begun", "other stream", "unjoined", "synchronised", "queried"])
def test_failed_captures_leave_the_streams_usable(cp, which):
    status = {"not begun": 401, "other stream": 903, "unjoined": 904, "synchronised": 901, "queried": 901}[which]
    first, second = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
    a = cp.ones(100)
    cp.cuda.Stream.null.synchronize()
    if which != "not begun":
        first.begin_capture()
    if which in ("other stream", "unjoined"):
        second.wait_event(first.record())
        with second:
            a += 1
    for call in {"synchronised": (first.synchronize,), "queried": (lambda: first.done,)}.get(which, ()):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="is being captured") as error:
            call()
        assert error.value.status == 900
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="end_capture") as error:
        (second if which == "other stream" else first).end_capture()
    assert error.value.status == status
    if which == "other stream":
        assert first.is_capturing()
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
            first.end_capture()
    for stream in (first, second):
        assert not stream.is_capturing()
        with stream:
            b = a * 2
            stream.synchronize()
            assert (b.get() == a.get() * 2).all()


def test_devices_compare_and_convert(cp):
    here = cp.cuda.Device()
    assert here == cp.cuda.Device(here.id) and int(here) == here.id == cp.cuda.get_device_id()
    assert hash(here) == hash(cp.cuda.Device(here.id))
    assert here <= here and not here < here
    assert cp.cuda.Device.from_pci_bus_id(here.pci_bus_id) == here
    assert here != 0


def test_device_that_there_is_not(cp):
    for call in (cp.cuda.Device, cp.cuda.runtime.setDevice, cp.cuda.runtime.getDeviceProperties):
        with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorInvalidDevice.*no device 77") as error:
            call(77)
        assert error.value.status == 101


def test_with_block_of_a_device_goes_back(cp):
    before = _core.current_device()
    with cp.cuda.Device(cp.cuda.get_device_id()) as device:
        assert device == cp.cuda.Device()
    assert _core.current_device() is before


def test_attributes_are_the_properties(cp):
    device = cp.cuda.Device()
    properties = cp.cuda.runtime.getDeviceProperties(device.id)
    for field, attribute in (("warpSize", "WarpSize"), ("multiProcessorCount", "MultiProcessorCount")):
        assert properties[field] == device.attributes[attribute]
    number = cp.cuda.runtime.cudaDevAttrWarpSize
    assert cp.cuda.runtime.deviceGetAttribute(number, device.id) == 32


def test_library_handles_are_refused(cp):
    with pytest.raises(AttributeError, match="no handles of CUDA's libraries"):
        cp.cuda.Device().cublas_handle  # noqa: B018
    with pytest.raises(AttributeError, match=r"cupy\.cuda\.cublas is not offered"):
        cp.cuda.cublas  # noqa: B018


def test_nvtx_ranges_do_no_harm(cp):
    nvtx = cp.cuda.nvtx
    nvtx.RangePush("a", 1)
    nvtx.RangePushC("b", 0xFF00FF00)
    nvtx.Mark("c")
    nvtx.MarkC("d", 0xFFFFFFFF)
    nvtx.RangePop()
    nvtx.RangePop()
    nvtx.RangeEnd(nvtx.RangeStart("e"))
