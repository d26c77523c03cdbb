"""cupy.cuda.runtime: functions of CUDA's runtime API, on lanewise's devices, streams and memory."""

import ctypes

from lanewise import _core
from lanewise.compat.cupy.cuda._attributes import ATTRIBUTES, PROPERTIES
from lanewise.compat.cupy.cuda._constants import CONSTANTS
from lanewise.compat.cupy.cuda._errors import ERRORS, CUDARuntimeError, cuda_error
from lanewise.compat.cupy.cuda._memory import host_memory
from lanewise.compat.cupy.cuda.device import (
    by_pci_bus_id,
    core_of,
    get_device_id,
    pci_bus_id,
    usable_cores,
)
from lanewise.compat.cupy.cuda.stream import core_stream
from lanewise.cuda.devices import driver_version as _driver_version
from lanewise.cuda.devices import profile_start as profilerStart
from lanewise.cuda.devices import profile_stop as profilerStop

is_hip = False

memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice, memcpyDefault = range(5)
streamDefault, streamNonBlocking = 0, 1
streamLegacy, streamPerThread = 1, 2
eventDefault, eventBlockingSync, eventDisableTiming, eventInterprocess = 0, 1, 2, 4
hostAllocDefault, hostAllocPortable, hostAllocMapped, hostAllocWriteCombined = 0, 1, 2, 4
memAttachGlobal, memAttachHost, memAttachSingle = 1, 2, 4
memoryTypeUnregistered, memoryTypeHost, memoryTypeDevice, memoryTypeManaged = range(4)
limitStackSize, limitPrintfFifoSize, limitMallocHeapSize, limitDevRuntimeSyncDepth = range(4)
limitDevRuntimePendingLaunchCount, limitMaxL2FetchGranularity, limitPersistingL2CacheSize = range(4, 7)
hostRegisterDefault, hostRegisterPortable, hostRegisterMapped = 0, 1, 2

globals().update(CONSTANTS)
globals().update({f"error{name}": code for name, (code, _) in ERRORS.items()})
globals().update({f"cudaDevAttr{name}": number for name, number in ATTRIBUTES.items()})


def driverGetVersion():
    """The newest CUDA version that the driver supports, 1000 * major + 10 * minor; the face's own without a driver."""
    version = _driver_version()
    return 1000 * version[0] + 10 * version[1] if version else runtimeGetVersion()


def runtimeGetVersion():
    """The CUDA version whose names the face has."""
    return 13000


def getDeviceCount():
    return len(usable_cores())


def getDevice():
    """The number of the calling thread's device."""
    return get_device_id()


def setDevice(device):
    """Makes a device the calling thread's."""
    _core.set_current_device(core_of(device))


def deviceSynchronize():
    """Waits for all work on the calling thread's device."""
    _core.current_device().synchronize()


def deviceGetAttribute(attrib, device_id):
    """One of the cudaDevAttr numbers."""
    return core_of(device_id).attribute(int(attrib))


def deviceGetPCIBusId(device):
    return pci_bus_id(core_of(device))


def deviceGetByPCIBusId(pci_bus_id):
    return by_pci_bus_id(pci_bus_id)


def getDeviceProperties(device):
    """The fields of cudaDeviceProp; the name is bytes."""
    core = core_of(device)
    major, minor = core.compute_capability
    properties = {
        "name": core.model.encode(),
        "totalGlobalMem": core.memory_info()[1],
        "major": major,
        "minor": minor,
        "uuid": core.uuid,
        "maxThreadsDim": tuple(core.attribute(f"max_block_{axis}") for axis in "xyz"),
        "maxGridSize": tuple(core.attribute(f"max_grid_{axis}") for axis in "xyz"),
    }
    for field, name in PROPERTIES.items():
        properties[field] = core.attribute(ATTRIBUTES[name])
    return properties


def memGetInfo():
    """(free, total) bytes of the calling thread's device."""
    return tuple(_core.current_device().memory_info())


def deviceCanAccessPeer(device, peerDevice):
    """1 when kernels of `device` can reach the memory of `peerDevice` once deviceEnablePeerAccess was called."""
    return int(core_of(device).can_access_peer(core_of(peerDevice)))


def _peer(peerDevice):
    if not deviceCanAccessPeer(getDevice(), peerDevice):
        raise cuda_error("NotSupported", f"device {getDevice()} cannot reach the memory of device {peerDevice}")
    return core_of(peerDevice)


def deviceEnablePeerAccess(peerDevice):
    """Lets kernels of the calling thread's device use the memory of another one."""
    _core.current_device().enable_peer_access(_peer(peerDevice))


def deviceDisablePeerAccess(peerDevice):
    """Ends what deviceEnablePeerAccess began."""
    _core.current_device().disable_peer_access(_peer(peerDevice))


def deviceGetLimit(limit):
    """One of CUDA's limits of the calling thread's device, by its number."""
    return _core.current_device().limit(_limit(limit))


def deviceSetLimit(limit, value):
    _core.current_device().set_limit(_limit(limit), value)


