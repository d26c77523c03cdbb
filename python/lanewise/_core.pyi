"""The compiled core: devices, memory, arrays, kernels. `lanewise` and its faces are thin layers over this module.

Conventions
- A *stream* argument is a `Stream`, or None or 0 for the current stream of the device concerned. Objects with
  `__cuda_stream__`, `__lanewise_stream__` (a `Stream`) or an integer `cuda_stream`, `ptr` or `handle` are taken as well.
- A *dtype* argument is anything `numpy.dtype` takes (bfloat16 through ml_dtypes when that is loaded).
- Arrays never copy behind the caller's back, but for host arrays given to a kernel on a CUDA device.
- Every class is safe to use from several threads.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np

__version__: str

# --------------------------------------------------------------------------------------------------------- exceptions
# Errors of kind Value, Type, Index, Overflow, ZeroDivision, Assertion and NotImplemented raise the builtin classes.
# A kernel that raised (raise, assert, bounds check) raises the builtin class it named, with thread and block in the text.

class LanewiseError(Exception):
    """Base of the classes below."""

class InternalError(LanewiseError, RuntimeError): ...
class OutOfMemoryError(LanewiseError, MemoryError): ...

class DriverError(LanewiseError, RuntimeError):
    code: int
    """CUresult."""

class DeviceUnavailable(LanewiseError, ImportError): ...
class TypingError(LanewiseError, TypeError): ...
class LoweringError(LanewiseError): ...
class UnsupportedError(LanewiseError): ...

class CompileError(LanewiseError, RuntimeError):
    log: str
    """What the compiler or linker printed."""

class KernelRuntimeError(LanewiseError, RuntimeError):
    """A kernel raised a class that is no builtin exception."""

    python_class: str

def set_warning_hook(hook: Callable[[str, str], None] | None) -> None:
    """`hook(category, text)` is called for warnings; it may raise. Categories: "host-copy" (a NumPy array given to a
    kernel is copied to the device and back), "occupancy" (a grid too small for a GPU), "float64" (float32 code promoted),
    "compile" (other compiler messages). Without a hook: `warnings.warn(text, UserWarning)`."""

def set_array_class(cls: type[Array]) -> None:
    """The subclass of Array that functions of this module make when no class is at hand (`asarray`, `from_dlpack`)."""

# ------------------------------------------------------------------------------------------------------------- devices

class Device:
    """One device; equal by identity, lives to the end of the process."""

    name: str
    """ "cpu", "cuda:0"."""
    kind: str
    """ "cpu" or "cuda"."""
    model: str
    ordinal: int
    """CUDA ordinal; 0 for the cpu device."""
    uuid: bytes
    target: str
    default_stream: Stream
    per_thread_stream: Stream
    compute_capability: tuple[int, int]
    """Of the cpu device that of the GPU whose programs it runs: (9, 0)."""
    attribute_names: ClassVar[tuple[str, ...]]
    """Names `attribute` takes: "max_threads_per_block", "warp_size", "multiprocessor_count", ..."""
    cuda_attributes: ClassVar[dict[str, int]]
    """CUDA's names and numbers of the same attributes: "MAX_THREADS_PER_BLOCK": 1, ..."""

    def attribute(self, which: str | int) -> int:
        """By name or by CUDA's number. The cpu device answers 0 to those it has no notion of; DriverError for a number
        that a GPU's driver does not know."""
    def limit(self, which: str | int) -> int:
        """What kernels may use of the device, by name or by CUDA's number: "stack_size", "printf_fifo_size", "malloc_heap_size",
        "runtime_sync_depth", "runtime_pending_launches", "max_l2_fetch_granularity", "persisting_l2_cache_size"."""
    def set_limit(self, which: str | int, value: int) -> None: ...
    cache_preference: str
    """What kernels would rather have: "none", "shared" memory, "l1" cache or "equal" parts. A hint."""
    stream_priorities: tuple[int, int]
    """(least, greatest); the greatest is the smallest number."""
    context_handle: int
    """CUcontext as an integer; an opaque number on cpu."""
    context_version: int
    """Version of the context's interface; 0 on cpu."""
    def can_access_peer(self, peer: Device) -> bool:
        """Whether kernels of this device can use the memory of `peer` once enable_peer_access has been called."""
    def enable_peer_access(self, peer: Device) -> None: ...
    def disable_peer_access(self, peer: Device) -> None: ...
    def allocation_at(self, pointer: int) -> tuple[int, int]:
        """(start, bytes) of the driver's allocation that an address lies in. NotImplementedError on cpu."""
    def start_profiler(self) -> None:
        """What a profiler that waits for it records begins; nothing without one."""
    def stop_profiler(self) -> None: ...
    def memory_info(self) -> tuple[int, int]:
        """(free, total) bytes."""
    def pool_statistics(self) -> dict[str, int]:
        """used_bytes, held_bytes, peak_used_bytes, limit_bytes, allocations, device_allocations."""
    def pool_trim(self) -> int:
        """Gives free blocks back to the device; returns the bytes given back."""
    def pool_set_limit(self, bytes: int) -> None: ...
    def create_stream(self, *, blocking: bool = True, priority: int = 0) -> Stream: ...
    def external_stream(self, handle: int) -> Stream: ...
    def create_event(self, *, timing: bool = True, blocking_sync: bool = False) -> Event: ...
    def synchronize(self) -> None: ...
    def make_current(self) -> None: ...
    def register_host(self, array: np.ndarray) -> HostRegistration:
        """Page-locks the memory of a NumPy array until the registration is closed."""
    def owns_address(self, pointer: int) -> bool: ...

class HostRegistration:
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...

def devices() -> tuple[Device, ...]:
    """CUDA devices in ordinal order, the cpu device last."""

def device(name: str | int | Device | None = None) -> Device:
    """By name ("cpu", "cuda", "cuda:1") or position among the CUDA devices; None: the current device.
    DeviceUnavailable says which there are."""

def current_device() -> Device: ...
def set_current_device(device: Device) -> Device:
    """For the calling thread; returns the one before."""

def current_stream(device: Device | None = None) -> Stream: ...
def set_current_stream(stream: Stream) -> Stream:
    """For the calling thread and the stream's device; returns the one before."""

def cuda_unavailable_reason() -> str:
    """One line on why there is no CUDA device; "" when there is one."""

def cuda_driver_version() -> int:
    """The newest CUDA version the driver supports, 12040 for 12.4; 0 without a driver."""

