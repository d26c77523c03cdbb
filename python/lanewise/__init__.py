"""lanewise: GPU programming from Python on one compiled core, for NVIDIA GPUs and for the CPU.

`lanewise` itself is the namespace of arrays: `import lanewise as lw` as `import numpy as np`. `lanewise.cuda` is the
kernel language and its host API; `RawKernel` and `RawModule` take kernels in CUDA C++.
`lanewise.compat` holds the faces under which scripts written for other libraries run unchanged
(`lanewise run script.py`).
"""

import importlib

__version__ = "0.1.0"

# Submodules are imported when first used: `import lanewise` itself loads nothing else.
_SUBMODULES = frozenset(
    {"arrays", "cli", "compat", "config", "cuda", "errors", "expressions", "info", "libdevice_path", "raw", "run"}
)
_NAMES = {
    "CompileError": "errors",
    "ElementwiseKernel": "expressions",
    "RawKernel": "raw",
    "RawModule": "raw",
    "ReductionKernel": "expressions",
    "current_device": "_core",
    "device": "_core",
    "devices": "_core",
    "fuse": "expressions",
    "set_current_device": "_core",
    "vectorize": "expressions",
}

# Names of `lanewise.arrays` that begin with an underscore and are `lanewise`'s too.
_ARRAY_API_NAMES = ("__array_api_version__", "__array_namespace_info__")

__all__ = [
    "CompileError",
    "ElementwiseKernel",
    "RawKernel",
    "RawModule",
    "ReductionKernel",
    "__version__",
    "arrays",
    "compat",
    "cuda",
    "current_device",
    "device",
    "devices",
    "errors",
    "expressions",
    "fuse",
    "raw",
    "set_current_device",
    "vectorize",
]


def __getattr__(name):
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    if not name.startswith("_") or name in _ARRAY_API_NAMES:
        arrays = importlib.import_module(f"{__name__}.arrays")
        if name in arrays.__all__:
            value = globals()[name] = getattr(arrays, name)
            return value
        if text := arrays.not_there_yet(name):
            raise AttributeError(text)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    arrays = importlib.import_module(f"{__name__}.arrays")
    return sorted(set(globals()) | _SUBMODULES | set(_NAMES) | set(arrays.__all__))
