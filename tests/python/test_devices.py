"""Devices and contexts."""

import contextlib
import pickle
import threading

import numpy as np
import pytest

from lanewise import _core, cuda, errors


def test_current_device(device):
    current = cuda.get_current_device()
    assert current.core.name == device
    assert current == cuda.current_context().device
    assert current.kind == ("cpu" if device == "cpu" else "cuda")
    assert isinstance(current.name, str) and current.name
    assert current.uuid.startswith("GPU-") and len(current.uuid) == 40
    major, minor = current.compute_capability
    assert (current.COMPUTE_CAPABILITY_MAJOR, current.COMPUTE_CAPABILITY_MINOR) == (major, minor)
    assert current.name in repr(current)


def test_every_known_attribute_has_a_value(device):
    from lanewise.cuda.devices import ATTRIBUTES

    current = cuda.get_current_device()
    for name in ATTRIBUTES:
        with contextlib.suppress(errors.DriverError):  # newer than the driver
            assert isinstance(getattr(current, name), int), name
    assert current.WARP_SIZE == 32
    assert current.MAX_THREADS_PER_BLOCK >= 1024
    assert current.MULTIPROCESSOR_COUNT >= 1


def test_attributes_have_names_and_cudas_numbers(device):
    core = _core.current_device()
    assert len(_core.Device.attribute_names) == len(_core.Device.cuda_attributes)
    # The numbers of cuda.h.
    known = {"MAX_THREADS_PER_BLOCK": 1, "WARP_SIZE": 10, "COMPUTE_CAPABILITY_MAJOR": 75, "NUMA_ID": 131}
    assert {name: _core.Device.cuda_attributes[name] for name in known} == known
    for name, number in zip(_core.Device.attribute_names, _core.Device.cuda_attributes.values(), strict=True):
        with contextlib.suppress(errors.DriverError):
            assert core.attribute(name) == core.attribute(number)
    with pytest.raises(ValueError, match="'no_such'"):
        core.attribute("no_such")


def test_limits(device):
    core = _core.current_device()
    before = core.limit("printf_fifo_size")
    core.set_limit("printf_fifo_size", 2 * before)
    try:
        assert core.limit("printf_fifo_size") == core.limit(1) >= 2 * before
    finally:
        core.set_limit("printf_fifo_size", before)
    with pytest.raises(ValueError, match="'heap'; there are stack_size, "):
        core.limit("heap")
    with pytest.raises(ValueError, match="no device limit 99"):
        core.set_limit(99, 1)


def test_cache_preferences_and_priorities(device):
    core = _core.current_device()
    core.cache_preference = "l1"
    assert core.cache_preference == "l1"
    core.cache_preference = "none"
    with pytest.raises(ValueError, match="'l2'; there are none, shared, l1, equal"):
        core.cache_preference = "l2"
    least, greatest = core.stream_priorities
    assert greatest <= 0 <= least
    assert core.context_handle != 0


def test_what_the_cpu_device_does_not_have_is_refused():
    cpu = _core.device("cpu")
    memory = _core.Buffer(64, device=cpu)
    assert not cpu.can_access_peer(cpu)
    for call in (
        lambda: _core.export_memory(memory, device=cpu),
        lambda: _core.Buffer.open(bytes(64), device=cpu),
        lambda: cpu.enable_peer_access(cpu),
        lambda: cpu.allocation_at(memory.pointer),
        lambda: _core.Linker(device=cpu),
    ):
        with pytest.raises(NotImplementedError, match="cpu"):
            call()


@pytest.mark.parametrize("length", [0, 63, 65, 71, 73, 128])
def test_bytes_that_are_no_handle_of_memory(device, length):
    with pytest.raises(ValueError, match="64 or 72 bytes"):
        _core.Buffer.open(bytes(length))


def test_memory_is_shared_with_another_process(gpu, run_python):
    """Blocks anywhere in a segment of the pool, with their work still pending when they are exported."""
    program = """
import sys
import numpy as np
from lanewise import _core
for text in sys.argv[2:]:
    memory = _core.Buffer.open(bytes.fromhex(text), device=_core.device(sys.argv[1]))
    values = np.empty(4, np.int32)
    _core.raw_copy_to_host(values, memory)
    print(values.tolist())
    _core.raw_copy_to_device(memory, np.full(4, 7, np.int32))
    memory.release()
"""
    arrays = [cuda.to_device(np.arange(4, dtype=np.int32) + 10 * i) for i in range(6)]
    handles = [_core.export_memory(array).hex() for array in arrays]
    assert len(set(handles)) == len(handles)
    result = run_python("-c", program, gpu, *handles)
    assert result.stdout.splitlines() == [str(list(range(10 * i, 10 * i + 4))) for i in range(6)], result.stderr
    for array in arrays:
        assert array.copy_to_host().tolist() == [7, 7, 7, 7]


def test_unknown_attributes(device):
    with pytest.raises(AttributeError, match="NO_SUCH_ATTRIBUTE"):
        _ = cuda.get_current_device().NO_SUCH_ATTRIBUTE
    with pytest.raises(AttributeError, match="nothing"):
        _ = cuda.get_current_device().nothing


