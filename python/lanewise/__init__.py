"""lanewise: GPU programming from Python on one compiled core, for NVIDIA GPUs and for the CPU.

`lanewise.cuda` is the kernel language and its host API; `RawKernel` and `RawModule` take kernels in CUDA C++.
`lanewise.compat` holds the faces under which scripts written for other libraries run unchanged
(`lanewise run script.py`).
"""

import importlib

__version__ = "0.1.0"

# Submodules are imported when first used: `import lanewise` itself loads nothing else.
_SUBMODULES = frozenset({"cli", "compat", "cuda", "errors", "raw"})
_NAMES = {
    "CompileError": "errors",
    "RawKernel": "raw",
    "RawModule": "raw",
    "current_device": "_core",
    "device": "_core",
    "devices": "_core",
    "set_current_device": "_core",
}

__all__ = [
    "CompileError",
    "RawKernel",
    "RawModule",
    "__version__",
    "compat",
    "cuda",
    "current_device",
    "device",
    "devices",
    "errors",
    "raw",
    "set_current_device",
]


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES | set(_NAMES))
