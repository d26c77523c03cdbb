"""The functions of libdevice, NVIDIA's math library, by their names without the prefix `__nv_`: `libdevice.rsqrtf(x)`.
They exist only inside kernels."""

from lanewise import _core
from lanewise.cuda.intrinsics import Intrinsic

_PREFIX = "libdevice."


def __getattr__(name):
    if not name.startswith("_") and _PREFIX + name in _core.builtin_names(_PREFIX):
        intrinsic = globals()[name] = Intrinsic(_PREFIX + name, "(...)", f"libdevice's __nv_{name}.")
        return intrinsic
    raise AttributeError(f"libdevice has no function {name!r} that kernels can call")


def __dir__():
    return sorted(name.removeprefix(_PREFIX) for name in _core.builtin_names(_PREFIX))
