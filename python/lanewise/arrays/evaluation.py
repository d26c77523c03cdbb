"""When operations are computed."""

from lanewise import _core

__all__ = ["eager", "evaluate"]


def evaluate(*what):
    """Launches what is pending of these arrays and streams; without arguments, everything. Does not wait for it."""
    for one in what or (None,):
        _core.functions.evaluate(one)


def eager():
    """A context manager: operations inside are computed at once, one by one."""
    return _core.functions.Eager()
