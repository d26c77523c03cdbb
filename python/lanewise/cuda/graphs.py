"""Graphs: work captured from a stream, to be launched as a whole as often as wanted."""

import contextlib

from lanewise import _core
from lanewise.cuda.streams import as_stream

Graph = _core.Graph


@contextlib.contextmanager
def graph(stream=None, *, mode="relaxed"):
    """Captures the work of the block: kernels, operations on arrays, copies. It gives the Graph, which is complete when
    the block has ended.

    stream: is current in the block, and captured; by default a new one."""
    stream = as_stream(stream) or _core.current_device().create_stream(blocking=False)
    captured = Graph()
    with stream:
        stream.begin_capture(mode)
        try:
            yield captured
        except BaseException:
            # The block's own exception says what went wrong.
            with contextlib.suppress(_core.DriverError):
                stream.end_capture()
            raise
        stream.end_capture(captured)
