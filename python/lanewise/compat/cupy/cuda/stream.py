"""cupy.cuda.stream: streams and events."""

from lanewise import _core
from lanewise.compat.cupy.cuda._errors import cuda_error
from lanewise.compat.cupy.cuda.device import core_of
from lanewise.cuda.streams import as_stream


def core_stream(stream):
    """The core's stream of a stream, of its handle, or of None: the current one."""
    if stream is None:
        return _core.current_stream()
    known = getattr(stream, "__lanewise_stream__", None)
    if known is not None:
        return known
    if isinstance(stream, int):
        return _by_handle(stream)
    return as_stream(stream)


def _by_handle(handle):
    device = _core.current_device()
    return device.external_stream(handle) if handle else device.default_stream


class _BaseStream:
    @property
    def ptr(self):
        """The handle: 0 for the null stream, 1 and 2 for CUDA's other default streams."""
        core = self.__lanewise_stream__
        return {"null": 0, "legacy": 1, "per-thread": 2}.get(core.kind, core.handle)

    @property
    def device_id(self):
        return self.__lanewise_stream__.device.ordinal

    def __eq__(self, other):
        if not isinstance(other, _BaseStream):
            return NotImplemented
        return self.__lanewise_stream__ == other.__lanewise_stream__

    def __hash__(self):
        return hash(self.__lanewise_stream__)

    def __repr__(self):
        name = "ExternalStream" if isinstance(self, ExternalStream) else "Stream"
        return f"<{name} {self.ptr} (device {self.device_id})>"

    def __cuda_stream__(self):
        return self.__lanewise_stream__.__cuda_stream__()

    def __enter__(self):
        self.__lanewise_stream__.__enter__()
        return self

    def __exit__(self, *exc):
        self.__lanewise_stream__.__exit__(*exc)

    def use(self):
        """Makes this the calling thread's current stream."""
        _core.set_current_stream(self.__lanewise_stream__)
        return self

    @property
    def done(self):
        """True when all work on the stream is done."""
        return self.__lanewise_stream__.query()

    def synchronize(self):
        """Waits for all work on the stream."""
        self.__lanewise_stream__.synchronize()

    def add_callback(self, callback, arg):
        """Calls callback(stream, status, arg) on a thread of the runtime after all earlier work; status 0: success."""
        self.__lanewise_stream__.host_call(lambda: callback(self, 0, arg))

    def launch_host_func(self, callback, arg):
        """Calls callback(arg) on a thread of the runtime after all earlier work."""
        self.__lanewise_stream__.host_call(lambda: callback(arg))

    def record(self, event=None):
        """Records the work that is on the stream now in `event`, or in a new one, and returns it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        """Later work on the stream waits for what the event has recorded."""
        self.__lanewise_stream__.wait(event._core)

    def begin_capture(self, mode=None):
        """Records the work that is put on the stream from now on, instead of running it. `mode`: one of
        runtime.streamCaptureModeGlobal, ...ThreadLocal and ...Relaxed, which is the default."""
        self.__lanewise_stream__.begin_capture("relaxed" if mode is None else mode)

    def end_capture(self):
        """The recorded work, a Graph; the stream runs work again."""
        return self.__lanewise_stream__.end_capture()

    def is_capturing(self):
        return self.__lanewise_stream__.is_capturing()


class Stream(_BaseStream):
    """A stream of the current device: a new one, or with `null` or `ptds` one of CUDA's default streams. A with block
    makes it current."""

    __module__ = "cupy.cuda"

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        device = _core.current_device()
        if null and ptds:
            raise ValueError("null and ptds are two different streams: give one of them")
        if null or ptds:
            self.__lanewise_stream__ = device.default_stream if null else device.per_thread_stream
        else:
            self.__lanewise_stream__ = device.create_stream(blocking=not non_blocking, priority=priority or 0)
            _core.track_raw_stream(self.__lanewise_stream__)
        self.non_blocking = bool(non_blocking)
        self.priority = priority or 0

    @classmethod
    def from_external(cls, obj):
        """Another library's stream, by its `__cuda_stream__`."""
        if not hasattr(obj, "__cuda_stream__"):
            raise TypeError(f"Stream.from_external takes an object with __cuda_stream__, got {type(obj).__name__}")
        protocol = obj.__cuda_stream__
        stream = ExternalStream((protocol() if callable(protocol) else protocol)[1])
        stream._owner = obj
        return stream


class _DefaultStream(Stream):
    """The stream of this kind of whichever device is current when it is used."""

    def __init__(self, name):
        self._name = name
        self.non_blocking = False
        self.priority = 0

    @property
    def __lanewise_stream__(self):
        return getattr(_core.current_device(), self._name)

    def __reduce__(self):
        return _default_stream, (self._name,)


class ExternalStream(_BaseStream):
    """A stream that another library made, by its handle. Whoever made it must keep it alive."""

    __module__ = "cupy.cuda"

    def __init__(self, ptr, device_id=-1):
        if device_id >= 0:
            self.__lanewise_stream__ = core_of(device_id).external_stream(int(ptr))
        else:
            self.__lanewise_stream__ = _by_handle(int(ptr))
        _core.track_raw_stream(self.__lanewise_stream__)


Stream.null = _DefaultStream("default_stream")
Stream.ptds = _DefaultStream("per_thread_stream")


def _default_stream(name):
    return Stream.null if name == "default_stream" else Stream.ptds


def get_current_stream(device_id=-1):
    """The calling thread's current stream, of the current or another device."""
    core = _core.current_stream(core_of(device_id) if device_id is not None and device_id >= 0 else None)
    if core.device == _core.current_device() and core.kind in ("null", "per-thread"):
        return Stream.null if core.kind == "null" else Stream.ptds
    stream = (ExternalStream if core.kind == "external" else Stream).__new__(
        ExternalStream if core.kind == "external" else Stream
    )
    stream.__lanewise_stream__ = core
    return stream


class Event:
    """A point in a stream's work. `block`: waiting threads sleep; `disable_timing`: cheaper, without elapsed time."""

    __module__ = "cupy.cuda"

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        if interprocess:
            raise NotImplementedError("events for other processes (interprocess=True) are not offered by lanewise yet")
        self._core = _core.current_device().create_event(timing=not disable_timing, blocking_sync=bool(block))
        self._timing = not disable_timing
        self._recorded = False

    @property
    def ptr(self):
        return self._core.handle

    @property
    def done(self):
        """True when what was recorded is done."""
        return self._core.query()

    def record(self, stream=None):
        """Records the work that is on the stream now; on the current stream without one."""
        core_stream(stream).record(self._core)
        self._recorded = True

    def synchronize(self):
        """Waits for what was recorded."""
        self._core.synchronize()


def get_elapsed_time(start_event, end_event):
    """Milliseconds between two recorded events that have been reached."""
    for event, which in ((start_event, "start"), (end_event, "end")):
        if not (event._timing and event._recorded):
            problem = "has no timing" if not event._timing else "has not been recorded"
            raise cuda_error("InvalidResourceHandle", f"the {which} event {problem}")
        if not event.done:
            raise cuda_error("NotReady", f"the {which} event has not been reached; synchronize it")
    return end_event._core.elapsed_ms(start_event._core)
