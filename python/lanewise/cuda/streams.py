"""Streams and events. The classes are the core's; what needs Python (callbacks with arguments, asyncio, context
managers) is added to them here, so that there is one class and one object for each stream."""

import contextlib
import threading

from lanewise import _core

Stream = _core.Stream
Event = _core.Event


def as_stream(stream):
    """A `_core.Stream`, or None for the current stream: what the core's functions take. Accepts what a launch accepts:
    None, 0, a Stream, an object with `__cuda_stream__` or one of the handle attributes of other libraries."""
    if stream is None or isinstance(stream, Stream):
        return stream
    if isinstance(stream, int):
        return external_stream(stream) if stream else None
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return external_stream(protocol()[1] if callable(protocol) else protocol[1])
    for attribute in ("cuda_stream", "ptr", "handle"):
        handle = getattr(stream, attribute, None)
        if handle is not None:
            return external_stream(int(getattr(handle, "value", handle) or 0))
    raise TypeError(
        f"a stream is a lanewise.cuda stream, 0, or an object with __cuda_stream__; got {type(stream).__name__}"
    )


def stream():
    """A new stream of the current device."""
    return _core.current_device().create_stream()


def default_stream():
    """The current device's default stream."""
    return _core.current_device().default_stream


def legacy_default_stream():
    """The default stream that orders itself with all blocking streams of the device."""
    return _core.current_device().external_stream(1)


def per_thread_default_stream():
    """The default stream of the calling thread."""
    return _core.current_device().per_thread_stream


def external_stream(ptr):
    """A stream that another library made, by its handle. Whoever made it must keep it alive."""
    return _core.current_device().external_stream(int(ptr))


def event(timing=True):
    """A new event of the current device; without `timing` it is cheaper, and has no elapsed time."""
    return _core.current_device().create_event(timing=bool(timing))


def event_elapsed_time(start, end):
    """Milliseconds between two recorded events."""
    return end.elapsed_ms(start)


class _Thread(threading.local):
    """The streams that with blocks of this thread go back to."""

    def __init__(self):
        self.before = []


_thread = _Thread()


def _enter(self):
    """Makes this the thread's current stream in the block."""
    _thread.before.append(_core.set_current_stream(self))
    return self


def _exit(self, *exc):
    _core.set_current_stream(_thread.before.pop())


@contextlib.contextmanager
def _auto_synchronize(self):
    """Waits for the stream when the block ends."""
    yield self
    self.synchronize()


def _add_callback(self, callback, arg=None):
    """Calls callback(stream, status, arg) on a thread of the runtime after all earlier work; status 0 is success."""
    self.host_call(lambda: callback(self, 0, arg))


def _async_done(self):
    """An asyncio future that is done when all earlier work is; its result is this stream."""
    import asyncio

    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def resolve():
        if not future.done():
            future.set_result(self)

    def notify():
        # The loop may have been closed meanwhile: then nobody waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(resolve)

    self.host_call(notify)
    return future


def _record(self, stream=0):
    """Records the work that is on the stream now."""
    (as_stream(stream) or _core.current_stream(self.device)).record(self)


def _wait(self, stream=0):
    """Later work on the stream waits for what this event has recorded."""
    (as_stream(stream) or _core.current_stream(self.device)).wait(self)


def _elapsed_time(self, evtend):
    """Milliseconds from this event to `evtend`."""
    return evtend.elapsed_ms(self)


Stream.__enter__ = _enter
Stream.__exit__ = _exit
Stream.auto_synchronize = _auto_synchronize
Stream.add_callback = _add_callback
Stream.async_done = _async_done
Stream.external = property(lambda self: self.kind == "external", doc="True for a stream that another library made.")
Event.record = _record
Event.wait = _wait
Event.elapsed_time = _elapsed_time
