"""From the keyword arguments of `cuda.jit` to the core's compile options."""

import warnings

from lanewise import _core, config
from lanewise.errors import InvalidConfigWarning, OptionError

_CARVEOUTS = {"default": -1, "maxl1": 0, "maxshared": 100}
_FASTMATH_FLAGS = frozenset({"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"})
_REMOVED = ("argtypes", "restype", "bind")


def removed(options):
    """OptionError for options that Numba had once."""
    for name in _REMOVED:
        if options.pop(name, None) is not None:
            raise OptionError(
                f"Deprecated keyword argument `{name}`. Signatures should be passed as the first positional argument."
            )


def carveout(value):
    """-1 to 100 from what `shared_memory_carveout` may be."""
    if value is None:
        return -1
    if isinstance(value, str):
        if value.lower() not in _CARVEOUTS:
            raise ValueError(f"shared_memory_carveout: {value!r} is none of {sorted(_CARVEOUTS)}")
        return _CARVEOUTS[value.lower()]
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"shared_memory_carveout must be an int or a str, not {type(value).__name__}")
    if not -1 <= value <= 100:
        raise ValueError(f"shared_memory_carveout must be in -1..100, not {value}")
    return value


def _launch_bounds(value):
    if value is None:
        return 0, 0, 0
    bounds = (value,) if isinstance(value, int) else tuple(value)
    if not 1 <= len(bounds) <= 3:
        raise ValueError(
            "launch_bounds is the maximum number of threads in a block, or a tuple of it, the minimum number of blocks "
            f"on a multiprocessor and the maximum number of blocks in a cluster; got {value!r}"
        )
    if not all(isinstance(bound, int) and bound >= 0 for bound in bounds):
        raise ValueError(f"launch_bounds must be non-negative integers; got {value!r}")
    return (*bounds, 0, 0)[:3]


def _fastmath(value):
    if isinstance(value, (set, frozenset)):
        unknown = value - _FASTMATH_FLAGS
        if unknown:
            raise ValueError(f"fastmath: unknown flags {sorted(unknown)}; there are: {sorted(_FASTMATH_FLAGS)}")
    return bool(value)


def make(
    *,
    debug=None,
    opt=None,
    lineinfo=False,
    fastmath=False,
    max_registers=None,
    launch_bounds=None,
    boundscheck=None,
    literals="numba",
):
    """The core's options; warns about contradictions."""
    if debug and opt:
        warnings.warn(
            "debug=True with opt=True is not supported by CUDA. This may result in a crash"
            " - set debug=False or opt=False.",
            InvalidConfigWarning,
            stacklevel=4,
        )
    debug = bool(config.get("CUDA_DEBUGINFO")) if debug is None else bool(debug)
    if debug and lineinfo:
        warnings.warn(
            "debug and lineinfo are mutually exclusive. Use debug to get full debug info "
            "(this disables some optimizations), or lineinfo for line info only with code generation unaffected.",
            InvalidConfigWarning,
            stacklevel=4,
        )
    if opt is None:
        opt = config.get("OPT")
    elif isinstance(opt, bool):
        opt = 3 if opt else 0
    if not isinstance(opt, int) or not 0 <= opt <= 3:
        raise ValueError(f"opt is a bool or a level 0 to 3, not {opt!r}")
    if literals not in ("numba", "weak"):
        raise ValueError(
            "literals is 'numba' (Python literals are int64 and float64) or 'weak' (they do not widen float32), "
            f"not {literals!r}"
        )
    if max_registers is not None and (not isinstance(max_registers, int) or max_registers < 0):
        raise ValueError(f"max_registers is a non-negative int, not {max_registers!r}")
    threads, blocks, cluster = _launch_bounds(launch_bounds)
    if boundscheck is None:
        boundscheck = config.get("BOUNDSCHECK") or "bounds" in config.get("CHECK")
    return _core.Options(
        weak_literals=literals == "weak",
        debug=debug,
        bounds_check=bool(boundscheck),
        opt_level=opt,
        fastmath=_fastmath(fastmath),
        line_info=bool(lineinfo),
        max_registers=max_registers or 0,
        max_threads_per_block=threads,
        min_blocks_per_multiprocessor=blocks,
        max_cluster_blocks=cluster,
    )
