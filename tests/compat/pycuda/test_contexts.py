"""Devices, contexts and their stack; threads."""

import threading
import warnings

import numpy as np
import pytest

from lanewise import _core
from lanewise.compat.pycuda import driver as cuda


@pytest.fixture
def context(device):
    context = _device(device).make_context()
    yield context
    if cuda.Context.get_current() is context:
        context.pop()


def _device(name):
    return next(d for d in map(cuda.Device, range(cuda.Device.count())) if d._core.name == name)


def in_thread(function):
    """What function() gives or raises on a new thread."""
    result = {}

    def run():
        try:
            result["value"] = function()
        except BaseException as error:
            result["error"] = error

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if "error" in result:
        raise result["error"]
    return result["value"]


def test_init_and_versions():
    assert cuda.init() is None
    with pytest.raises(cuda.LogicError, match="cuInit failed: invalid argument"):
        cuda.init(1)
    assert len(cuda.get_version()) == 3
    assert cuda.get_driver_version() >= 12000


def test_device_facts(device, context):
    dev = context.get_device()
    assert dev == cuda.Context.get_device() and hash(dev) == hash(cuda.Context.get_device())
    assert isinstance(dev.name(), str) and dev.name()
    assert dev.compute_capability() >= (5, 0)
    assert dev.total_memory() > 0
    assert dev.get_attribute(cuda.device_attribute.WARP_SIZE) == 32
    assert dev.max_threads_per_block >= 512
    assert dev.max_block_dim_x >= 512
    assert dev.compute_capability_major == dev.compute_capability()[0]
    attributes = dev.get_attributes()
    assert attributes[cuda.device_attribute.WARP_SIZE] == 32
    assert isinstance(attributes[cuda.device_attribute.COMPUTE_MODE], cuda.compute_mode)
    with pytest.raises(AttributeError, match="no_such_attribute"):
        dev.no_such_attribute
    assert cuda.Device(dev.pci_bus_id()) == dev or device != "cpu"


def test_devices_that_are_not_there(device):
    with pytest.raises(cuda.LogicError, match="cuDeviceGet failed: invalid device ordinal"):
        cuda.Device(1000)
    with pytest.raises(cuda.LogicError, match="cuDeviceGetByPCIBusId failed: invalid device ordinal"):
        cuda.Device("FFFF:FF:FF.0")


def test_stack(device):
    assert cuda.Context.get_current() is None
    first = cuda.Context.get_device().make_context()
    assert cuda.Context.get_current() is first
    second = first.get_device().make_context(cuda.ctx_flags.SCHED_YIELD)
    assert cuda.Context.get_current() is second and first != second
    first.push()
    assert cuda.Context.get_current() is first
    cuda.Context.pop()
    second.pop()
    assert cuda.Context.get_current() is first
    first.pop()
    assert cuda.Context.get_current() is None
    with pytest.raises(cuda.LogicError, match="cuCtxPopCurrent failed: invalid device context"):
        cuda.Context.pop()


def test_detach(device):
    context = cuda.Context.get_device().make_context()
    context.detach()
    assert cuda.Context.get_current() is None
    for call in (context.detach, context.push):
        with pytest.raises(cuda.LogicError, match="failed: invalid device context"):
            call()


def test_detach_below_the_top(device):
    first, second = (cuda.Context.get_device().make_context() for _ in range(2))
    first.detach()
    assert cuda.Context.get_current() is second
    second.pop()
    assert cuda.Context.get_current() is None
    assert _core.current_device().name == device


def test_primary_contexts(device):
    dev = cuda.Context.get_device()
    primary = dev.retain_primary_context()
    assert cuda.Context.get_current() is None
    assert primary == dev.retain_primary_context() and hash(primary) == hash(dev.retain_primary_context())
    assert primary != dev.make_context()
    cuda.Context.pop()
    primary.push()
    assert cuda.Context.get_current() is primary
    primary.pop()


def test_a_pushed_context_chooses_the_device():
    names = [core.name for core in _core.devices()]
    before = _core.current_device()
    try:
        for name in names:
            _core.set_current_device(_core.device(name))
            context = cuda.Context.get_device().make_context()
            _core.set_current_device(before)
            context.push()
            assert cuda.Context.get_device()._core.name == name
            context.pop()
            assert cuda.Context.get_device()._core is before
            context.pop()
    finally:
        _core.set_current_device(before)


