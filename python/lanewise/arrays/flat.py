"""The elements of an array in C order, as `x.flat`."""

import numpy as np

from lanewise.arrays.operands import core

__all__ = ["flatiter"]


class flatiter:
    """Reads, writes and walks through the elements of an array in C order, however they lie in memory."""

    def __init__(self, base):
        self.base = base
        self.index = 0

    def _row(self):
        """The elements in one dimension; a view where there can be one."""
        return core.reshape(self.base, (-1,))

    @property
    def coords(self):
        """The indices of the next element."""
        return tuple(map(int, np.unravel_index(self.index, self.base.shape)))

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return flatiter(self.base)

    def __next__(self):
        if self.index >= self.base.size:
            raise StopIteration
        element = self._row()[self.index]
        self.index += 1
        return element

    next = __next__

    def __getitem__(self, key):
        chosen = self._row()[key]
        return chosen.copy() if isinstance(key, slice) or key is Ellipsis else chosen

    def __setitem__(self, key, value):
        """Where there are more places than values, the values repeat."""
        places = core.arange(self.base.size, device=self.base.device)[key]
        if places.size:
            core.put(self.base, places, value, "raise")

    def copy(self):
        """A new array of one dimension."""
        return self._row().copy()

    def __array__(self, dtype=None, copy=None):
        return self._row().__array__(dtype, copy)

    def __dlpack__(self, **kwargs):
        return self._row().__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.base.__dlpack_device__()

    def __repr__(self):
        return f"<flat elements of {type(self.base).__qualname__} of shape {self.base.shape}>"
