"""What the array API standard asks a namespace about itself."""

import numpy as np

from lanewise import _core

__all__ = ["__array_api_version__", "__array_namespace_info__"]

__array_api_version__ = "2025.12"

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]


class __array_namespace_info__:
    """Facts about the namespace: its capabilities, devices and dtypes."""

    __module__ = "lanewise"

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        return _core.current_device()

    def devices(self):
        return list(_core.devices())

    def default_dtypes(self, *, device=None):
        return {
            "real floating": np.dtype(np.float64),
            "complex floating": np.dtype(np.complex128),
            "integral": np.dtype(np.int64),
            "indexing": np.dtype(np.int64),
        }

    def dtypes(self, *, device=None, kind=None):
        """Names and dtypes, of all or of one kind (or several) as `isdtype` has them."""
        kinds = ("bool", "numeric") if kind is None else (kind,) if isinstance(kind, str) else kind
        if unknown := [one for one in kinds if one not in _KINDS]:
            raise ValueError(f"there are no kinds of dtypes {unknown}; there are {', '.join(_KINDS)}")
        return {name: np.dtype(name) for one in kinds for name in _KINDS[one]}
