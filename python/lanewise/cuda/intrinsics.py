"""What exists only inside kernels: stand-ins that the compiler knows by their canonical names.

Each row of the tables is (spelling below `cuda.`, parameters, description). Called on the host, a stand-in says so.
"""

import types as _types


class Intrinsic:
    """A function of the kernel language. `__lanewise_builtin__` is its canonical name."""

    def __init__(self, canonical, parameters=None, description=""):
        self.__lanewise_builtin__ = canonical
        self.__name__ = canonical.rpartition(".")[2]
        self.__qualname__ = canonical
        self.__doc__ = f"{canonical}{parameters or ''}\n\n{description}"

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            f"{self.__lanewise_builtin__} exists only inside kernels: call it in a function decorated with @cuda.jit"
        )

    def __repr__(self):
        return f"<kernel intrinsic {self.__lanewise_builtin__}>"

    def __reduce__(self):
        return _find, (self.__lanewise_builtin__,)


class IntrinsicValue(Intrinsic):
    """A value of the kernel language, such as `cuda.threadIdx`."""

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self.__lanewise_builtin__} is a value that exists only inside kernels; it cannot be called")

    def __getattr__(self, name):
        if name in ("x", "y", "z"):
            raise AttributeError(
                f"{self.__lanewise_builtin__}.{name} exists only inside kernels: "
                "use it in a function decorated with @cuda.jit"
            )
        raise AttributeError(f"{self!r} has no attribute {name!r}")


def _find(canonical):
    found = _ALL.get(canonical)
    if found is None:
        from . import libdevice

        found = getattr(libdevice, canonical.rpartition(".")[2])
    return found


VALUES = [
    ("threadIdx", "Index of this thread in its block: .x, .y, .z, int32."),
    ("blockIdx", "Index of this block in the grid: .x, .y, .z, int32."),
    ("blockDim", "Extent of the block in threads: .x, .y, .z, int32."),
    ("gridDim", "Extent of the grid in blocks: .x, .y, .z, int32."),
    ("laneid", "Index of this thread in its warp, int32."),
    ("warpsize", "Threads in a warp: 32, int32."),
]

FUNCTIONS = [
    (
        "grid",
        "(ndim)",
        "Absolute position of this thread in the grid: an int64, or a tuple of ndim (a literal 1, 2 or 3).",
    ),
    (
        "gridsize",
        "(ndim)",
        "Absolute extent of the grid in threads: an int64, or a tuple of ndim (a literal 1, 2 or 3).",
    ),
    ("syncthreads", "()", "Waits for all threads of the block; their memory accesses before it are visible after it."),
    ("syncthreads_count", "(predicate)", "As syncthreads; the number of threads whose predicate is true."),
    ("syncthreads_and", "(predicate)", "As syncthreads; non-zero when the predicate is true in all threads."),
    ("syncthreads_or", "(predicate)", "As syncthreads; non-zero when the predicate is true in any thread."),
    ("syncwarp", "(mask=0xffffffff)", "Waits for the threads of the warp that the mask names."),
    ("threadfence", "()", "Orders this thread's memory accesses as seen by the device."),
    ("threadfence_block", "()", "Orders this thread's memory accesses as seen by its block."),
    ("threadfence_system", "()", "Orders this thread's memory accesses as seen by all devices and the host."),
    ("shfl_sync", "(mask, value, src_lane)", "The value that lane src_lane gives."),
    ("shfl_up_sync", "(mask, value, delta)", "The value of the lane delta below; own value where there is none."),
    ("shfl_down_sync", "(mask, value, delta)", "The value of the lane delta above; own value where there is none."),
    ("shfl_xor_sync", "(mask, value, lane_mask)", "The value of the lane whose index is own index ^ lane_mask."),
    ("all_sync", "(mask, predicate)", "True when the predicate is true in all threads of the mask."),
    ("any_sync", "(mask, predicate)", "True when the predicate is true in any thread of the mask."),
    ("eq_sync", "(mask, predicate)", "True when the predicate is the same in all threads of the mask."),
    ("ballot_sync", "(mask, predicate)", "The threads of the mask whose predicate is true, as bits."),
    ("match_any_sync", "(mask, value)", "The threads of the mask that hold the same value, as bits."),
    (
        "match_all_sync",
        "(mask, value)",
        "(mask, True) when all threads of the mask hold the same value, else (0, False).",
    ),
    ("activemask", "()", "The threads of the warp that are active, as bits."),
    ("lanemask_lt", "()", "The lanes below this one, as bits."),
    ("popc", "(x)", "The number of bits set."),
    ("brev", "(x)", "The bits in reverse order."),
    ("clz", "(x)", "The number of leading zero bits."),
    ("ffs", "(x)", "The position of the lowest bit set, counted from 1; 0 for 0."),
    ("cbrt", "(x)", "The cube root."),
    ("fma", "(a, b, c)", "a * b + c with one rounding."),
    ("selp", "(c, a, b)", "a where c is true, else b, without a branch."),
    ("clock64", "()", "The multiprocessor's cycle counter, int64."),
    ("globaltimer", "()", "The device's clock in nanoseconds, int64."),
    ("nanosleep", "(ns)", "Suspends the thread for about ns nanoseconds."),
    ("clock64", "()", "The multiprocessor's cycle counter, int64."),
    ("globaltimer", "()", "Nanoseconds of a clock that all multiprocessors share, int64."),
    ("breakpoint", "()", "Stops a debugger here."),
    ("ldca", "(array, index)", "A load cached at all levels."),
    ("ldcg", "(array, index)", "A load cached in L2 only."),
    ("ldcs", "(array, index)", "A load of data that is likely used once."),
    ("ldlu", "(array, index)", "A load of data that is used the last time."),
    ("ldcv", "(array, index)", "A load that does not use a cache."),
    ("stcg", "(array, index, value)", "A store cached in L2 only."),
    ("stcs", "(array, index, value)", "A store of data that is likely used once."),
    ("stwb", "(array, index, value)", "A store cached at all levels."),
    ("stwt", "(array, index, value)", "A store that writes through to memory."),
]

