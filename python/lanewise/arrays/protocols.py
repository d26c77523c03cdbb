"""How NumPy's functions, called with arrays of lanewise, become calls of lanewise's own, by name."""

import importlib

import numpy as np

from lanewise import _core

API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

# Functions of NumPy that are planned, by the part of the namespace they belong to.
PLANNED = {
    "sorting and searching": (
        *("sort", "argsort", "lexsort", "partition", "argpartition", "sort_complex", "searchsorted", "digitize"),
        *("median", "nanmedian", "percentile", "nanpercentile", "quantile", "nanquantile", "interp"),
        *("histogram", "histogram2d", "histogramdd", "histogram_bin_edges"),
    ),
    "sets": (
        *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "isin", "intersect1d"),
        *("setdiff1d", "setxor1d", "union1d"),
    ),
    "linear algebra": ("linalg",),
    "Fourier transforms": ("fft",),
    "random numbers": ("random",),
    "polynomials": (
        *("polynomial", "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub"),
        *("polyval", "roots"),
    ),
    "convolution": ("convolve", "correlate"),
}
_PART_OF = {name: part for part, names in PLANNED.items() for name in names}


def not_there_yet(name):
    """The text of the error for a planned name; None for other names."""
    part = _PART_OF.get(name)
    return None if part is None else f"lanewise.{name} is not there yet ({part})"


def namespace_of_version(version):
    """The namespace of a version of the array API standard; None: the newest."""
    if version is not None and version not in API_VERSIONS:
        raise ValueError(f"there is no version {version!r} of the array API here; there are {', '.join(API_VERSIONS)}")
    return importlib.import_module("lanewise")


def leaves_to_others(types, protocol):
    """True when NumPy shall ask a class that wraps arrays of any library (dask's, xarray's) and knows what to do."""
    return any(
        getattr(cls, protocol, None) is not None and not issubclass(cls, (_core.Array, np.ndarray, np.generic))
        for cls in types
    )


def _host_argument(value):
    return isinstance(value, np.ndarray) and value.ndim > 0


def call_ufunc(ufunc, method, inputs, kwargs):
    """numpy.ufunc.method(*inputs, **kwargs) with our function of the same name."""
    outs = kwargs.get("out", ())
    if any(out is not None and not isinstance(out, _core.Array) for out in outs):
        raise TypeError(f"numpy.{ufunc.__name__}: out must be an array on a device when operands are")
    if any(map(_host_argument, inputs)):
        raise TypeError(
            f"numpy.{ufunc.__name__}: operands are a NumPy array and an array on a device; "
            "lanewise.asarray(x) copies the former to the device, lanewise.asnumpy(x) the latter to the host"
        )
    if len(outs) == 1:
        kwargs["out"] = outs[0]
    ours = _core.ufuncs.get(ufunc.__name__)
    if ours is not None:
        return (ours if method == "__call__" else getattr(ours, method))(*inputs, **kwargs)
    function = getattr(_functions(), ufunc.__name__, None)
    if function is None or method != "__call__":
        raise TypeError(f"lanewise has no numpy.{ufunc.__name__}{'' if method == '__call__' else '.' + method}")
    return function(*inputs, **kwargs)


def _functions():
    return importlib.import_module("lanewise.arrays")


def call_function(func, args, kwargs):
    """numpy.func(*args, **kwargs) with our function of the same name."""
    name = f"{func.__module__}.{func.__name__}"
    function = importlib.import_module("lanewise")
    for part in name.split(".")[1:]:
        function = getattr(function, part, None)
    if function is not None:
        return function(*args, **kwargs)
    raise TypeError(f"lanewise has no {name}; lanewise.asnumpy(x) copies an array to the host, where {name} takes it")