def cuda_error_text(code: int) -> str:
    """The driver's text for a CUresult; "error N" where nobody knows it."""

class PoolDeferral:
    """Context manager: memory released inside is kept until the end (numba's defer_cleanup)."""

    def __init__(self, device: Device | None = None) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...

class Stream:
    """An in-order queue of work. Equal when device and handle are equal; hashable."""

    device: Device
    handle: int
    """CUstream as an integer (0 null, 1 legacy, 2 per-thread); an opaque id on cpu."""
    kind: str
    """ "owned", "null", "legacy", "per-thread" or "external"."""

    def attach(self, memory: int, use: int) -> None:
        """Says who uses a managed allocation: 1 all, 2 the host, 4 this stream. A hint."""
    def synchronize(self) -> None:
        """Waits, then raises what the device or a kernel reported."""
    def query(self) -> bool: ...
    def record(self, event: Event | None = None) -> Event: ...
    def wait(self, event: Event) -> None:
        """Later work waits for what the event has recorded. Like the calls above and below, this launches the pending
        operations of the stream first."""
    def host_call(self, function: Callable[[], None]) -> None:
        """Runs `function` on a runtime thread after all earlier work; an exception in it is printed as unraisable."""
    def begin_capture(self, mode: str | int = "relaxed") -> None:
        """From now on the stream's work is recorded instead of run, and that of streams that wait for an event of it. The
        mode says what is refused meanwhile: calls that might wait for other streams to all threads ("global", 0), to this
        thread ("thread_local", 1), or to nobody ("relaxed", 2). What is pending on arrays is computed before.
        DriverError for the legacy default stream, and when it is captured already."""
    def end_capture(self, graph: Graph | None = None) -> Graph:
        """The recorded work, with what is pending on the stream; in `graph` if given. The stream and those that joined run
        work again, also when this raises: DriverError when something was done that cannot be captured, or when the
        stream does not wait for the last work of another one. On a stream that no capture began on it changes nothing."""
    def is_capturing(self) -> bool: ...
    def __enter__(self) -> Stream:
        """Makes it the thread's current stream of its device, to the end of the block."""
    def __exit__(self, *exc: object) -> None: ...
    def __int__(self) -> int: ...
    def __cuda_stream__(self) -> tuple[int, int]: ...

class Graph:
    """Captured work. It keeps the kernels and arrays that the work uses, and the memory that was allocated during the
    capture. Empty when made by hand, for Stream.end_capture(graph)."""

    device: Device
    def __init__(self) -> None: ...
    def launch(self, stream: Any = None) -> None:
        """Puts the work on the stream, behind what is pending on arrays and behind the graph's launch before."""
    def upload(self, stream: Any = None) -> None:
        """Does beforehand what the first launch would do besides."""
    def __len__(self) -> int:
        """The number of operations."""

class Event:
    device: Device
    handle: int
    def query(self) -> bool: ...
    def synchronize(self) -> None: ...
    def elapsed_ms(self, start: Event) -> float:
        """Milliseconds from `start` to this event."""

# -------------------------------------------------------------------------------------------------------------- memory

class Buffer:
    """A reference-counted block of memory. Subclass it freely.

    `Buffer(...)` is memory that is used by its address: device memory of this kind goes back to the pool behind the work
    that the default stream and all tracked streams have then (`track_raw_stream`)."""

    def __init__(
        self, size: int, kind: str = "device", *, stream: Stream | None = None, device: Device | None = None
    ) -> None: ...
    def release(self) -> None:
        """Gives the memory back now; later uses of this object raise ValueError."""
    def order_after_uses(self, stream: Stream | None = None) -> None:
        """Later work on the stream follows the work of arrays and launches that have used the memory."""
    released: bool
    pointer: int
    """Address for kernels."""
    host_pointer: int
    """Address for the host; 0 when it cannot touch this memory."""
    size: int
    device: Device
    kind: str
    """ "device", "pinned", "mapped" or "managed"."""

    @staticmethod
    def allocate(size: int, *, stream: Stream | None = None, device: Device | None = None) -> Buffer: ...
    @staticmethod
    def allocate_host(size: int, kind: str = "pinned", *, device: Device | None = None) -> Buffer:
        """kind: "pinned", "mapped" or "managed"."""
    @staticmethod
    def foreign(
        pointer: int, size: int, *, owner: object = None, kind: str = "device", device: Device | None = None
    ) -> Buffer:
        """Somebody else's memory; `owner` is kept alive."""
    @staticmethod
    def open(handle: bytes, *, device: Device | None = None) -> Buffer:
        """The memory that another process has given a handle of (export_memory), to the end of its allocation. Closed
        when the buffer is released, after the work on it. ValueError for bytes that are no handle, DriverError when it
        cannot be opened, NotImplementedError on cpu."""
    def numpy(
        self,
        shape: int | Sequence[int],
        dtype: Any = ...,
        *,
        strides: Sequence[int] | None = None,
        order: str = "C",
        offset: int = 0,
    ) -> np.ndarray:
        """Host memory of this buffer (pinned, mapped, managed, or any buffer of the cpu device) as a NumPy array that
        keeps it alive. Kernels take such an array of mapped or managed memory (and views of it) without a copy."""
    def array(self, dtype: Any, shape: int | Sequence[int] | None = None) -> Array:
        """The memory as a C contiguous array; one-dimensional and of all of it unless `shape` is given."""

def set_allocator(
    function: Callable[[int, Stream], tuple[Buffer, int, object]] | None, *, thread: bool = False
) -> None:
    """Where arrays get their memory from, of all threads or of the calling one: `function(size, stream)` gives a Buffer,
    the offset in it, and an object that is kept while the memory is used. None: from the pool, or as all threads do.
    It is called while arrays are computed, so it must not need the elements of arrays itself."""

def is_allocating() -> bool:
    """True within a call of an allocator."""

def export_memory(memory: Any, *, device: Device | None = None) -> bytes:
    """A handle by which other processes open the memory at an address (below), valid while it is allocated. Computes
    pending arrays and waits for the device's work. NotImplementedError on cpu."""

# By raw address. An *address* is a Buffer (its size is checked), an Array, or anything with `__index__`; host memory is any
# contiguous object with the buffer protocol. TypeError for others; DriverError (CUDA_ERROR_INVALID_VALUE) for address 0
# and for what does not fit.