def test_context_settings(context):
    context.synchronize()
    assert context.handle != 0
    assert context.get_api_version() >= 3000
    size = context.get_limit(cuda.limit.PRINTF_FIFO_SIZE)
    assert size > 0
    context.set_limit(cuda.limit.PRINTF_FIFO_SIZE, size)
    assert context.get_limit(cuda.limit.PRINTF_FIFO_SIZE) == size
    context.set_cache_config(cuda.func_cache.PREFER_L1)
    assert context.get_cache_config() == cuda.func_cache.PREFER_L1
    context.set_cache_config(cuda.func_cache.PREFER_NONE)
    assert isinstance(context.get_shared_config(), cuda.shared_config)
    attached = cuda.Context.attach()
    assert cuda.Context.get_current() is attached
    attached.detach()


def test_peers(context):
    dev = context.get_device()
    assert dev.can_access_peer(dev) is False
    with pytest.raises(cuda.LogicError, match="cuCtxEnablePeerAccess failed"):
        cuda.Context.enable_peer_access(context)


def test_profiler(device):
    cuda.start_profiler()
    cuda.stop_profiler()
    with pytest.raises(cuda.LogicError, match="nsys"):
        cuda.initialize_profiler("a", "b", cuda.profiler_output_mode.CSV)


@pytest.fixture
def two_gpus():
    """Contexts on two GPUs; the one of the second is on top."""
    gpus = [core.name for core in _core.devices() if core.kind == "cuda"]
    if len(gpus) < 2:
        pytest.skip("needs two CUDA devices")
    before = _core.set_current_device(_core.device(gpus[0]))
    contexts = [_device(name).make_context() for name in gpus[:2]]
    yield contexts
    contexts[1].pop()
    contexts[0].pop()
    _core.set_current_device(before)


def test_copies_between_gpus(two_gpus):
    first, second = two_gpus
    values = np.arange(1 << 20, dtype=np.int32)
    on_second = cuda.mem_alloc(values.nbytes)
    first.push()
    on_first = cuda.to_device(values)
    cuda.memcpy_peer(on_second, on_first, values.nbytes, second, first)
    first.pop()
    assert (cuda.from_device_like(on_second, values) == values).all()
    stream = cuda.Stream()
    cuda.memset_d32_async(on_second, 7, values.size, stream)
    cuda.memcpy_peer_async(on_first, on_second, values.nbytes, first, second, stream)
    stream.synchronize()
    assert (cuda.from_device_like(on_first, values) == 7).all()


def test_peer_access(two_gpus):
    first, second = two_gpus
    if not first._device.can_access_peer(second._device):
        pytest.skip("the devices are no peers")
    second.enable_peer_access(first)
    with pytest.raises(cuda.LogicError, match="peer access is already enabled"):
        second.enable_peer_access(first)
    second.disable_peer_access(first)
    with pytest.raises(cuda.LogicError, match="peer access has not been enabled"):
        second.disable_peer_access(first)


def test_a_thread_uses_the_device_of_the_context_made_last(two_gpus):
    from lanewise.compat.pycuda.compiler import SourceModule

    put = SourceModule("__global__ void put(int *x) { *x = 5; }").get_function("put")

    def work():
        memory = cuda.mem_alloc(4)
        put(memory, block=(1, 1, 1))
        return memory.device.name, cuda.from_device(memory, 1, np.int32)[0]

    assert in_thread(work) == (two_gpus[1]._device._core.name, 5)


def test_a_thread_needs_no_context(context):
    def work():
        assert cuda.Context.get_current() is None
        memory = cuda.to_device(np.arange(10))
        stream = cuda.Stream()
        result = np.empty(10, int)
        cuda.memcpy_dtoh_async(result, memory, stream)
        stream.synchronize()
        return cuda.Context.get_device(), result.tolist()

    assert in_thread(work) == (context.get_device(), list(range(10)))


def test_each_thread_has_a_stack_of_its_own(context):
    def work():
        own = cuda.Context.get_device().make_context()
        assert cuda.Context.get_current() is own

    in_thread(work)
    assert cuda.Context.get_current() is context


def test_objects_may_end_on_another_thread(context):
    objects = [cuda.mem_alloc(100), cuda.Stream(), cuda.Event(), cuda.pagelocked_empty(10, float)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        in_thread(objects.clear)
