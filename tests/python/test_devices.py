"""Devices and contexts."""

import threading

import pytest

from lanewise import _core, cuda


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
        assert isinstance(getattr(current, name), int), name
    assert current.WARP_SIZE == 32
    assert current.MAX_THREADS_PER_BLOCK >= 1024
    assert current.MULTIPROCESSOR_COUNT >= 1
    assert set(ATTRIBUTES.values()) <= set(_core.Device.attribute_names)


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