def track_raw_stream(stream: Stream) -> None:
    """Work on the stream may use memory by its address."""

def record_raw_work(device: Device | None = None) -> list[Event]:
    """Events behind the work of the default stream and all tracked streams."""

def raw_copy_to_device(target: Any, source: Any, stream: Stream | None = None, wait: bool = True) -> None:
    """The source has been read on return if it is pageable memory, or with `wait`."""

def raw_copy_to_host(target: Any, source: Any, stream: Stream | None = None, wait: bool = True) -> None:
    """Complete on return if the target is pageable memory, or with `wait`."""

def raw_copy(target: Any, source: Any, bytes: int, stream: Stream | None = None) -> None:
    """On the device, or between devices with peer access; asynchronous."""

def raw_fill(
    target: Any,
    pattern: int,
    width: int,
    columns: int,
    rows: int = 1,
    pitch: int = 0,
    stream: Stream | None = None,
) -> None:
    """Elements of `width` (1, 2, 4 or 8) bytes; the rows are `pitch` bytes apart. Asynchronous."""

def raw_copy_box(
    target: int,
    source: int,
    shape: Sequence[int],
    target_strides: Sequence[int],
    source_strides: Sequence[int],
    *,
    target_on_host: bool = False,
    source_on_host: bool = False,
    stream: Stream | None = None,
    wait: bool = True,
) -> None:
    """A box of bytes, slowest axis first, between two layouts; the last axis is a run of bytes (strides 1)."""

def host_address(object: Any, writable: bool = False) -> tuple[int, int]:
    """(address, bytes) of host memory."""

class Array:
    """An n-dimensional array on a device. Subclass it freely; methods return the class of `self`.

    Basic indexing gives views that share the buffer."""

    __array_priority__: ClassVar[float]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    dtype: np.dtype
    ndim: int
    size: int
    itemsize: int
    nbytes: int
    """size * itemsize."""
    pointer: int
    """Device address of the first element; 0 when size is 0. Operations on the array are computed at once from now
    on, as the memory may be written to at any time."""
    address: int
    """The same for work that is put on the current stream now."""
    buffer: Buffer
    device: Device
    stream: Stream
    """What computes the elements, or where the memory was made. Operations run on the current stream, whichever it
    is."""
    is_c_contiguous: bool
    is_f_contiguous: bool
    read_only: bool
    T: Self

    @classmethod
    def empty(
        cls,
        shape: int | Sequence[int],
        dtype: Any = np.float64,
        *,
        order: str = "C",
        strides: Sequence[int] | None = None,
        stream: Stream | None = None,
        device: Device | None = None,
    ) -> Self:
        """With `strides` (bytes, none negative) the buffer is as large as they need."""
    @classmethod
    def from_host(
        cls, source: Any, *, stream: Stream | None = None, device: Device | None = None, dtype: Any = None
    ) -> Self:
        """A copy of anything `numpy.asarray` takes. C or F contiguous sources keep their strides, others become C.
        Pageable memory may be changed at once; pinned memory must stay unchanged until the stream has passed."""
    @classmethod
    def from_buffer(
        cls,
        buffer: Buffer,
        shape: int | Sequence[int],
        dtype: Any = np.float64,
        *,
        strides: Sequence[int] | None = None,
        offset: int = 0,
        order: str = "C",
        read_only: bool = False,
    ) -> Self:
        """ValueError when the elements do not fit into the buffer."""
    @classmethod
    def from_interface(cls, interface: dict[str, Any] | Any, *, owner: object = None, sync: bool = True) -> Self:
        """From a `__cuda_array_interface__` dict, or an object that has one (then the owner). With `sync` the current
        stream waits for the producer's stream. TypeError without an interface, NotImplementedError with a mask."""
    @classmethod
    def from_dlpack(cls, source: Any, *, stream: Stream | None = None) -> Self:
        """A view of any object with `__dlpack__` on one of our devices, or of what a DLPack capsule holds; ValueError for
        a capsule that was consumed before."""
    @classmethod
    def wrap(cls, array: Array) -> Self:
        """The same memory as an instance of this class."""

    def to_host(self, out: np.ndarray | None = None, *, stream: Stream | None = None) -> np.ndarray:
        """Copies to `out` (same shape and dtype, any strides) or a new array of the same memory order. Returns when the
        copy is complete, unless `out` is pinned memory: then it is asynchronous on the stream."""
    def copy_from(self, source: Any, *, stream: Stream | None = None) -> None:
        """self[...] = source: an Array or something `numpy.asarray` takes; broadcasts; dtypes must be equal for arrays,
        scalars are cast. ValueError when read-only or shapes do not fit."""
    def copy(self, order: str = "K", *, stream: Stream | None = None) -> Self:
        """order: "C", "F", or "K": as it lies."""
    def fill(self, value: Any, *, stream: Stream | None = None) -> None: ...
    def item(self, *index: int) -> Any:
        """One element as a NumPy scalar; waits for the stream."""
    def __getitem__(self, index: Any) -> Any:
        """Ints, slices, Ellipsis, None. A full integer index gives a NumPy scalar (waits), anything else a view."""
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def get_view(self, index: Any) -> Self:
        """As [...], but a full integer index gives a 0-d view."""
    def reshape(self, *shape: int | Sequence[int], order: str = "C") -> Self:
        """A view; ValueError when the sizes differ, NotImplementedError when it would need a copy. -1 is worked out."""
    def ravel(self, order: str = "C") -> Self:
        """A view; NotImplementedError when it would need a copy."""
    def transpose(self, *axes: int | Sequence[int] | None) -> Self: ...
    def squeeze(self, axis: int | Sequence[int] | None = None) -> Self: ...
    def broadcast_to(self, shape: int | Sequence[int]) -> Self:
        """A read-only view."""
    def view(self, dtype: Any = None) -> Self:
        """Another dtype over the same bytes; sizes may differ when the last axis is contiguous (as NumPy's)."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """A host copy; copy=False: ValueError."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3."""
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """A capsule, versioned from `max_version` (1, 0) on. The elements are there when work on `stream` runs (None and 1:
        the legacy default stream, 2: the per-thread one, -1: no order), of the cpu device on return. `dl_device` (1, 0)
        copies to the host. BufferError for what DLPack cannot express, and where copy=False cannot be met."""
    __dlpack_c_exchange_api__: ClassVar[object]
    """The C exchange table of DLPack 1.3, which computes what is pending and makes the current stream wait for it."""
    def __dlpack_device__(self) -> tuple[int, int]: ...

