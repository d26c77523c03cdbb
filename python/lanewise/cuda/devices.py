"""Devices and contexts under the names of Numba. Where there is no GPU, the cpu device takes the place of GPU 0."""

import contextlib
import functools
import threading

from lanewise import _core

#: CUDA's numbers of device attributes by its names; Numba spells one of them differently.
ATTRIBUTES = {
    **_core.Device.cuda_attributes,
    "MAX_THREADS_PER_MULTI_PROCESSOR": _core.Device.cuda_attributes["MAX_THREADS_PER_MULTIPROCESSOR"],
}


class Device:
    """One device: a GPU, or the cpu device. Attributes of CUDA in capitals: device.MULTIPROCESSOR_COUNT."""

    def __init__(self, core):
        self.core = core
        self.id = core.ordinal
        self.name = core.model
        self.compute_capability = tuple(core.compute_capability)
        digits = core.uuid.hex()
        self.uuid = f"GPU-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
        self._context = Context(self)

    @property
    def kind(self):
        """ "cuda" or "cpu"."""
        return self.core.kind

    COMPUTE_CAPABILITY_MAJOR = property(lambda self: self.compute_capability[0])
    COMPUTE_CAPABILITY_MINOR = property(lambda self: self.compute_capability[1])
    supports_float16 = property(lambda self: self.compute_capability >= (5, 3))
    supports_bfloat16 = property(lambda self: self.compute_capability >= (8, 0))
    supports_fp8 = accelerates_fp8 = property(lambda self: self.compute_capability >= (8, 9))

    def __getattr__(self, name):
        known = ATTRIBUTES.get(name)
        if known is None:
            if name.isupper():
                raise AttributeError(f"{self!r} has no attribute {name}; there are: {', '.join(sorted(ATTRIBUTES))}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self.core.attribute(known)

    def __repr__(self):
        if self.kind == "cpu":
            return f"<cpu device '{self.name}'>"
        return f"<CUDA device {self.id} '{self.name}'>"

    def __eq__(self, other):
        return isinstance(other, Device) and self.core is other.core

    def __hash__(self):
        return hash(id(self.core))

    def __enter__(self):
        _switches().append(_core.set_current_device(self.core))
        return self

    def __exit__(self, *exc):
        _core.set_current_device(_switches().pop())

    def get_primary_context(self):
        return self._context

    def get_device_identity(self):
        return {
            "pci_domain_id": self.PCI_DOMAIN_ID,
            "pci_bus_id": self.PCI_BUS_ID,
            "pci_device_id": self.PCI_DEVICE_ID,
        }

    def reset(self):
        """Waits for all work and gives the pool's free memory back. Arrays and kernels stay usable."""
        self._context.reset()


class Context:
    """What there is once for each device and process; always the device's primary context."""

    def __init__(self, device):
        self.device = device

    def __repr__(self):
        return f"<context of {self.device!r}>"

    def __eq__(self, other):
        return isinstance(other, Context) and self.device == other.device

    def __hash__(self):
        return hash(self.device)

    def get_memory_info(self):
        """(free, total) bytes of device memory."""
        return MemoryInfo(*self.device.core.memory_info())

    def synchronize(self):
        self.device.core.synchronize()

    def reset(self):
        self.synchronize()
        self.device.core.pool_trim()

    def push(self):
        """Makes this context the calling thread's until pop()."""
        self.device.__enter__()

    def pop(self):
        self.device.__exit__()

    def __enter__(self):
        self.push()
        return self

    def __exit__(self, *exc):
        self.pop()

    def defer_cleanup(self):
        return _core.PoolDeferral(self.device.core)

    def memalloc(self, bytesize):
        return _core.Buffer.allocate(bytesize, device=self.device.core)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        return _core.Buffer.allocate_host(bytesize, "mapped" if mapped else "pinned", device=self.device.core)

    def memallocmanaged(self, bytesize, attach_global=True):
        return _core.Buffer.allocate_host(bytesize, "managed", device=self.device.core)

    def create_stream(self):
        return self.device.core.create_stream()

    def get_default_stream(self):
        return self.device.core.default_stream

    def get_per_thread_default_stream(self):
        return self.device.core.per_thread_stream

    def create_external_stream(self, ptr):
        return self.device.core.external_stream(int(ptr))

    def create_event(self, timing=True):
        return self.device.core.create_event(timing=bool(timing))


class MemoryInfo(tuple):
    """(free, total), also by these names."""

    __slots__ = ()

    def __new__(cls, free, total):
        return super().__new__(cls, (free, total))

    free = property(lambda self: self[0])
    total = property(lambda self: self[1])


@functools.cache
def _wrap(core):
    return Device(core)


_thread = threading.local()


def _switches():
    """The devices that with blocks of this thread go back to."""
    if not hasattr(_thread, "switches"):
        _thread.switches = []
    return _thread.switches


class DeviceList:
    """The GPUs, in order; the cpu device alone when there is none or when the calling thread has chosen it."""

    @property
    def lst(self):
        found = [_wrap(core) for core in _core.devices() if core.kind == "cuda"]
        current = _core.current_device()
        return [_wrap(current)] if not found or current.kind == "cpu" else found

    def __len__(self):
        return len(self.lst)

    def __iter__(self):
        return iter(self.lst)

    def __getitem__(self, index):
        devices = self.lst
        try:
            return devices[index]
        except IndexError:
            raise IndexError(f"there is no device {index}: the devices are {self}") from None

    def __str__(self):
        return ", ".join(map(str, self.lst))

    def __repr__(self):
        return f"<devices {self}>"

    @property
    def current(self):
        """The calling thread's device."""
        return get_current_device()


gpus = DeviceList()


def list_devices():
    return gpus


def get_current_device():
    """The calling thread's device."""
    return _wrap(_core.current_device())


def select_device(device_id):
    """Makes a device the calling thread's: by number, or by name ("cpu", "cuda:1"). Returns it."""
    if isinstance(device_id, Device):
        device = device_id
    elif isinstance(device_id, str):
        device = _wrap(_core.device(device_id))
    else:
        device = gpus[device_id]
    _core.set_current_device(device.core)
    return device


def current_context(devnum=None):
    """The context of the calling thread's device, or of device `devnum`."""
    device = get_current_device() if devnum is None else gpus[devnum]
    return device.get_primary_context()


def synchronize():
    """Waits for all work on the calling thread's device, then raises what it reported."""
    _core.current_device().synchronize()


def require_context(function):
    """Makes sure that the calling thread has a device before `function` runs."""

    @functools.wraps(function)
    def with_context(*args, **kwargs):
        _core.current_device().make_current()
        return function(*args, **kwargs)

    return with_context


def close():
    """Waits for all devices and gives their pools' free memory back."""
    for core in _core.devices():
        core.synchronize()
        core.pool_trim()


def is_available():
    """True when kernels can run. They always can: without a GPU they run on the cpu device."""
    return len(_core.devices()) > 0


def cuda_error():
    """Why there is no CUDA device, or None."""
    return _core.cuda_unavailable_reason() or None


def is_supported_version():
    """True: there is no CUDA toolkit whose version could matter."""
    return True


def is_float16_supported():
    return get_current_device().supports_float16


def is_bfloat16_supported():
    return get_current_device().supports_bfloat16


def is_fp8_accelerated():
    return get_current_device().accelerates_fp8


def detect():
    """Prints the devices; True when there is a GPU."""
    reason = _core.cuda_unavailable_reason()
    found = [_wrap(core) for core in _core.devices()]
    cuda = [device for device in found if device.kind == "cuda"]
    print(f"Found {len(cuda)} CUDA devices" + (f" ({reason})" if reason else ""))
    for device in found:
        print(f"{device.core.name}    {device.name}")
        if device.kind == "cuda":
            major, minor = device.compute_capability
            print(f"{'Compute Capability:':>40} {major}.{minor}")
            print(f"{'PCI Device ID:':>40} {device.PCI_DEVICE_ID}")
            print(f"{'PCI Bus ID:':>40} {device.PCI_BUS_ID}")
            print(f"{'UUID:':>40} {device.uuid}")
        print(f"{'Target:':>40} {device.core.target}")
    return bool(cuda)


def driver_version():
    """The newest CUDA version that the driver supports, (major, minor); None without a driver."""
    version = _core.cuda_driver_version()
    return (version // 1000, version % 1000 // 10) if version else None


def profile_start():
    """Starts a profiler that waits for it (nsys --capture-range=cudaProfilerApi)."""
    _core.current_device().start_profiler()


def profile_stop():
    """Stops the profiler."""
    _core.current_device().stop_profiler()


@contextlib.contextmanager
def profiling():
    """A with block that is profiled."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()