def test_gpus(device):
    assert len(cuda.gpus) >= 1
    assert cuda.gpus.current == cuda.get_current_device()
    assert list(cuda.gpus) == cuda.gpus.lst
    assert cuda.list_devices() is cuda.gpus
    with pytest.raises(IndexError, match="999"):
        cuda.gpus[999]
    with cuda.gpus[0] as chosen:
        assert cuda.get_current_device() == chosen
    assert cuda.get_current_device().core.name == device


def test_nested_device_blocks_restore_the_device(device):
    cpu = _core.device("cpu")
    with cuda.gpus[0]:
        before = cuda.get_current_device()
        with cuda.devices._wrap(cpu):
            assert cuda.get_current_device().kind == "cpu"
        assert cuda.get_current_device() == before
    assert cuda.get_current_device().core.name == device


def test_select_device(device):
    assert cuda.select_device(device).core.name == device
    assert cuda.select_device(cuda.get_current_device()).core.name == device
    assert cuda.select_device("cpu").kind == "cpu"
    assert cuda.select_device(0) == cuda.gpus[0]


def test_selecting_what_is_not_there():
    with pytest.raises(IndexError):
        cuda.select_device(1000)
    with pytest.raises(cuda.errors.DeviceUnavailable if hasattr(cuda, "errors") else ImportError, match="cuda:77"):
        cuda.select_device("cuda:77")


def test_the_device_is_each_threads_own(device):
    seen = []

    def work():
        cuda.select_device("cpu")
        seen.append(cuda.get_current_device().kind)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ["cpu"]
    assert cuda.get_current_device().core.name == device


def test_context(device):
    context = cuda.current_context()
    free, total = context.get_memory_info()
    assert 0 < free <= total
    assert context.get_memory_info().free > 0
    context.synchronize()
    assert context == cuda.current_context(0) or device == "cpu"
    context.push()
    context.pop()
    with context:
        assert cuda.current_context() == context
    context.reset()
    assert cuda.device_array(3).shape == (3,)


def test_close_leaves_everything_usable(device):
    array = cuda.to_device([1.0, 2.0])
    cuda.close()
    assert array.copy_to_host().tolist() == [1.0, 2.0]


def test_availability(device, capsys):
    assert cuda.is_available()
    assert cuda.is_supported_version()
    assert (cuda.cuda_error() is None) == any(item.kind == "cuda" for item in _core.devices())
    found = cuda.detect()
    text = capsys.readouterr().out
    assert found == any(item.kind == "cuda" for item in _core.devices())
    for item in _core.devices():
        assert item.name in text
    assert cuda.is_float16_supported() in (True, False)


def test_require_context(device):
    @cuda.require_context
    def function(a, b=1):
        """Adds."""
        return a + b

    assert function(1, b=2) == 3
    assert function.__doc__ == "Adds."


def test_profiling(device):
    with cuda.profiling():
        cuda.synchronize()
    cuda.profile_start()
    cuda.profile_stop()


def test_the_environment_chooses_the_device(run_python):
    code = "from lanewise import cuda; print(cuda.get_current_device().kind)"
    assert run_python("-c", code, env={"LANEWISE_DEVICE": "cpu"}).stdout == "cpu\n"


def test_an_unknown_device_in_the_environment(run_python):
    result = run_python("-c", "from lanewise import cuda; cuda.get_current_device()", env={"LANEWISE_DEVICE": "tpu"})
    assert result.returncode == 1
    assert "tpu" in result.stderr.splitlines()[-1] or "LANEWISE_DEVICE" in result.stderr


def test_arrays_of_another_process(gpu, run_python):
    program = """
import pickle, sys
from lanewise import cuda
handle, described = pickle.loads(bytes.fromhex(sys.argv[1]))
with handle as array:
    print(array.copy_to_host().tolist())
    array[0] = 9
with cuda.open_ipc_array(*described) as array:
    print(array.copy_to_host().tolist())
try:
    handle.close()
except ValueError as error:
    print(error)
"""
    cuda.to_device(np.zeros(5))
    array = cuda.to_device(np.arange(6.0).reshape(2, 3))
    handle = array.T.get_ipc_handle()
    described = (_core.export_memory(array), (2,), np.dtype("float64"), (24,), 16)
    result = run_python("-c", program, pickle.dumps((handle, described)).hex(), env={"LANEWISE_DEVICE": gpu})
    assert result.stdout.splitlines() == [
        "[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]",
        "[2.0, 5.0]",
        "the handle is not open",
    ], result.stderr
    assert array.copy_to_host().tolist() == [[9, 1, 2], [9, 4, 5]]


def test_arrays_of_the_cpu_device_are_not_shared():
    with cuda.devices._wrap(_core.device("cpu")):
        array = cuda.to_device(np.zeros(3))
        with pytest.raises(NotImplementedError, match="shared_memory"):
            array.get_ipc_handle()
        with pytest.raises(NotImplementedError, match="cpu"), cuda.open_ipc_array(bytes(64), 3, "f8"):
            pass
