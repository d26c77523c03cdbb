"""cupyx.errstate: what is done when linear algebra fails."""

import contextlib
import threading


class _Thread(threading.local):
    linalg = "ignore"


_thread = _Thread()


def geterr():
    """The settings in use."""
    return {"linalg": _thread.linalg}


def seterr(*, linalg=None):
    """Chooses what failures in linear algebra do: "ignore" or "raise". Returns the settings before."""
    before = geterr()
    if linalg is not None:
        if linalg not in ("ignore", "raise"):
            raise ValueError(f"linalg must be 'ignore' or 'raise', not {linalg!r}")
        _thread.linalg = linalg
    return before


@contextlib.contextmanager
def errstate(*, linalg=None):
    """seterr() for the time of a with block."""
    before = seterr(linalg=linalg)
    try:
        yield
    finally:
        seterr(**before)
