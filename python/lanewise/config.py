"""Settings, read from the environment as LANEWISE_NAME, else as NUMBA_NAME, when first asked for; assignable.

The core reads its own few (LANEWISE_DEVICE, LANEWISE_CACHE_DIR, ...); these are those that the Python side decides by.
"""

import os
import sys
import types


def _flag(text):
    return int(text) if text.strip().lstrip("-").isdigit() else int(text.strip().lower() in ("true", "yes", "on"))


def _capability(text):
    major, _, minor = text.replace(" ", "").strip("()").replace(",", ".").partition(".")
    return int(major), int(minor or 0)


_CHECKS = ("bounds",)


def _checks(text):
    """The checks that `LANEWISE_CHECK=bounds` turns on in all kernels."""
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    if not names <= frozenset(_CHECKS):
        raise ValueError(text)
    return names


# name: (default, how to read the text)
_SETTINGS = {
    "CUDA_WARN_ON_IMPLICIT_COPY": (1, _flag),
    "CUDA_LOW_OCCUPANCY_WARNINGS": (1, _flag),
    "DISABLE_PERFORMANCE_WARNINGS": (0, _flag),
    "WARN_FLOAT64": (1, _flag),
    "CUDA_ARRAY_INTERFACE_SYNC": (1, _flag),
    "CUDA_DEFAULT_PTX_CC": ((7, 5), _capability),
    "FORCE_CUDA_CC": (None, _capability),
    "CUDA_DEBUGINFO": (0, _flag),
    "OPT": (3, lambda text: 3 if text.strip() == "max" else _flag(text)),
    "BOUNDSCHECK": (0, _flag),
    "CHECK": (frozenset(), _checks),
    "DISABLE_CUDA": (0, _flag),
    "ENABLE_CUDASIM": (0, _flag),
    "CUDA_PER_THREAD_DEFAULT_STREAM": (0, _flag),
}

# Other names of the same settings.
_ALIASES = {"CUDA_DEBUGINFO_DEFAULT": "CUDA_DEBUGINFO"}

_values = {}


def get(name):
    """The value of a setting; AttributeError when there is none of this name."""
    name = _ALIASES.get(name, name)
    if name in _values:
        return _values[name]
    if name not in _SETTINGS:
        raise AttributeError(f"there is no setting {name}; there are: {', '.join(sorted(_SETTINGS))}")
    default, read = _SETTINGS[name]
    value = default
    for variable in (f"LANEWISE_{name}", f"NUMBA_{name}"):
        text = os.environ.get(variable)
        if text:
            try:
                value = read(text)
            except ValueError:
                raise ValueError(f"cannot read the environment variable {variable}={text!r}") from None
            break
    _values[name] = value
    return value


def set(name, value):
    """Overrides a setting for this process."""
    name = _ALIASES.get(name, name)
    if name not in _SETTINGS:
        raise AttributeError(f"there is no setting {name}; there are: {', '.join(sorted(_SETTINGS))}")
    _values[name] = value


def names():
    return sorted(_SETTINGS)


def reload():
    """Forgets what was read and set: the environment is read again."""
    _values.clear()


class _Settings(types.ModuleType):
    """This module, with the settings as attributes that can be read and assigned: `config.OPT = 0`."""

    def __getattr__(self, name):
        if name.isupper():
            return get(name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name.isupper() and not name.startswith("_"):
            set(name, value)
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Settings
