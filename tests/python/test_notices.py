"""Warnings, and the settings that turn them off."""

import warnings

import numpy as np
import pytest

from lanewise import config, cuda
from lanewise.cuda import notices
from lanewise.errors import CacheWarning, CompilerWarning, PerformanceWarning, PromotionWarning


@pytest.fixture(autouse=True)
def fresh_settings():
    config.reload()
    yield
    config.reload()


@pytest.mark.parametrize(
    ("category", "cls"),
    [
        ("host-copy", PerformanceWarning),
        ("occupancy", PerformanceWarning),
        ("float64", PromotionWarning),
        ("compile", CompilerWarning),
        ("cache", CacheWarning),
        ("another", CompilerWarning),
    ],
)
def test_categories(category, cls):
    with pytest.warns(cls, match="the text"):
        notices.warn(category, "the text")


@pytest.mark.parametrize(
    ("category", "setting", "value"),
    [
        ("host-copy", "CUDA_WARN_ON_IMPLICIT_COPY", 0),
        ("occupancy", "CUDA_LOW_OCCUPANCY_WARNINGS", 0),
        ("float64", "WARN_FLOAT64", 0),
        ("host-copy", "DISABLE_PERFORMANCE_WARNINGS", 1),
        ("float64", "DISABLE_PERFORMANCE_WARNINGS", 1),
    ],
)
def test_settings_turn_warnings_off(category, setting, value):
    config.set(setting, value)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        notices.warn(category, "the text")


@pytest.mark.parametrize("prefix", ["LANEWISE", "NUMBA"])
@pytest.mark.parametrize(("text", "value"), [("0", 0), ("1", 1), ("true", 1), ("off", 0)])
def test_settings_come_from_the_environment(monkeypatch, prefix, text, value):
    monkeypatch.setenv(f"{prefix}_CUDA_WARN_ON_IMPLICIT_COPY", text)
    config.reload()
    assert config.CUDA_WARN_ON_IMPLICIT_COPY == value


def test_lanewise_wins_over_numba(monkeypatch):
    monkeypatch.setenv("NUMBA_CUDA_DEFAULT_PTX_CC", "6.0")
    assert config.CUDA_DEFAULT_PTX_CC == (6, 0)
    monkeypatch.setenv("LANEWISE_CUDA_DEFAULT_PTX_CC", "9.0")
    config.reload()
    assert config.CUDA_DEFAULT_PTX_CC == (9, 0)


def test_unknown_settings():
    with pytest.raises(AttributeError, match="NO_SUCH"):
        config.get("NO_SUCH")
    with pytest.raises(AttributeError, match="NO_SUCH"):
        config.set("NO_SUCH", 1)


def test_checks_of_all_kernels(monkeypatch):
    def kernel(x):
        x[7] = 1

    monkeypatch.setenv("LANEWISE_CHECK", "bounds")
    config.reload()
    assert cuda.jit(kernel).options.bounds_check
    assert not cuda.jit(boundscheck=False)(kernel).options.bounds_check
    monkeypatch.setenv("LANEWISE_CHECK", "bound")
    config.reload()
    with pytest.raises(ValueError, match="LANEWISE_CHECK='bound'"):
        cuda.jit(kernel)


def test_unreadable_settings(monkeypatch):
    monkeypatch.setenv("LANEWISE_CUDA_DEFAULT_PTX_CC", "newest")
    with pytest.raises(ValueError, match="LANEWISE_CUDA_DEFAULT_PTX_CC='newest'"):
        config.get("CUDA_DEFAULT_PTX_CC")


@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def test_host_arrays_warn_where_they_are_copied(device):
    x = np.zeros(4)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        increment[256, 4](x)
    copied = [item for item in record if "host arrays are copied" in str(item.message)]
    assert len(copied) == (device != "cpu")
    assert all(item.filename == __file__ and item.category is PerformanceWarning for item in copied)


def test_small_grids_warn_on_a_gpu(device):
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        increment[3, 32](cuda.to_device(np.zeros(4)))
    found = [item for item in record if "under-utilization" in str(item.message)]
    assert len(found) == (device != "cpu")
    assert all("Grid size 3" in str(item.message) for item in found)


def test_promotion_to_float64_names_the_line(device):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        x[i] = x[i] * 0.5

    with pytest.warns(PromotionWarning, match=r"test_notices\.py:\d+"):
        kernel[1, 4](cuda.to_device(np.ones(4, np.float32)))


def test_no_promotion_warning_with_weak_literals(device):
    @cuda.jit(literals="weak")
    def kernel(x):
        i = cuda.grid(1)
        x[i] = x[i] * 0.5

    with warnings.catch_warnings():
        warnings.simplefilter("error", PromotionWarning)
        kernel[1, 4](cuda.to_device(np.ones(4, np.float32)))


def test_warnings_can_be_errors(device):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        x[i] = x[i] * 0.25

    with warnings.catch_warnings():
        warnings.simplefilter("error", PromotionWarning)
        with pytest.raises(PromotionWarning):
            kernel[1, 4](cuda.to_device(np.ones(4, np.float32)))
