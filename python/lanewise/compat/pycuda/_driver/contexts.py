"""Devices and contexts. Everything runs in a device's primary context; a Context is a mark on a thread's stack that
says which device the thread uses. A thread without one uses the device of the context made last, or lanewise's."""

import contextlib
import threading

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.enums import compute_mode, device_attribute, func_cache, limit, shared_config
from lanewise.compat.pycuda._driver.errors import checked, driver_error
from lanewise.cuda.devices import driver_version

#: The version of CUDA whose names and numbers the face has.
_CUDA_VERSION = (13, 0, 0)


class _Thread(threading.local):
    """The calling thread's contexts, each with the device that was current before it."""

    def __init__(self):
        self.stack = []
        if _default.core is not None:
            _core.set_current_device(_default.core)


class _default:
    """The device of the context made last: that of threads without contexts of their own."""

    core = None


thread = _Thread()


def current_core():
    """The calling thread's device."""
    thread.stack  # noqa: B018 - a new thread takes over the default device here
    return _core.current_device()


def _usable_cores():
    """The GPUs; the cpu device alone when there is none or when the thread has chosen it."""
    found = [core for core in _core.devices() if core.kind == "cuda"]
    current = current_core()
    return [current] if not found or current.kind == "cpu" else found


def init(flags=0):
    """Nothing needs it."""
    if flags:
        raise driver_error(errors.INVALID_VALUE, "cuInit", f"flags must be 0, got {flags}")


def get_version():
    """The CUDA version that the face speaks, (major, minor, patch)."""
    return _CUDA_VERSION


def get_driver_version():
    """The newest CUDA version that the driver supports, 1000 * major + 10 * minor; the face's own without a driver."""
    major, minor = driver_version() or _CUDA_VERSION[:2]
    return 1000 * major + 10 * minor


class Device:
    __module__ = "pycuda._driver"

    def __init__(self, number):
        cores = _usable_cores()
        if isinstance(number, str):
            found = [core for core in cores if _pci_bus_id(core).lower() == number.lower()]
            if not found:
                known = ", ".join(map(_pci_bus_id, cores))
                raise driver_error(
                    errors.INVALID_DEVICE, "cuDeviceGetByPCIBusId", f"there is no device {number}; there are: {known}"
                )
            self._core = found[0]
        elif 0 <= number < len(cores):
            self._core = cores[number]
        else:
            raise driver_error(errors.INVALID_DEVICE, "cuDeviceGet", f"there is no device {number}; {len(cores)} found")

    @staticmethod
    def count():
        return len(_usable_cores())

    def name(self):
        return self._core.model

    def pci_bus_id(self):
        return _pci_bus_id(self._core)

    def compute_capability(self):
        return tuple(self._core.compute_capability)

    def total_memory(self):
        return self._core.memory_info()[1]

    @checked("cuDeviceGetAttribute")
    def get_attribute(self, attribute):
        value = self._core.attribute(int(attribute))
        return compute_mode(value) if attribute == device_attribute.COMPUTE_MODE else value

    def get_attributes(self):
        """All attributes that the device's driver knows."""
        known = {}
        for attribute in device_attribute:
            with contextlib.suppress(errors.LogicError):
                known[attribute] = self.get_attribute(attribute)
        return known

    def __getattr__(self, name):
        attribute = device_attribute.__members__.get(name.upper()) if name.islower() else None
        if attribute is None:
            raise AttributeError(f"Device has no attribute {name!r}")
        return self.get_attribute(attribute)

    @checked("cuCtxCreate")
    def make_context(self, flags=0):
        """A context on top of the calling thread's stack."""
        self._core.make_current()
        context = Context(self)
        context.push()
        return context

    @checked("cuDevicePrimaryCtxRetain")
    def retain_primary_context(self):
        """The device's primary context; does not push it."""
        self._core.make_current()
        return Context(self, primary=True)

    def can_access_peer(self, device):
        return self._core.can_access_peer(device._core)

    def __eq__(self, other):
        return isinstance(other, Device) and self._core is other._core

    def __hash__(self):
        return hash(id(self._core))

    def __repr__(self):
        return f"<pycuda._driver.Device {self._core.ordinal}: {self._core.model}>"


def _pci_bus_id(core):
    domain, bus, slot = (core.attribute(f"pci_{part}_id") for part in ("domain", "bus", "device"))
    return f"{domain:04X}:{bus:02X}:{slot:02X}.0"


def device_of(core):
    """The Device of a device of the core."""
    device = Device.__new__(Device)
    device._core = core
    return device


#: The core's names of cache preferences.
_CACHES = {
    func_cache.PREFER_NONE: "none",
    func_cache.PREFER_SHARED: "shared",
    func_cache.PREFER_L1: "l1",
    func_cache.PREFER_EQUAL: "equal",
}


