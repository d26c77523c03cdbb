"""DLPack's C structs, and a library of arrays that offers and takes what these can say, right or wrong."""

import ctypes
import itertools
from typing import ClassVar

import numpy as np


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


class Table(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from_object", ctypes.c_void_p),
        ("object_from_managed", ctypes.c_void_p),
        ("tensor_from_object", ctypes.c_void_p),
        ("current_work_stream", ctypes.c_void_p),
    ]


READ_ONLY, COPIED = 1, 2
Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename_capsule = ctypes.pythonapi.PyCapsule_SetName
rename_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Foreign:
    """A NumPy array as an array of another library. Keywords change the tensor that it exports; `deleted` counts the
    calls of its deleter."""

    versioned = True
    # What is exported lives until its deleter is called.
    alive: ClassVar[dict] = {}

    def __init__(self, host, *, major=1, minor=1, flags=0, no_deleter=False, **changes):
        self.host, self.deleted = host, 0
        count = max(host.ndim, 1)
        self._shape = (ctypes.c_int64 * count)(*host.shape)
        self._strides = (ctypes.c_int64 * count)(*(stride // host.itemsize for stride in host.strides))
        self._deleter = Deleter(self._delete)
        managed = self.managed = ManagedVersioned() if self.versioned else Managed()
        if self.versioned:
            managed.major, managed.minor, managed.flags = major, minor, flags
        managed.deleter = None if no_deleter else ctypes.cast(self._deleter, ctypes.c_void_p).value
        tensor = managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = host.ctypes.data, 1, host.ndim
        tensor.code, tensor.bits, tensor.lanes = _CODES[host.dtype.kind], host.itemsize * 8, 1
        tensor.shape, tensor.strides = self._shape, self._strides
        for name, value in changes.items():
            if name in ("shape", "strides") and value is not None:
                value = (ctypes.c_int64 * max(len(value), 1))(*value)
            setattr(tensor, name, value)

    def _delete(self, _):
        self.deleted += 1
        self.alive.pop(id(self), None)

    def export(self):
        """The managed tensor for a consumer, who calls its deleter."""
        self.alive[id(self)] = self
        return ctypes.pointer(self.managed)

    def __dlpack_device__(self):
        return self.managed.tensor.device_type, self.managed.tensor.device_id

    def __dlpack__(self, *, stream=None, max_version=None):
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return new_capsule(ctypes.cast(self.export(), ctypes.c_void_p), name, None)


class ForeignUnversioned(Foreign):
    """As libraries exported before DLPack 1.0."""

    versioned = False

    def __dlpack__(self, *, stream=None):
        return super().__dlpack__()


def consume(capsule):
    """(struct, call of its deleter) of a capsule, which is used up as a consumer does it."""
    for name, kind in ((b"dltensor_versioned", ManagedVersioned), (b"dltensor", Managed)):
        if f'"{name.decode()}"' in repr(capsule):
            address = capsule_pointer(capsule, name)
            managed = kind.from_address(address)
            # The name has to outlive the capsule.
            rename_capsule(capsule, _USED[name])
            return managed, lambda: Deleter(managed.deleter)(address)
    raise AssertionError(f"no DLPack capsule: {capsule!r}")


_USED = {b"dltensor_versioned": b"used_dltensor_versioned", b"dltensor": b"used_dltensor"}


def elements(tensor, dtype):
    """The elements of a tensor in host memory, as a NumPy array of its own."""
    dtype = np.dtype(dtype)
    shape, strides = tensor.shape[: tensor.ndim], tensor.strides[: tensor.ndim]
    result = np.empty(shape, dtype)
    for index in itertools.product(*map(range, shape)):
        place = sum(i * stride for i, stride in zip(index, strides, strict=True)) * dtype.itemsize
        octets = ctypes.string_at(tensor.data + tensor.byte_offset + place, dtype.itemsize)
        result[index] = np.frombuffer(octets, dtype)[0]
    return result
