"""Bits packed into bytes."""

import operator

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import along, as_array, as_axis, core
from lanewise.arrays.padding import pad

__all__ = ["packbits", "unpackbits"]

_ufuncs = _core.ufuncs
_BITS = np.arange(8, dtype=np.uint8)


def _line(a, axis):
    """The array and axis that are meant; None: the elements in C order."""
    return (core.reshape(a, (-1,)), 0) if axis is None or a.ndim == 0 else (a, as_axis(axis, a.ndim))


def _shifts(bitorder, like, call):
    """By how much each bit of a byte is shifted."""
    if bitorder not in ("big", "little"):
        raise ValueError(f"{call}: bitorder must be 'big' or 'little', not {bitorder!r}")
    return core.from_host(_BITS if bitorder == "little" else _BITS[::-1].copy(), device=like.device)


def packbits(a, /, axis=None, bitorder="big"):
    """Eight elements to a byte, a set bit for each that is not zero; what lacks to the last byte is zero."""
    a = as_array(a, "packbits")
    if a.dtype.kind not in "biu":
        raise TypeError(f"packbits: expected an array of integers or booleans, not {a.dtype}")
    shifts = _shifts(bitorder, a, "packbits")
    a, axis = _line(a, axis)
    bits = core.moveaxis(core.astype(a != 0, np.uint8), axis, -1)
    missing = -bits.shape[-1] % 8
    if missing:
        bits = pad(bits, ((0, 0),) * (bits.ndim - 1) + ((0, missing),))
    bytes_ = _ufuncs["left_shift"](core.reshape(bits, (*bits.shape[:-1], bits.shape[-1] // 8, 8)), shifts)
    return core.moveaxis(core.sum(bytes_, -1, dtype=np.uint8), -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes, an element each; `count`: so many, with zeros at the end where there are not enough."""
    a = as_array(a, "unpackbits")
    if a.dtype != np.uint8:
        raise TypeError(f"unpackbits: expected an array of uint8, not {a.dtype}")
    shifts = _shifts(bitorder, a, "unpackbits")
    a, axis = _line(a, axis)
    lines = core.expand_dims(core.moveaxis(a, axis, -1), -1)
    bits = _ufuncs["bitwise_and"](_ufuncs["right_shift"](lines, shifts), np.uint8(1))
    bits = core.moveaxis(core.reshape(bits, (*bits.shape[:-2], bits.shape[-2] * 8)), -1, axis)
    if count is None:
        return bits
    count, there = operator.index(count), bits.shape[axis]
    if -count > there:
        raise ValueError(f"unpackbits: count {count} cuts off more than the {there} bits that there are")
    if count <= there:
        return bits[along(bits.ndim, axis, slice(count))]
    widths = [(0, 0)] * bits.ndim
    widths[axis] = (0, count - there)
    return pad(bits, widths)
