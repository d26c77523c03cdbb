"""Streams and events. Where a stream is asked for, None is the thread's default stream."""

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.enums import event_flags, stream_flags
from lanewise.compat.pycuda._driver.errors import checked, driver_error


def core_stream(stream):
    """The core's stream of a Stream, of None, or of another library's stream."""
    if stream is None:
        return _core.current_stream(current_core())
    return getattr(stream, "__lanewise_stream__", None) or _foreign_stream(stream)


def _foreign_stream(stream):
    if isinstance(stream, _core.Stream):
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is None:
        raise TypeError(f"a stream is a pycuda.driver.Stream or None; got {type(stream).__name__}")
    core = current_core().external_stream(protocol()[1] if callable(protocol) else protocol[1])
    _core.track_raw_stream(core)
    return core


class Stream:
    __module__ = "pycuda._driver"
    __slots__ = ("__lanewise_stream__", "__weakref__")

    @checked("cuStreamCreate", ValueError)
    def __init__(self, flags=0):
        if flags not in (stream_flags.DEFAULT, stream_flags.NON_BLOCKING):
            raise ValueError(f"stream flags are 0 or 1 (NON_BLOCKING), got {flags}")
        core = current_core().create_stream(blocking=not flags)
        _core.track_raw_stream(core)
        self.__lanewise_stream__ = core

    @property
    def handle(self):
        return self.__lanewise_stream__.handle

    @checked("cuStreamSynchronize")
    def synchronize(self):
        """Waits for all work on the stream."""
        self.__lanewise_stream__.synchronize()

    @checked("cuStreamQuery")
    def is_done(self):
        """True when all work on the stream is done."""
        return self.__lanewise_stream__.query()

    @checked("cuStreamWaitEvent", ValueError)
    def wait_for_event(self, event):
        """Later work on the stream waits for what the event has recorded."""
        self.__lanewise_stream__.wait(event._core)

    def __cuda_stream__(self):
        return self.__lanewise_stream__.__cuda_stream__()

    def __repr__(self):
        return f"<pycuda._driver.Stream {self.handle:#x}>"


class Event:
    __module__ = "pycuda._driver"
    __slots__ = ("__weakref__", "_core", "_recorded", "_timing")

    @checked("cuEventCreate")
    def __init__(self, flags=0):
        if flags & event_flags.INTERPROCESS:
            raise driver_error(errors.NOT_SUPPORTED, "cuEventCreate", "events for other processes cannot be made")
        self._timing = not flags & event_flags.DISABLE_TIMING
        self._recorded = False
        self._core = current_core().create_event(
            timing=self._timing, blocking_sync=bool(flags & event_flags.BLOCKING_SYNC)
        )

    @checked("cuEventRecord", ValueError)
    def record(self, stream=None):
        """Records the work that is on the stream now."""
        core_stream(stream).record(self._core)
        self._recorded = True
        return self

    @checked("cuEventSynchronize")
    def synchronize(self):
        """Waits for what was recorded."""
        self._core.synchronize()
        return self

    @checked("cuEventQuery")
    def query(self):
        """True when what was recorded is done."""
        return self._core.query()

    def time_since(self, event):
        """Milliseconds from `event` to this one."""
        return _elapsed(event, self)

    def time_till(self, event):
        """Milliseconds from this event to `event`."""
        return _elapsed(self, event)

    def ipc_handle(self):
        raise driver_error(errors.NOT_SUPPORTED, "cuIpcGetEventHandle", "events for other processes cannot be made")

    @staticmethod
    def from_ipc_handle(handle):
        raise driver_error(errors.NOT_SUPPORTED, "cuIpcOpenEventHandle", "events of other processes cannot be opened")


@checked("cuEventElapsedTime", ValueError)
def _elapsed(start, end):
    for event, which in ((start, "start"), (end, "end")):
        if not (event._timing and event._recorded):
            problem = "has no timing" if not event._timing else "has not been recorded"
            raise driver_error(errors.INVALID_HANDLE, "cuEventElapsedTime", f"the {which} event {problem}")
        if not event._core.query():
            raise driver_error(
                errors.NOT_READY, "cuEventElapsedTime", f"the {which} event has not been reached; synchronize it"
            )
    return end._core.elapsed_ms(start._core)
