"""Fixtures of all Python tests."""

import os
import subprocess
import sys
import tempfile

import pytest

# Tests neither use nor fill the user's cache of compiled kernels.
if "LANEWISE_CACHE_DIR" not in os.environ:
    _cache = tempfile.TemporaryDirectory(prefix="lanewise-test-cache-")
    os.environ["LANEWISE_CACHE_DIR"] = _cache.name

from lanewise import _core  # noqa: E402

DEVICES = [device.name for device in _core.devices()]


@pytest.fixture(params=DEVICES)
def device(request):
    """Each device in turn, as the current one; the value is its name."""
    before = _core.set_current_device(_core.device(request.param))
    yield request.param
    _core.set_current_device(before)


@pytest.fixture
def gpu(device):
    """Each CUDA device; the test does not run on the cpu device."""
    if device == "cpu":
        pytest.skip("needs a CUDA device")
    return device


@pytest.fixture
def run_python():
    """Runs `python ARGUMENTS...` in a process of its own and gives the finished process, with text output."""

    def run(*arguments, env=None, timeout=120, **kwargs):
        environment = {**os.environ, **(env or {})}
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=timeout,
            check=False,
            **kwargs,
        )

    return run


@pytest.fixture
def lanewise(run_python):
    """Runs `lanewise ARGUMENTS...` likewise."""
    return lambda *arguments, **kwargs: run_python("-m", "lanewise", *arguments, **kwargs)
