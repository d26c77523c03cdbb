"""Ranges on the time lines of NVIDIA's profilers."""

import functools

from lanewise.compat.cupy.cuda import nvtx


class time_range:
    """A range with a name: a with block, or a decorator of functions. `sync`: it ends when the device has finished."""

    def __init__(self, message=None, color_id=None, argb_color=None, sync=False):
        if color_id is not None and argb_color is not None:
            raise ValueError("time_range takes either color_id or argb_color")
        self.message, self.color_id, self.argb_color, self.sync = message, color_id, argb_color, sync

    def __enter__(self):
        message = self.message or ""
        if self.argb_color is not None:
            nvtx.RangePushC(message, self.argb_color)
        else:
            nvtx.RangePush(message, -1 if self.color_id is None else self.color_id)
        return self

    def __exit__(self, *exc):
        if self.sync:
            from lanewise import _core

            _core.current_device().synchronize()
        nvtx.RangePop()

    def __call__(self, function):
        @functools.wraps(function)
        def in_range(*args, **kwargs):
            message = self.message or function.__name__
            with time_range(message, self.color_id, self.argb_color, self.sync):
                return function(*args, **kwargs)

        return in_range