def asarray(obj: Any) -> Array:
    """An Array over device memory of `obj`: an Array as it is, a NumPy array over mapped or managed memory, else
    through the C exchange table of its class, `__dlpack__` or `__cuda_array_interface__`. TypeError otherwise; never copies."""

def is_device_array(obj: Any) -> bool: ...

class HostArgument:
    """Directs the copies of a host array given to a kernel (numba's In, Out, InOut)."""

    array: np.ndarray
    copy_in: bool
    copy_out: bool
    def __init__(self, array: np.ndarray, *, copy_in: bool = True, copy_out: bool = True) -> None: ...

# --------------------------------------------------------------------------------------------------- arrays of numbers
# Operations on ndarrays are recorded and computed when somebody needs the elements (to_host, item, a kernel, an export);
# shapes and dtypes are checked at once. Index errors of arrays used as indices come as IndexError when the stream is next
# waited for.
#
# An *operand* is an Array of any class, a Python bool, int, float or complex (which takes its type from the arrays), a NumPy
# scalar or a 0-d NumPy array (whose dtype counts). NumPy arrays of one and more dimensions and sequences are refused with a
# TypeError: `lanewise.asarray(x)` copies them to the device. They are taken as indices, and as values of `x[i] = value`.
#
# Results have the class of the first ndarray among the operands (of a later one, when that is a subclass of it), the class
# set by `set_ndarray_class` when there is none. Functions that make arrays of nothing take `cls`.

class ndarray(Array):
    """An array of numbers with NumPy's operators, indexing and methods. Subclass it freely (`__slots__ = ()` keeps views
    cheap; `ndarray.__new__` makes instances of the class it is called on).

    Operators take operands and return NotImplemented for others, but for NumPy arrays and lists (TypeError). `==` and `!=`
    with None and unknown objects give False and True after the other side had its turn, and TypeError for arrays of other
    libraries. `x @ y` is matmul. In-place operators
    write into the array, by "same_kind" casting."""

    __array_priority__: ClassVar[float]

    def __new__(
        cls,
        shape: int | Sequence[int],
        dtype: Any = np.float64,
        buffer: Buffer | Array | None = None,
        offset: int = 0,
        strides: Sequence[int] | None = None,
        order: str | None = None,
        *,
        stream: Stream | None = None,
        device: Device | None = None,
    ) -> Self:
        """Uninitialised, or a view of `buffer`. `__init__` of ndarray takes and ignores any arguments."""

    T: Self
    mT: Self
    """With the last two axes exchanged; ValueError below two dimensions."""
    real: Self
    """Assignable; views of complex arrays, the array itself for others."""
    imag: Self
    flags: Flags
    base: Self | None
    """All of the memory that a view lies in, as one row; None of an array with memory of its own."""
    pending: bool
    """The elements are still to be computed."""

    # Operators and indexing.
    def __getitem__(self, index: Any) -> Self:
        """Ints, slices, Ellipsis, None, and integer or boolean arrays (device arrays, NumPy arrays, lists) as in NumPy.
        Basic indices give views (0-d for a full integer index); arrays give copies, boolean ones wait for the device."""
    def __setitem__(self, index: Any, value: Any) -> None:
        """`value`: an operand, or anything `numpy.asarray` takes; cast to the dtype of the array."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Any: ...
    def __contains__(self, value: Any) -> bool: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int:
        """Of 0-d integer arrays; TypeError otherwise."""

    # Shapes. All take axes as NumPy's methods do; views where possible, else copies.
    def reshape(self, *shape: int | Sequence[int], order: str = "C", copy: bool | None = None) -> Self: ...
    def ravel(self, order: str = "C") -> Self: ...
    def flatten(self, order: str = "C") -> Self:
        """A copy."""
    def transpose(self, *axes: int | Sequence[int] | None) -> Self: ...
    def swapaxes(self, axis1: int, axis2: int) -> Self: ...
    def squeeze(self, axis: int | Sequence[int] | None = None) -> Self: ...
    def view(self, dtype: Any = None, type: type[Array] | None = None) -> Any: ...
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Self:
        """A read-only view."""

    # Elements.
    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Self: ...
    def copy(self, order: str = "C", *, stream: Stream | None = None) -> Self: ...
    def fill(self, value: Any, *, stream: Stream | None = None) -> None: ...
    def take(self, indices: Any, axis: int | None = None, out: Array | None = None, mode: str = "raise") -> Self: ...
    def put(self, indices: Any, values: Any, mode: str = "raise") -> None: ...
    def repeat(self, repeats: Any, axis: int | None = None) -> Self: ...
    def compress(self, condition: Any, axis: int | None = None, out: Array | None = None) -> Self: ...
    def nonzero(self) -> tuple[Self, ...]: ...
    def clip(self, min: Any = None, max: Any = None, out: Array | None = None) -> Self: ...
    def round(self, decimals: int = 0, out: Array | None = None) -> Self: ...
    def conj(self) -> Self: ...
    def conjugate(self) -> Self: ...
    def dot(self, b: Any, out: Array | None = None) -> Self: ...
    def trace(
        self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Array | None = None
    ) -> Self: ...
    def sort(self, axis: int = -1, kind: str | None = None) -> None:
        """NotImplementedError, as argsort, partition, argpartition and searchsorted."""

    # Reductions: arguments as of the functions below.
    def sum(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Self: ...
    def prod(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Self: ...
    def min(
        self, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Self: ...
    def max(
        self, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Self: ...
    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None) -> Self: ...
    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None) -> Self: ...
    def argmin(self, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> Self: ...
    def argmax(self, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> Self: ...
    def mean(
        self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None
    ) -> Self: ...
    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Any = None,
    ) -> Self: ...
    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Any = None,
    ) -> Self: ...
    def ptp(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Self: ...
    def cumsum(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Self: ...
    def cumprod(self, axis: int | None = None, dtype: Any = None, out: Any = None) -> Self: ...

    # To and from the host.
    def get(
        self, stream: Stream | None = None, order: str = "C", out: np.ndarray | None = None, blocking: bool = True
    ) -> np.ndarray:
        """A host copy in C or F order ("A": as it lies), or into `out`. blocking=False does not wait where `out` is pinned."""
    def set(self, ary: Any, stream: Stream | None = None) -> None:
        """self[...] = a host array of the same shape and dtype."""
    def item(self, *index: int) -> bool | int | float | complex:
        """One element as a Python number; waits."""
    def tolist(self) -> Any: ...
    def tobytes(self, order: str = "C") -> bytes: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """On the cpu device a view (unless dtype or copy asks for more); on CUDA devices TypeError: `x.get()` copies."""
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]:
        """By way of host memory, to the default device."""

class Flags:
    """What `ndarray.flags` gives: attributes, and items by NumPy's names ("C_CONTIGUOUS", "C", "W", "FNC", ...)."""

    c_contiguous: bool
    f_contiguous: bool
    owndata: bool
    """The elements are all of their memory, from its start."""
    writeable: bool
    aligned: bool
    fnc: bool
    forc: bool
    def __getitem__(self, name: str) -> bool: ...