def _limit(number):
    if not 0 <= number <= limitPersistingL2CacheSize:
        raise cuda_error("UnsupportedLimit", f"{number} is none of the limits")
    return int(number)


# Memory. Allocations are kept by their addresses until they are freed.
_allocations = {}


def _keep(buffer):
    pointer = buffer.host_pointer or buffer.pointer
    _allocations[pointer] = buffer
    return pointer


def _forget(pointer, call):
    if pointer and _allocations.pop(pointer, None) is None:
        raise cuda_error("InvalidValue", f"{call}: nothing was allocated at {pointer:#x}")


def malloc(size):
    """The address of new device memory."""
    return _keep(_core.Buffer(int(size)))


def mallocAsync(size, stream):
    return malloc(size)


def mallocManaged(size, flags=memAttachGlobal):
    return _keep(_core.Buffer.allocate_host(int(size), "managed"))


def hostAlloc(size, flags=hostAllocDefault):
    """The address of new page-locked memory."""
    return _keep(_core.Buffer.allocate_host(int(size), "mapped" if flags & hostAllocMapped else "pinned"))


def mallocHost(size):
    return hostAlloc(size)


def free(ptr):
    """Gives device memory back, behind the work that may use it."""
    _forget(ptr, "free")


def freeAsync(ptr, stream):
    _forget(ptr, "freeAsync")


def freeHost(ptr):
    """Gives page-locked memory back, when the work that may use it is done."""
    deviceSynchronize()
    _forget(ptr, "freeHost")


def hostRegister(ptr, size, flags=hostRegisterDefault):
    """Page-locks host memory until hostUnregister."""
    import numpy as np

    memory = np.frombuffer(host_memory(ptr, size), np.uint8)
    _registrations[ptr] = _core.current_device().register_host(memory)


def hostUnregister(ptr):
    registration = _registrations.pop(ptr, None)
    if registration is None:
        raise cuda_error("InvalidValue", f"hostUnregister: nothing was registered at {ptr:#x}")
    deviceSynchronize()
    registration.close()


_registrations = {}


def _on_device(pointer):
    return _core.current_device().owns_address(pointer)


def _copy(dst, src, size, kind, stream, wait):
    if not size:
        return
    if kind == memcpyDefault:
        kind = 2 * _on_device(src) + _on_device(dst)
    stream = core_stream(stream)
    if kind == memcpyHostToHost:
        stream.synchronize()
        ctypes.memmove(dst, src, size)
    elif kind == memcpyHostToDevice:
        _core.raw_copy_to_device(dst, host_memory(src, size), stream, wait)
    elif kind == memcpyDeviceToHost:
        _core.raw_copy_to_host(host_memory(dst, size), src, stream, wait)
    elif kind == memcpyDeviceToDevice:
        _core.raw_copy(dst, src, size, stream)
    else:
        raise cuda_error("InvalidValue", f"memcpy: {kind} is none of the kinds 0 to 4")


def memcpy(dst, src, size, kind):
    """Copies between addresses; kind: one of the memcpy constants."""
    _copy(int(dst), int(src), int(size), kind, streamDefault, True)


def memcpyAsync(dst, src, size, kind, stream):
    """Copies between addresses in the order of a stream, given by its handle."""
    _copy(int(dst), int(src), int(size), kind, stream, False)


def memcpyPeer(dst, dstDevice, src, srcDevice, size):
    _copy(int(dst), int(src), int(size), memcpyDeviceToDevice, streamDefault, True)


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    _copy(int(dst), int(src), int(size), memcpyDeviceToDevice, stream, False)


def memcpy2D(dst, dpitch, src, spitch, width, height, kind):
    """Copies rows of `width` bytes; the pitches are the bytes from a row to the next."""
    _copy_rows(dst, dpitch, src, spitch, width, height, kind, streamDefault, True)


def memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream):
    _copy_rows(dst, dpitch, src, spitch, width, height, kind, stream, False)


def _copy_rows(dst, dpitch, src, spitch, width, height, kind, stream, wait):
    if width > dpitch or width > spitch:
        raise cuda_error("InvalidValue", f"memcpy2D: rows of {width} bytes with pitches {dpitch} and {spitch}")
    if not width or not height:
        return
    if kind == memcpyDefault:
        kind = 2 * _on_device(src) + _on_device(dst)
    if kind not in range(4):
        raise cuda_error("InvalidValue", f"memcpy2D: {kind} is none of the kinds 0 to 4")
    _core.raw_copy_box(
        int(dst),
        int(src),
        (height, width),
        (dpitch, 1),
        (spitch, 1),
        target_on_host=kind in (memcpyHostToHost, memcpyDeviceToHost),
        source_on_host=kind in (memcpyHostToHost, memcpyHostToDevice),
        stream=core_stream(stream),
        wait=wait,
    )


def memset(ptr, value, size):
    """Fills bytes."""
    memsetAsync(ptr, value, size, streamDefault)


