"""Turns what the core has to say into Python warnings."""

import contextlib
import threading
import warnings

from lanewise import _core, config
from lanewise.errors import CacheWarning, CompilerWarning, PerformanceWarning, PromotionWarning

# category of the core: (class, setting that must be on)
_CATEGORIES = {
    "host-copy": (PerformanceWarning, "CUDA_WARN_ON_IMPLICIT_COPY"),
    "occupancy": (PerformanceWarning, "CUDA_LOW_OCCUPANCY_WARNINGS"),
    "float64": (PromotionWarning, "WARN_FLOAT64"),
    "compile": (CompilerWarning, None),
    "cache": (CacheWarning, None),
}


_thread = threading.local()


@contextlib.contextmanager
def own_grid():
    """Launches whose grid is lanewise's choice: the user is told nothing about its size."""
    _thread.own_grid = True
    try:
        yield
    finally:
        _thread.own_grid = False


def warn(category, text):
    """The core's warning hook."""
    if category == "occupancy" and getattr(_thread, "own_grid", False):
        return
    cls, setting = _CATEGORIES.get(category, (CompilerWarning, None))
    if setting is not None and not config.get(setting):
        return
    if issubclass(cls, PerformanceWarning) and config.get("DISABLE_PERFORMANCE_WARNINGS"):
        return
    # This function is called by the core, which the caller's frame called: level 2 is the user's line.
    warnings.warn(text, cls, stacklevel=2)


def install():
    _core.set_warning_hook(warn)