class Context:
    """A context on a thread's stack, or to be pushed there."""

    __module__ = "pycuda._driver"

    def __init__(self, device, primary=False):
        self._device = device
        self._primary = primary
        self._valid = True

    @property
    @checked("cuDevicePrimaryCtxRetain")
    def handle(self):
        return self._device._core.context_handle

    def __eq__(self, other):
        if not isinstance(other, Context):
            return NotImplemented
        return self is other or (self._primary and other._primary and self._device == other._device)

    def __hash__(self):
        return hash(self._device) if self._primary else id(self) >> 4

    def __repr__(self):
        state = "" if self._valid else ", detached"
        return f"<pycuda._driver.Context on {self._device._core.name}{state}>"

    def push(self):
        """Makes this the calling thread's context until pop()."""
        if not self._valid:
            raise driver_error(
                errors.INVALID_CONTEXT, "cuCtxPushCurrent", "cannot push a context that has been detached"
            )
        stack = thread.stack
        stack.append((self, _core.set_current_device(self._device._core)))
        _default.core = self._device._core

    @staticmethod
    def pop():
        """Goes back to the context before."""
        if not thread.stack:
            raise driver_error(
                errors.INVALID_CONTEXT, "cuCtxPopCurrent", "cannot pop: this thread has pushed no context"
            )
        _, before = thread.stack.pop()
        _core.set_current_device(before)

    def detach(self):
        """Ends this context: it cannot be pushed any more, and leaves the calling thread's stack."""
        if not self._valid:
            raise driver_error(
                errors.INVALID_CONTEXT, "context::detach", "cannot detach from a context that has been detached"
            )
        self._valid = False
        stack = thread.stack
        for position in range(len(stack) - 1, -1, -1):
            if stack[position][0] is not self:
                continue
            if position == len(stack) - 1:
                Context.pop()
            else:
                # The one above goes back to what this one would have gone back to.
                above, _ = stack[position + 1]
                stack[position : position + 2] = [(above, stack[position][1])]

    @staticmethod
    def attach(flags=0):
        """A further context on the calling thread's device, pushed."""
        context = Context(Context.get_device())
        context.push()
        return context

    @staticmethod
    def get_current():
        """The calling thread's context; None when it has pushed none."""
        return thread.stack[-1][0] if thread.stack else None

    @staticmethod
    def get_device():
        """The calling thread's device."""
        return device_of(current_core())

    @staticmethod
    @checked("cuCtxSynchronize")
    def synchronize():
        """Waits for all work on the calling thread's device."""
        current_core().synchronize()

    @staticmethod
    @checked("cuCtxSetLimit")
    def set_limit(which, value):
        current_core().set_limit(int(limit(which)), value)

    @staticmethod
    @checked("cuCtxGetLimit")
    def get_limit(which):
        return current_core().limit(int(limit(which)))

    @staticmethod
    @checked("cuCtxSetCacheConfig")
    def set_cache_config(config):
        current_core().cache_preference = _CACHES[func_cache(config)]

    @staticmethod
    @checked("cuCtxGetCacheConfig")
    def get_cache_config():
        name = current_core().cache_preference
        return next(config for config, known in _CACHES.items() if known == name)

    @staticmethod
    def set_shared_config(config):
        """Devices have had one configuration of shared memory banks since 2014: nothing is left to choose."""
        shared_config(config)

    @staticmethod
    def get_shared_config():
        return shared_config.FOUR_BYTE_BANK_SIZE

    @checked("cuCtxGetApiVersion")
    def get_api_version(self):
        return self._device._core.context_version or 3020

    @staticmethod
    @checked("cuCtxEnablePeerAccess", NotImplementedError)
    def enable_peer_access(peer, flags=0):
        if flags:
            raise driver_error(errors.INVALID_VALUE, "cuCtxEnablePeerAccess", f"flags must be 0, got {flags}")
        current_core().enable_peer_access(peer._device._core)

    @staticmethod
    @checked("cuCtxDisablePeerAccess", NotImplementedError)
    def disable_peer_access(peer):
        current_core().disable_peer_access(peer._device._core)


def initialize_profiler(config_file, output_file, output_mode):
    """The driver's own profiler is gone since CUDA 12; use nsys or ncu."""
    raise driver_error(
        errors.NOT_SUPPORTED, "cuProfilerInitialize", "drivers have no profiler of their own; use nsys or ncu"
    )


@checked("cuProfilerStart")
def start_profiler():
    """Starts a profiler that waits for it (nsys --capture-range=cudaProfilerApi)."""
    current_core().start_profiler()


@checked("cuProfilerStop")
def stop_profiler():
    """Stops the profiler."""
    current_core().stop_profiler()