def memsetAsync(ptr, value, size, stream):
    if size:
        _core.raw_fill(int(ptr), int(value) & 0xFF, 1, int(size), stream=core_stream(stream))


# Memory of other processes, by the addresses it is opened at.
_opened = {}
ipcMemLazyEnablePeerAccess = 1


def ipcGetMemHandle(devPtr):
    """What another process opens the memory with, as bytes: the driver's handle and, for memory that does not begin a
    block of the driver's, the distance from there."""
    try:
        return _core.export_memory(devPtr)
    except NotImplementedError as error:
        raise cuda_error("NotSupported", str(error)) from error


def ipcOpenMemHandle(handle, flags=ipcMemLazyEnablePeerAccess):
    """The address of another process's memory."""
    try:
        memory = _core.Buffer.open(bytes(handle))
    except ValueError as error:
        raise cuda_error("InvalidValue", str(error)) from error
    except NotImplementedError as error:
        raise cuda_error("NotSupported", str(error)) from error
    _opened[memory.pointer] = memory
    return memory.pointer


def ipcCloseMemHandle(devPtr):
    """Ends the use of another process's memory, after the work on it."""
    memory = _opened.pop(devPtr, None)
    if memory is None:
        raise cuda_error("InvalidValue", f"ipcCloseMemHandle: no memory was opened at {devPtr:#x}")
    memory.release()


class PointerAttributes:
    """What pointerGetAttributes gives."""

    def __init__(self, device, devicePointer, hostPointer, type):
        self.device, self.devicePointer, self.hostPointer, self.type = device, devicePointer, hostPointer, type

    def __repr__(self):
        return f"<PointerAttributes type={self.type} device={self.device}>"


def pointerGetAttributes(ptr):
    """Where an address lies."""
    on_device = _on_device(ptr)
    kind = memoryTypeDevice if on_device else memoryTypeHost if ptr in _allocations else memoryTypeUnregistered
    return PointerAttributes(getDevice() if on_device else -2, ptr if on_device else 0, 0 if on_device else ptr, kind)


# Streams and events, by their handles; the objects are kept until they are destroyed.
_streams, _events = {}, {}


def _event(handle):
    try:
        return _events[handle]
    except KeyError:
        raise cuda_error("InvalidResourceHandle", f"there is no event {handle}") from None


def _create_stream(blocking=True, priority=0):
    stream = _core.current_device().create_stream(blocking=blocking, priority=priority)
    _core.track_raw_stream(stream)
    _streams[stream.handle] = stream
    return stream.handle


def streamCreate():
    """The handle of a new stream."""
    return _create_stream()


def streamCreateWithFlags(flags):
    return _create_stream(not flags & streamNonBlocking)


def streamCreateWithPriority(flags, priority):
    return _create_stream(not flags & streamNonBlocking, priority)


def deviceGetStreamPriorityRange():
    """(least, greatest) priority."""
    return tuple(_core.current_device().stream_priorities)


def streamDestroy(stream):
    if _streams.pop(stream, None) is None:
        raise cuda_error("InvalidResourceHandle", f"there is no stream {stream}")


def streamSynchronize(stream):
    core_stream(stream).synchronize()


def streamQuery(stream):
    """0 when all work on the stream is done, else errorNotReady."""
    return 0 if core_stream(stream).query() else ERRORS["NotReady"][0]


def streamWaitEvent(stream, event, flags=0):
    core_stream(stream).wait(_event(event))


def streamAddCallback(stream, callback, arg, flags=0):
    """Calls callback(stream, status, arg) on a thread of the runtime after all earlier work."""
    core_stream(stream).host_call(lambda: callback(stream, 0, arg))


def launchHostFunc(stream, callback, arg):
    """Calls callback(arg) on a thread of the runtime after all earlier work."""
    core_stream(stream).host_call(lambda: callback(arg))


def eventCreate():
    """The handle of a new event."""
    return eventCreateWithFlags(eventDefault)


def eventCreateWithFlags(flags):
    event = _core.current_device().create_event(
        timing=not flags & eventDisableTiming, blocking_sync=bool(flags & eventBlockingSync)
    )
    # On the cpu device handles of events may not be unique, the object's identity is.
    handle = event.handle if event.device.kind == "cuda" else id(event)
    _events[handle] = event
    return handle


def eventDestroy(event):
    _event(event)
    del _events[event]


def eventRecord(event, stream):
    core_stream(stream).record(_event(event))


def eventSynchronize(event):
    _event(event).synchronize()


def eventQuery(event):
    """0 when what was recorded is done, else errorNotReady."""
    return 0 if _event(event).query() else ERRORS["NotReady"][0]


def eventElapsedTime(start, end):
    """Milliseconds between two events that have been reached."""
    return _event(end).elapsed_ms(_event(start))


def memPrefetchAsync(devPtr, count, dstDevice, stream):
    """A hint on managed memory, which the device does without."""


def memAdvise(devPtr, count, advice, device):
    """A hint on managed memory, which the device does without."""


def __getattr__(name):
    raise AttributeError(f"cupy.cuda.runtime.{name} is not offered by lanewise")
