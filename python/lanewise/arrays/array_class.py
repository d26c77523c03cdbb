"""The class of lanewise's arrays: the core's, with NumPy's protocols and what is said in text."""

import numpy as np

from lanewise import _core
from lanewise.arrays import protocols
from lanewise.arrays.flat import flatiter
from lanewise.arrays.operands import core
from lanewise.arrays.printing import array_repr, array_str

__all__ = ["ndarray"]

_interface = _core.Array.__cuda_array_interface__


class ndarray(_core.ndarray):
    """An n-dimensional array on a device. `lanewise.asarray`, `zeros`, `arange` and others make arrays; operations on
    them are recorded and computed together when somebody needs the elements."""

    __slots__ = ()

    def __repr__(self):
        return array_repr(self)

    def __str__(self):
        return array_str(self)

    def __format__(self, spec):
        if self.ndim == 0:
            return format(self.item(), spec)
        if spec:
            raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__: {spec!r}")
        return str(self)

    def __array_namespace__(self, *, api_version=None):
        return protocols.namespace_of_version(api_version)

    @property
    def __cuda_array_interface__(self):
        # Who reads it takes the address for one that GPUs can use.
        if self.device.kind == "cpu":
            raise AttributeError(
                "arrays of the cpu device have no __cuda_array_interface__, as their memory is the host's; they have "
                "__dlpack__ and __array__"
            )
        return _interface.__get__(self)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if protocols.leaves_to_others(map(type, inputs), "__array_ufunc__"):
            return NotImplemented
        return protocols.call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        if protocols.leaves_to_others(types, "__array_function__"):
            return NotImplemented
        return protocols.call_function(func, args, kwargs)

    def to_device(self, device, /, *, stream=None):
        """The array on another device, by way of the host; itself when it is there already."""
        target = _core.device(device)
        if target is self.device:
            return self
        return core.from_host(self.to_host(), stream=stream, device=target, cls=type(self))

    @property
    def flat(self):
        """The elements in C order: to be read, written and walked through."""
        return flatiter(self)

    @flat.setter
    def flat(self, value):
        flatiter(self)[...] = value

    def choose(self, choices, out=None, mode="raise"):
        """As `lanewise.choose`."""
        from lanewise.arrays.indexing import choose

        return choose(self, choices, out, mode)

    def searchsorted(self, v, side="left", sorter=None):
        raise NotImplementedError(protocols.not_there_yet("searchsorted"))

    def resize(self, *new_shape, refcheck=True):
        raise NotImplementedError(
            "ndarray.resize changes an array in place, which is not possible here; lanewise.resize(x, shape) makes one"
        )

    def byteswap(self, inplace=False):
        """With the bytes of each element in reverse order."""
        if self.itemsize == 1:
            return self if inplace else self.copy()
        parts = 2 if self.dtype.kind == "c" else 1
        source = self.copy("C")
        octets = core.reshape(source.view(np.uint8), self.shape + (parts, self.itemsize // parts))
        swapped = core.reshape(core.flip(octets, -1).copy("C"), self.shape[:-1] + (-1,) if self.ndim else (-1,))
        swapped = core.reshape(swapped.view(self.dtype), self.shape)
        if not inplace:
            return swapped
        core.assign(self, swapped)
        return self

    def tofile(self, fid, sep="", format="%s"):
        """Writes the elements to a file, by way of the host."""
        self.to_host().tofile(fid, sep, format)

    def dump(self, file):
        """Writes the pickled array to a file."""
        import pickle

        if hasattr(file, "write"):
            pickle.dump(self, file)
            return
        with open(file, "wb") as stream:
            pickle.dump(self, stream)

    def dumps(self):
        """The pickled array."""
        import pickle

        return pickle.dumps(self)


_core.set_ndarray_class(ndarray)
