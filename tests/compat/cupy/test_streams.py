"""cupy.cuda: streams, events, devices."""

import threading

import pytest

from lanewise import _core
from lanewise.compat import cupy


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


@pytest.mark.parametrize(
    "call",
    [
        lambda: cupy.cuda.Stream().begin_capture(),
        lambda: cupy.cuda.Stream().end_capture(),
        lambda: cupy.cuda.Graph(),
        lambda: cupy.cuda.Event(interprocess=True),
    ],
)
def test_what_streams_cannot_do_is_refused(cp, call):
    with pytest.raises(NotImplementedError, match="not offered by lanewise"):
        call()
    assert not cp.cuda.Stream().is_capturing()


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