GROUPS = {
    "shared": [
        (
            "array",
            "(shape, dtype, alignment=None)",
            "An array of the block's shared memory. The shape is a constant; 0: the launch's dynamic shared memory.",
        ),
    ],
    "local": [("array", "(shape, dtype, alignment=None)", "An array of this thread's own. The shape is a constant.")],
    "cg": [("this_grid", "()", "The grid as a group: its sync() waits for all threads of a cooperative launch.")],
    "const": [("array_like", "(array)", "A host array as constant memory.")],
    "atomic": [
        ("add", "(array, index, value)", "array[index] += value; returns the old element."),
        ("sub", "(array, index, value)", "array[index] -= value; returns the old element."),
        ("max", "(array, index, value)", "The larger of element and value, NaN ignored; returns the old element."),
        ("min", "(array, index, value)", "The smaller of element and value, NaN ignored; returns the old element."),
        ("nanmax", "(array, index, value)", "As max, with NaN elements as missing values."),
        ("nanmin", "(array, index, value)", "As min, with NaN elements as missing values."),
        ("and_", "(array, index, value)", "array[index] &= value; returns the old element."),
        ("or_", "(array, index, value)", "array[index] |= value; returns the old element."),
        ("xor", "(array, index, value)", "array[index] ^= value; returns the old element."),
        ("exch", "(array, index, value)", "array[index] = value; returns the old element."),
        ("inc", "(array, index, value)", "array[index] = 0 if it is >= value, else plus 1; returns the old element."),
        ("dec", "(array, index, value)", "array[index] = value if 0 or > value, else - 1; returns the old element."),
        ("cas", "(array, index, old, value)", "array[index] = value if it equals old; returns the old element."),
        ("compare_and_swap", "(array, old, value)", "cas on array[0]."),
    ],
}  # fmt: skip


class Namespace(_types.ModuleType):
    """A group of intrinsics: `cuda.atomic`, `cuda.shared`. A module, so that kernels look its names up as globals'."""

    def __init__(self, name, rows):
        super().__init__(f"lanewise.cuda.{name}", f"The kernel intrinsics cuda.{name}.*")
        self.__all__ = [row[0] for row in rows]
        for spelling, parameters, description in rows:
            intrinsic = Intrinsic(f"cuda.{name}.{spelling}", parameters, description)
            setattr(self, spelling, intrinsic)

    def __repr__(self):
        return f"<kernel intrinsics cuda.{self.__name__.rpartition('.')[2]}.*>"

    def __reduce__(self):
        return _namespace, (self.__name__.rpartition(".")[2],)


def _namespace(name):
    return globals()[name]


for _name, _description in VALUES:
    globals()[_name] = IntrinsicValue(f"cuda.{_name}", None, _description)
for _name, _parameters, _description in FUNCTIONS:
    globals()[_name] = Intrinsic(f"cuda.{_name}", _parameters, _description)
for _name, _rows in GROUPS.items():
    globals()[_name] = Namespace(_name, _rows)

#: Every name that `lanewise.cuda` exports from here.
NAMES = [row[0] for row in VALUES] + [row[0] for row in FUNCTIONS] + list(GROUPS)
_ALL = {f"cuda.{name}": globals()[name] for name in NAMES if isinstance(globals()[name], Intrinsic)} | {
    f"cuda.{group}.{row[0]}": getattr(globals()[group], row[0]) for group, rows in GROUPS.items() for row in rows
}
__all__ = NAMES