def set_ndarray_class(cls: type[ndarray]) -> None:
    """The class of results where no operand is an ndarray."""

def ndarray_class() -> type[ndarray]: ...

class Ufunc:
    """An elementwise function. `__name__`, `__doc__`; pickles by its name; hashable by identity."""

    __name__: str
    nin: int
    nout: int
    nargs: int
    ntypes: int
    types: list[str]
    """ "dd->d", ... with NumPy's type characters ("E": bfloat16)."""
    identity: bool | int | float | None
    signature: None
    @classmethod
    def named(cls, name: str) -> Ufunc: ...
    def __call__(
        self,
        *operands: Any,
        out: Any = None,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
    ) -> Any:
        """`out`: an Array, or a tuple of one (or None) for each result; it may also follow the operands. `where`: a boolean
        operand; where it is False, `out` keeps its elements, and other results have any. A tuple for two results."""
    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        """Of two operands and one result. NotImplementedError when the function is not associative."""
    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any: ...
    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any: ...
    def outer(self, a: Any, b: Any, /, **kwargs: Any) -> Any: ...
    def at(self, a: Array, indices: Any, b: Any = ..., /) -> None:
        """a[indices] = f(a[indices], b), once for each index even where indices repeat."""

ufuncs: dict[str, Ufunc]
"""By NumPy's name: those of include/lanewise/tables/ufuncs.def, and divmod, frexp, modf, ldexp."""

