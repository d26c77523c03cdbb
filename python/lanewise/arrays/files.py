"""Arrays in files, read and written by the host."""

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import core

__all__ = [
    "genfromtxt",
    "load",
    "loadtxt",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
]


def _host(x):
    return x.to_host() if isinstance(x, _core.Array) else x


def save(file, arr, allow_pickle=True):
    """Writes an array in the format .npy."""
    np.save(file, _host(arr), allow_pickle=allow_pickle)


def savez(file, *args, allow_pickle=True, **kwds):
    """Writes arrays in the format .npz."""
    np.savez(file, *map(_host, args), allow_pickle=allow_pickle, **{name: _host(x) for name, x in kwds.items()})


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """Writes arrays in the format .npz, compressed."""
    np.savez_compressed(
        file, *map(_host, args), allow_pickle=allow_pickle, **{name: _host(x) for name, x in kwds.items()}
    )


def savetxt(fname, X, *args, **kwargs):
    """Writes an array of one or two dimensions as text; arguments as of numpy.savetxt."""
    np.savetxt(fname, _host(X), *args, **kwargs)


class NpzFile:
    """The arrays of an .npz file, copied to the device when they are asked for."""

    def __init__(self, npz, device):
        self._npz = npz
        self._device = device
        self.files = npz.files

    def __getitem__(self, key):
        return core.from_host(self._npz[key], device=self._device)

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __contains__(self, key):
        return key in self._npz

    def keys(self):
        return self._npz.keys()

    def items(self):
        return ((name, self[name]) for name in self.files)

    def values(self):
        return (self[name] for name in self.files)

    def close(self):
        self._npz.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __repr__(self):
        return f"lanewise.{self._npz!r}"


def load(file, mmap_mode=None, allow_pickle=False, *, device=None):
    """The array of an .npy file, on the device; the arrays of an .npz file by name."""
    device = None if device is None else _core.device(device)
    loaded = np.load(file, mmap_mode=mmap_mode, allow_pickle=allow_pickle)
    if isinstance(loaded, np.lib.npyio.NpzFile):
        return NpzFile(loaded, device)
    return core.from_host(loaded, device=device)


def loadtxt(*args, device=None, **kwargs):
    """The numbers in a text file; arguments as of numpy.loadtxt."""
    return core.from_host(np.loadtxt(*args, **kwargs), device=None if device is None else _core.device(device))


def genfromtxt(*args, device=None, **kwargs):
    """The numbers in a text file, with gaps filled; arguments as of numpy.genfromtxt."""
    return core.from_host(np.genfromtxt(*args, **kwargs), device=None if device is None else _core.device(device))
