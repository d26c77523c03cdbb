"""lanewise: GPU programming from Python on one compiled core, for NVIDIA GPUs and for the CPU.

`lanewise.cuda` is the kernel language and its host API. `lanewise.compat` holds the faces under which scripts written
for other libraries run unchanged (`lanewise run script.py`).
"""

import importlib

__version__ = "0.1.0"

# Submodules are imported when first used: `import lanewise` itself loads nothing else.
_SUBMODULES = frozenset({"cli", "compat", "cuda", "errors"})
_CORE_NAMES = frozenset({"current_device", "device", "devices", "set_current_device"})

__all__ = ["__version__", "compat", "cuda", "current_device", "device", "devices", "errors", "set_current_device"]


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _CORE_NAMES:
        return getattr(importlib.import_module(f"{__name__}._core"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES | _CORE_NAMES)