class functions:
    """The submodule `_core.functions`. Arguments that are arrays may be of any Array class; `indices` and masks may be host
    arrays or lists too."""

    # Elementwise.
    @staticmethod
    def where(condition: Any, x: Any, y: Any) -> Any: ...
    @staticmethod
    def clip(x: Any, low: Any = None, high: Any = None, *, out: Any = None) -> Any: ...
    @staticmethod
    def round(x: Any, decimals: int = 0, *, out: Any = None) -> Any: ...
    @staticmethod
    def sinc(x: Any) -> Any: ...
    @staticmethod
    def real(x: Any) -> Any: ...
    @staticmethod
    def imag(x: Any) -> Any: ...
    @staticmethod
    def angle(x: Any) -> Any: ...
    @staticmethod
    def make_complex(real: Any, imag: Any) -> Any: ...
    @staticmethod
    def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any: ...
    @staticmethod
    def astype(x: Any, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any: ...
    @staticmethod
    def assign(target: Array, value: Any, casting: str = "same_kind") -> None:
        """target[...] = value: an operand."""

    # Reductions. axis: None (all), an int or a sequence. `out`, `where` (a boolean operand) and `initial` (a number) as in
    # NumPy; results are 0-d arrays when no axis is left.
    @staticmethod
    def sum(
        x: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any: ...
    prod = nansum = nanprod = sum
    @staticmethod
    def min(
        x: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Any: ...
    max = nanmin = nanmax = min
    @staticmethod
    def any(x: Any, axis: Any = None, out: Any = None, keepdims: bool = False, where: Any = None) -> Any: ...
    all = any
    @staticmethod
    def argmin(x: Any, axis: int | None = None, out: Any = None, keepdims: bool = False) -> Any: ...
    argmax = nanargmin = nanargmax = argmin
    @staticmethod
    def ptp(x: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any: ...
    @staticmethod
    def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any: ...
    @staticmethod
    def mean(
        x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = None
    ) -> Any: ...
    nanmean = mean
    @staticmethod
    def var(
        x: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        where: Any = None,
    ) -> Any: ...
    std = nanvar = nanstd = var
    @staticmethod
    def cumsum(x: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any: ...
    cumprod = cumsum

    # Making arrays.
    @staticmethod
    def empty(
        shape: Any,
        dtype: Any = np.float64,
        order: str = "C",
        *,
        stream: Any = None,
        device: Any = None,
        cls: Any = None,
    ) -> Any: ...
    @staticmethod
    def full(
        shape: Any, value: Any, dtype: Any = None, *, stream: Any = None, device: Any = None, cls: Any = None
    ) -> Any:
        """`value`: a number; dtype None: of the number, as NumPy."""
    @staticmethod
    def arange(
        start: Any,
        stop: Any = None,
        step: Any = 1,
        dtype: Any = None,
        *,
        stream: Any = None,
        device: Any = None,
        cls: Any = None,
    ) -> Any:
        """With `stop` None from 0 to `start`."""
    @staticmethod
    def linspace(
        start: float,
        stop: float,
        num: int = 50,
        endpoint: bool = True,
        dtype: Any = np.float64,
        *,
        stream: Any = None,
        device: Any = None,
        cls: Any = None,
    ) -> Any: ...
    @staticmethod
    def eye(
        rows: int,
        columns: int | None = None,
        k: int = 0,
        dtype: Any = np.float64,
        *,
        stream: Any = None,
        device: Any = None,
        cls: Any = None,
    ) -> Any: ...
    @staticmethod
    def tri(
        rows: int,
        columns: int | None = None,
        k: int = 0,
        dtype: Any = np.float64,
        *,
        stream: Any = None,
        device: Any = None,
        cls: Any = None,
    ) -> Any: ...
    @staticmethod
    def positions(shape: Any, axis: int, *, stream: Any = None, device: Any = None, cls: Any = None) -> Any:
        """The int64 position along `axis` of each element."""
    @staticmethod
    def from_host(
        source: Any, dtype: Any = None, *, order: str = "K", stream: Any = None, device: Any = None, cls: Any = None
    ) -> Any:
        """A copy of anything `numpy.asarray` takes. order: "K" (C and F order stay), "C", "F", "A"."""
    @staticmethod
    def wrap(x: Any, cls: Any = None) -> Any:
        """An array of another library, or an Array of another class, as an ndarray over the same memory (`_core.asarray`)."""

    # Moving elements.
    @staticmethod
    def broadcast_to(x: Any, shape: Any) -> Any:
        """A read-only view."""
    @staticmethod
    def broadcast_arrays(*arrays: Any) -> list[Any]: ...
    @staticmethod
    def broadcast_shapes(*shapes: Any) -> tuple[int, ...]: ...
    @staticmethod
    def expand_dims(x: Any, axis: Any) -> Any: ...
    @staticmethod
    def flip(x: Any, axis: Any = None) -> Any: ...
    @staticmethod
    def reshape(x: Any, shape: Any, order: str = "C", copy: bool | None = None) -> Any: ...
    @staticmethod
    def transpose(x: Any, axes: Any = None) -> Any: ...
    @staticmethod
    def moveaxis(x: Any, source: Any, destination: Any) -> Any: ...
    @staticmethod
    def squeeze(x: Any, axis: Any = None) -> Any: ...
    @staticmethod
    def concatenate(
        arrays: Sequence[Any], axis: int | None = 0, dtype: Any = None, out: Any = None, casting: str = "same_kind"
    ) -> Any:
        """axis None: of the arrays raveled."""
    @staticmethod
    def stack(
        arrays: Sequence[Any], axis: int = 0, dtype: Any = None, out: Any = None, casting: str = "same_kind"
    ) -> Any: ...
    @staticmethod
    def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
        """`repeats`: an int, or one for each element of the axis."""
    @staticmethod
    def tile(x: Any, reps: Any) -> Any: ...
    @staticmethod
    def roll(x: Any, shift: Any, axis: Any = None) -> Any: ...
    @staticmethod
    def pad(x: Any, before: Sequence[int], after: Sequence[int], mode: str = "constant", value: Any = 0) -> Any:
        """mode: constant, edge, reflect, symmetric, wrap."""
    @staticmethod
    def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any: ...
    @staticmethod
    def take(x: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
        """mode: raise, wrap, clip."""
    @staticmethod
    def put(x: Array, indices: Any, values: Any, mode: str = "raise") -> None: ...
    @staticmethod
    def take_along_axis(x: Any, indices: Any, axis: int | None = -1) -> Any: ...
    @staticmethod
    def put_along_axis(x: Array, indices: Any, values: Any, axis: int | None = -1) -> None: ...
    @staticmethod
    def nonzero(x: Any) -> tuple[Any, ...]: ...
    @staticmethod
    def compress(condition: Any, x: Any, axis: int | None = None) -> Any: ...
    @staticmethod
    def matmul(a: Any, b: Any, *, out: Any = None) -> Any: ...
    @staticmethod
    def dot(a: Any, b: Any, *, out: Any = None) -> Any: ...

    # Types.
    @staticmethod
    def result_type(*operands_or_dtypes: Any) -> np.dtype: ...
    @staticmethod
    def promote_types(a: Any, b: Any) -> np.dtype: ...
    @staticmethod
    def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
        """`from_`: a dtype or an Array; TypeError for Python numbers, as in NumPy 2."""
    @staticmethod
    def may_share_memory(a: Array, b: Array) -> bool:
        """By the bounds of their memory; nothing is computed."""

    # The engine.
    @staticmethod
    def evaluate(what: Array | Stream | None = None) -> None:
        """Launches what is pending: of one array, of a stream, or all."""
    class Eager:
        """Context manager: the thread's operations are computed at once, one by one."""

        def __enter__(self) -> Self: ...
        def __exit__(self, *exc: object) -> None: ...

    @staticmethod
    def engine_statistics() -> dict[str, int]:
        """nodes, launches, kernels (since the start), pending (now)."""

# --------------------------------------------------------------------------------------------------------------- types

class Type:
    """A type of the kernel language. Equal types are equal and hash alike; str() is numba's spelling.

    Where a Type is asked for, a str in numba's spelling, a NumPy dtype or scalar class, None, and an object whose attribute
    `__lanewise_type__` is a Type are taken as well."""

    kind: str
    """ "none", "scalar", "array", "tuple", "dtype", "function", ..."""
    dtype: str
    """NumPy's name for scalars and arrays, "" for others."""
    ndim: int
    layout: str
    """ "C", "F" or "A"; "" for others than arrays."""
    read_only: bool
    items: tuple[Type, ...]

    @staticmethod
    def none() -> Type: ...
    @staticmethod
    def scalar(dtype: Any) -> Type: ...
    @staticmethod
    def array(dtype: Any, ndim: int, layout: str = "C", read_only: bool = False) -> Type: ...
    @staticmethod
    def tuple(items: Sequence[Type]) -> Type: ...
    @staticmethod
    def parse(text: str) -> Type:
        """One type in numba's spelling: "float32[:, ::1]", "int64", "UniTuple(int64, 2)"."""

def parse_signature(text: str) -> tuple[Type | None, tuple[Type, ...]]:
    """("void(float32[:], int64)") -> (result or None when not given, arguments). TypeError with a caret."""

def typeof(obj: Any) -> Type:
    """What a kernel sees when given `obj`. TypeError for what cannot be passed."""

# ------------------------------------------------------------------------------------------------------------- kernels

class Options:
    """How a function is compiled. Immutable; equal options share specialisations in the disk cache."""

    def __init__(
        self,
        *,
        weak_literals: bool = False,
        debug: bool = False,
        bounds_check: bool = False,
        warn_float64: bool = True,
        opt_level: int = 3,
        contract: bool = True,
        fastmath: bool = False,
        line_info: bool = False,
        max_registers: int = 0,
        max_threads_per_block: int = 0,
        min_blocks_per_multiprocessor: int = 0,
        max_cluster_blocks: int = 0,
        use_disk_cache: bool = True,
    ) -> None: ...

    weak_literals: bool
    debug: bool
    bounds_check: bool
    warn_float64: bool
    opt_level: int
    contract: bool
    fastmath: bool
    line_info: bool
    max_registers: int
    max_threads_per_block: int
    min_blocks_per_multiprocessor: int
    max_cluster_blocks: int
    use_disk_cache: bool

class DeviceFunction:
    """A Python function that kernels call. Calling it from Python runs the Python function."""

    function: Callable[..., Any]
    options: Options
    force_inline: bool
    def __init__(
        self, function: Callable[..., Any], *, options: Options | None = None, force_inline: bool = False
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class KernelFunction:
    """A Python function as a kernel: compiled per argument types, launched by `kernel[grid, block](...)`.

    Subclass it freely. Referenced from another kernel it acts as a device function."""

    function: Callable[..., Any]
    options: Options
    name: str
    """__qualname__ of the function."""
    parameters: tuple[str, ...]
    specialized: bool
    """No further types are compiled: the declared ones are all there is."""
    prepare: Callable[[tuple[Any, ...], Stream], tuple[Sequence[Any], Sequence[Callable[[], None]]]] | None
    """Called before each launch: (arguments, stream) -> (arguments to pass, functions to call after the launch)."""
    carveout: int
    """Preferred shared-memory carve-out, -1..100."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        options: Options | None = None,
        force_inline: bool = False,
        carveout: int = -1,
    ) -> None: ...
    def __getitem__(self, config: Any) -> Launcher:
        """kernel[grid, block], [grid, block, stream], [grid, block, stream, shared], [..., cluster]: grid and block are
        ints or sequences of up to three ints; stream a Stream, None, 0, or an object with `__cuda_stream__` or a
        `.ptr`/`.handle`/`.cuda_stream` integer. ValueError for a wrong count, TypeError for wrong types."""
    def configure(
        self,
        grid: Any,
        block: Any,
        stream: Any = None,
        shared: int = 0,
        *,
        cluster: Any = None,
        cooperative: bool = False,
    ) -> Launcher: ...
    def __call__(self, *args: Any) -> None:
        """ValueError: says that `[grid, block]` is missing."""
    def compile(self, types: Sequence[Type] | str, *, device: Device | None = None) -> Specialization:
        """Compiles (or finds) the specialisation for these argument types, or a signature text. A result type other
        than void: TypeError."""
    def declare(self, signatures: Sequence[Sequence[Type] | str], *, device: Device | None = None) -> None:
        """Compiles these and refuses all others from now on; at a launch the best match is chosen (scalars convert)."""
    def specialization_for(self, *args: Any, device: Device | None = None) -> Specialization:
        """The specialisation a launch with these arguments would run."""
    def specializations(self) -> list[Specialization]:
        """In the order they were made."""
    def clear(self) -> None:
        """Forgets all specialisations: globals and closures are read again."""
    def statistics(self) -> dict[str, int]:
        """This kernel's compiles, disk_hits, disk_misses."""

class Linker:
    """Links GPU code from parts. NotImplementedError on cpu."""

    def __init__(
        self,
        *,
        device: Device | None = None,
        max_registers: int = 0,
        opt_level: int = 3,
        line_info: bool = False,
        debug: bool = False,
        verbose: bool = False,
    ) -> None: ...
    def add(self, form: str, part: bytes, name: str = "unknown") -> None:
        """form: "cubin", "ptx", "fatbin", "object" or "library". CompileError with the driver's log."""
    def complete(self) -> bytes:
        """The cubin of all parts; CompileError with the driver's log. Called once."""
    information: str
    errors: str
    """What the driver's compiler and linker have said so far."""

class Launcher:
    """A kernel with its launch configuration: what `kernel[grid, block]` gives. Reusable and immutable."""

    kernel: KernelFunction
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    stream: Stream | None
    shared: int
    cluster: tuple[int, int, int] | None
    cooperative: bool
    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launches. Missing arguments take the function's defaults.

        Arguments are Python and NumPy numbers, enumerators, None, tuples, Arrays, host arrays, HostArguments, and arrays of
        other libraries by `__dlpack_c_exchange_api__`, `__cuda_array_interface__` or `__dlpack__`. An object with
        `__lanewise_argument__` (a value or a method) stands for what that gives."""

class Specialization:
    """One kernel compiled for one list of argument types on one device."""

    argument_types: tuple[Type, ...]
    device: Device
    registers: int
    """Per thread; 0 on the cpu device, as are the other hardware facts there."""
    constant_bytes: int
    static_shared_bytes: int
    local_bytes: int
    max_threads_per_block: int
    max_dynamic_shared_bytes: int
    cooperative: bool
    can_raise: bool
    from_disk: bool
    compile_ms: float
    symbol: str
    warnings: tuple[str, ...]
    ir: str
    """Typed IR."""
    llvm_ir: str
    assembly: str
    """PTX on CUDA, assembly on cpu."""
    typed_source: str
    """inspect_types: the source with the types of the variables assigned on each line."""
    image: bytes
    """cubin on CUDA, shared object on cpu."""
    def max_active_blocks(self, threads: int, dynamic_shared: int = 0) -> int:
        """Blocks that fit on one multiprocessor."""
    def suggested_block_and_grid(self, dynamic_shared: int = 0, block_limit: int = 0) -> tuple[int, int]: ...

def lower(
    function: Callable[..., Any],
    types: Sequence[Type] | Sequence[str] | str,
    *,
    options: Options | None = None,
    is_kernel: bool = True,
) -> str:
    """Text of the typed IR (after the passes); for tests and curious people. No device needed."""

def compile_offline(
    function: Callable[..., Any],
    types: Sequence[Type] | str,
    *,
    target: str = "sm_75",
    kind: str = "cuda",
    options: Options | None = None,
    is_kernel: bool = True,
    symbol: str = "",
) -> tuple[str, Type, str]:
    """(assembly, result type, LLVM IR) for a target without a device: PTX for kind "cuda"."""

def compiler_description() -> str:
    """The code generator's LLVM version and targets. Loads it."""

# ------------------------------------------------------------------------------------------------------- CUDA C++ kernels

class RawModule:
    """CUDA C++ text, or PTX, a cubin or a fatbin (the last three on CUDA devices only). Compiled and loaded for a device
    when first used there. Pickles as what it was made of."""

    code: str | None
    options: tuple[str, ...]
    backend: str
    name_expressions: tuple[str, ...]
    file_path: str | None
    cooperative: bool
    """`enable_cooperative_groups`: launches are cooperative."""
    module: Self
    """This module, compiled and loaded on the current device."""
    compiler: str | None
    """The backend that made the code on the current device (compiles): "nvrtc", "clang" or "nvcc"; None for an image."""
    symbols: dict[str, str]
    """Name expressions and their symbols on the current device (compiles)."""
    kernels: tuple[str, ...]
    """Symbols of the kernels on the current device (compiles); empty for code from elsewhere."""

    def __init__(
        self,
        code: str | None = None,
        *,
        path: str | PathLike[str] | None = None,
        image: bytes | None = None,
        options: Sequence[str] = (),
        backend: str = "auto",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Sequence[str] | None = None,
        jitify: bool = False,
        extern_c: bool = False,
        file_name: str = "kernel.cu",
        use_disk_cache: bool = True,
        keep_folder: str = "",
    ) -> None:
        """Exactly one of code, path, image: TypeError otherwise. backend: "auto", "nvrtc", "clang" or "nvcc".
        `extern_c`: the text stands inside extern "C" { }. `file_name`: how diagnostics call the text. `keep_folder`: for
        the files that nvcc leaves behind. translate_cucomplex is taken and has no effect; jitify=True:
        NotImplementedError."""
    def compile(self, log_stream: Any = None) -> None:
        """For the current device, now. What the compiler says is written to `log_stream` (a file object) if given."""
    def get_function(self, name: str, *, lenient: bool = False) -> RawKernel:
        """By symbol, plain name or name expression; compiles for the current device. ValueError with the names there
        are."""
    def get_global(self, name: str) -> Buffer:
        """A `__device__`, `__constant__` or `__managed__` variable on the current device (compiles), as memory that keeps
        the module loaded. ValueError when there is none of that name."""

class RawKernel:
    """A kernel of CUDA C++ text or of a RawModule. Compiled and loaded for a device when first used there: of the current
    device by the properties below, of the stream's (or the current) device by a launch. Pickles as what it was made of.

    Arguments are packed by the types that the kernel declares; docs/guide/cuda-cpp.md has the rules. With `lenient`,
    pointers take arrays of any dtype, integers wrap, and NumPy scalars of a parameter's size go by their bytes."""

    name: str
    code: str | None
    options: tuple[str, ...]
    backend: str
    file_path: str | None
    cooperative: bool
    lenient: bool
    raw_module: RawModule
    kernel: Self
    """This kernel, compiled and loaded on the current device."""
    symbol: str
    parameters: tuple[tuple[str, str], ...]
    """(name, type as declared) each; "" for what is not known."""
    parameter_layout: tuple[tuple[int, int], ...]
    """(offset, size) each in the packed buffer."""
    parameter_bytes: int
    signature: str
    """ "void saxpy(float a, const float *x, float *y, int n)"."""
    attributes: dict[str, int]
    """The following by name."""
    max_threads_per_block: int
    shared_size_bytes: int
    const_size_bytes: int
    local_size_bytes: int
    num_regs: int
    ptx_version: int
    binary_version: int
    cache_mode_ca: int
    """0."""
    max_dynamic_shared_size_bytes: int
    """Settable."""
    preferred_shared_memory_carveout: int
    """Settable."""

    def __init__(
        self,
        code: str,
        name: str,
        options: Sequence[str] = (),
        backend: str = "auto",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
        lenient: bool = False,
    ) -> None: ...
    def __call__(
        self,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any] = (),
        *,
        shared_mem: int = 0,
        stream: Stream | None = None,
    ) -> None: ...
    def __getitem__(self, config: Any) -> RawLauncher:
        """kernel[grid, block], [grid, block, stream], [grid, block, stream, shared], [..., cluster], as KernelFunction's."""
    def launch_packed(self, grid: Any, block: Any, shared: int, stream: Any, parameters: bytes) -> None:
        """`parameters`: any object with the buffer protocol; ValueError when its size is not `parameter_bytes`."""
    def launch_loose(self, grid: Any, block: Any, args: Sequence[Any], shared: int = 0, stream: Any = None) -> None:
        """Arguments by PyCUDA's rules: NumPy scalars by value, NumPy arrays and numpy.void as their bytes, by value;
        Arrays, Buffers, objects with `__cuda_array_interface__` (no order with its stream), `gpudata` or `__index__` as
        pointers. Python numbers and all else: TypeError "invalid type on parameter #i (0-based): ..."."""
    def compile(self, log_stream: Any = None) -> None: ...
    def max_active_blocks(self, threads: int, shared_mem: int = 0) -> int:
        """Blocks that fit on one multiprocessor."""
    def suggested_block_and_grid(self, shared_mem: int = 0, block_limit: int = 0) -> tuple[int, int]: ...

class RawLauncher:
    """A RawKernel with its launch configuration: what `kernel[grid, block]` gives."""

    kernel: RawKernel
    def __call__(self, *args: Any) -> None: ...

def compile_cuda_image(
    code: str,
    *,
    options: Sequence[str] = (),
    backend: str = "auto",
    extern_c: bool = False,
    file_name: str = "kernel.cu",
    use_disk_cache: bool = True,
    keep_folder: str = "",
    ptx: bool = False,
    device: Device | None = None,
) -> tuple[bytes, str]:
    """(image, what the compiler said): a cubin for a CUDA device or, with `ptx`, PTX; the cpu device's shared object or
    assembly. Arguments and errors as RawModule's."""

def compile_cuda_ptx(
    code: str, architecture: str, *, options: Sequence[str] = (), extern_c: bool = False, file_name: str = "kernel.cu"
) -> bytes:
    """PTX for "sm_80" or another architecture, by the clang backend, without a device."""

def cuda_cpp_compilers() -> dict[str, str]:
    """Where the compilers of CUDA C++ that do not come with lanewise lie: "nvrtc" and "nvcc"; "" for one not found."""

# --------------------------------------------------------------------------------------------------------------- cache

class Cache:
    """The disk cache of compiled kernels (LANEWISE_CACHE_DIR, LANEWISE_CACHE_SIZE, LANEWISE_CACHE=0)."""

    path: str
    enabled: bool
    limit_bytes: int
    def size_bytes(self) -> int: ...
    def entries(self) -> int: ...
    def clear(self) -> int:
        """Returns the bytes freed."""

def disk_cache() -> Cache: ...
def statistics() -> dict[str, float]:
    """Of this process: compiles, shared_modules (the same code was loaded already), disk_hits, disk_misses, disk_stores,
    corrupt_entries, lower_ms, compile_ms, link_ms, load_ms."""

def builtin_names(prefix: str = "") -> list[str]:
    """Canonical names of everything a kernel may call: "cuda.atomic.add", "math.sin". A Python object stands for one
    when it has the attribute `__lanewise_builtin__` with that name (a class attribute counts)."""
