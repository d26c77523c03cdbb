"""cupy.ufunc: functions of each element."""

from lanewise import _core
from lanewise.compat.cupy._array import as_face, ndarray


class ufunc:
    """A function of each element of arrays and numbers. Arrays of the host are refused."""

    __module__ = "cupy"

    def __init__(self, core):
        self._core = core
        self.__name__ = core.__name__
        self.__doc__ = core.__doc__

    nin = property(lambda self: self._core.nin)
    nout = property(lambda self: self._core.nout)
    nargs = property(lambda self: self._core.nargs)
    types = property(lambda self: self._core.types)
    name = property(lambda self: f"cupy_{self.__name__}")

    def __call__(self, *args, **kwargs):
        result = self._core(*args, **kwargs)
        return result if type(result) is ndarray else as_face(result)

    def reduce(self, *args, **kwargs):
        return as_face(self._core.reduce(*args, **kwargs))

    def accumulate(self, *args, **kwargs):
        return as_face(self._core.accumulate(*args, **kwargs))

    def reduceat(self, *args, **kwargs):
        return as_face(self._core.reduceat(*args, **kwargs))

    def outer(self, *args, **kwargs):
        return as_face(self._core.outer(*args, **kwargs))

    def at(self, *args):
        self._core.at(*args)

    def __repr__(self):
        return f"<ufunc 'cupy_{self.__name__}'>"

    def __reduce__(self):
        return find, (self.__name__,)


_known = {}


def find(name):
    """The ufunc of a name of the core's."""
    if name not in _known:
        _known[name] = ufunc(_core.ufuncs[name])
    return _known[name]
