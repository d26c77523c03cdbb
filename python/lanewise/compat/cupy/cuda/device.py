"""cupy.cuda.device: the devices. Where there is no GPU, or with LANEWISE_DEVICE=cpu, device 0 is the cpu device."""

import threading

from lanewise import _core
from lanewise.compat.cupy.cuda._errors import CUDARuntimeError, cuda_error


def usable_cores():
    """The GPUs; the cpu device alone when there is none or when the thread has chosen it."""
    found = [core for core in _core.devices() if core.kind == "cuda"]
    current = _core.current_device()
    return [current] if not found or current.kind == "cpu" else found


def core_of(device):
    """The core's device of an id, a Device, or None for the current one."""
    if device is None or isinstance(device, str):
        return _core.device(device)
    if isinstance(device, (_core.Device, Device)):
        return device._core
    cores = usable_cores()
    number = int(device)
    if not 0 <= number < len(cores):
        raise cuda_error("InvalidDevice", f"there is no device {number}; there are {len(cores)}")
    return cores[number]


def pci_bus_id(core):
    domain, bus, slot = (core.attribute(f"pci_{part}_id") for part in ("domain", "bus", "device"))
    return f"{domain:04X}:{bus:02X}:{slot:02X}.0"


class _Thread(threading.local):
    """The devices that with blocks of this thread go back to."""

    def __init__(self):
        self.before = []


_thread = _Thread()


class _Members:
    """What CuPy's devices have; `_core` is the core's device."""

    @property
    def id(self):
        return self._core.ordinal

    def __int__(self):
        return self.id

    __index__ = __int__

    def use(self):
        """Makes this the calling thread's device."""
        _core.set_current_device(self._core)
        return self

    def __enter__(self):
        _thread.before.append(_core.set_current_device(self._core))
        return self

    def __exit__(self, *exc):
        _core.set_current_device(_thread.before.pop())

    @property
    def mem_info(self):
        """(free, total) bytes."""
        return tuple(self._core.memory_info())

    @property
    def attributes(self):
        """All attributes, by CUDA's names without cudaDevAttr."""
        from lanewise.compat.cupy.cuda._attributes import ATTRIBUTES

        known = {}
        for name, number in ATTRIBUTES.items():
            try:
                known[name] = self._core.attribute(number)
            except CUDARuntimeError:
                # A driver older than the attribute.
                continue
        return known

    @property
    def pci_bus_id(self):
        return pci_bus_id(self._core)


# `x.device` of an array is the core's device, which lanewise's own functions work with: it gets CuPy's members too.
_core.Device._core = property(lambda self: self)
for _name in ("id", "__int__", "__index__", "use", "__enter__", "__exit__", "mem_info", "attributes", "pci_bus_id"):
    setattr(_core.Device, _name, vars(_Members)[_name])


class Device(_Members):
    """A device by its number; the current one without. A with block makes it current."""

    __module__ = "cupy.cuda"

    def __init__(self, device=None):
        self._core = core_of(device)

    def synchronize(self):
        """Waits for all work on the device."""
        self._core.synchronize()

    @property
    def compute_capability(self):
        """Its digits: "90"."""
        major, minor = self._core.compute_capability
        return f"{major}{minor}"

    @classmethod
    def from_pci_bus_id(cls, pci_bus_id):
        return cls(by_pci_bus_id(pci_bus_id))

    def __eq__(self, other):
        core = getattr(other, "_core", None)
        return NotImplemented if core is None else self._core is core

    def __lt__(self, other):
        return self.id < int(other)

    def __le__(self, other):
        return self.id <= int(other)

    def __gt__(self, other):
        return self.id > int(other)

    def __ge__(self, other):
        return self.id >= int(other)

    def __hash__(self):
        return hash(self._core)

    def __repr__(self):
        return f"<CUDA Device {self.id}>" if self._core.kind == "cuda" else "<cpu Device 0>"

    def __getattr__(self, name):
        if name.endswith("_handle"):
            raise AttributeError(f"Device.{name}: lanewise gives no handles of CUDA's libraries")
        raise AttributeError(f"'Device' object has no attribute {name!r}")


def by_pci_bus_id(wanted):
    known = [pci_bus_id(core) for core in usable_cores()]
    matches = [number for number, name in enumerate(known) if name.lower() == wanted.lower()]
    if not matches:
        raise cuda_error("InvalidDevice", f"there is no device {wanted}; there are: {', '.join(known)}")
    return matches[0]


def get_device_id():
    """The number of the calling thread's device."""
    return _core.current_device().ordinal


def get_compute_capability():
    return Device().compute_capability
