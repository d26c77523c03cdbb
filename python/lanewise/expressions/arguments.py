"""What callers give to expressions: device arrays and numbers."""

import contextlib
import numbers

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import core, is_device_object
from lanewise.cuda.streams import as_stream
from lanewise.expressions import layout


def argument(value, parameter, call):
    """An Array, a NumPy scalar or a Python number. TypeError for anything else."""
    if isinstance(value, _core.Array):
        return value
    if isinstance(value, np.generic):
        if value.dtype.kind not in "biufc" and value.dtype.name != "bfloat16":
            raise TypeError(f"{call}: '{parameter.declaration}' cannot be a {type(value).__name__}")
        return value
    for kind in (bool, int, float, complex):
        if isinstance(value, kind):
            return kind(value)
    if hasattr(value, "__cupy_get_ndarray__"):
        return argument(value.__cupy_get_ndarray__(), parameter, call)
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return argument(value[()], parameter, call)
        raise TypeError(
            f"{call}: '{parameter.declaration}' is a NumPy array, which lies in the host's memory; lanewise.asarray(x) "
            "copies it to the device"
        )
    if is_device_object(value):
        return core.wrap(value)
    if isinstance(value, (list, tuple)):
        raise TypeError(
            f"{call}: '{parameter.declaration}' is a {type(value).__name__}; lanewise.asarray(x) makes it an array on "
            "the device"
        )
    if isinstance(value, numbers.Number):
        raise TypeError(f"{call}: '{parameter.declaration}' cannot be a {type(value).__name__}")
    raise TypeError(
        f"{call}: '{parameter.declaration}' takes an array on a device or a number, not {type(value).__name__}"
    )


def output(value, parameter, call):
    """An Array that may be written."""
    array = argument(value, parameter, call)
    if not isinstance(array, _core.Array):
        raise TypeError(f"{call}: the output '{parameter.declaration}' has to be an array, not {type(value).__name__}")
    if array.read_only:
        raise ValueError(f"{call}: the array for the output '{parameter.declaration}' is read-only")
    return array


def collect(args, in_params, out_params, call):
    """The arguments of a call: inputs, and the outputs if they are given."""
    inputs, everything = len(in_params), len(in_params) + len(out_params)
    if len(args) not in (inputs, everything):
        expected = f"{inputs}" if not out_params else f"{inputs} (or {everything}, with outputs)"
        raise TypeError(f"{call} takes {expected} arguments, not {len(args)}")
    values = [argument(value, parameter, call) for value, parameter in zip(args, in_params, strict=False)]
    values += [output(value, parameter, call) for value, parameter in zip(args[inputs:], out_params, strict=False)]
    return values


def extents(values):
    """(position, first byte, end) of the elements of each array, from the address of its first element."""
    return [
        (n, *layout.extent(value.shape, value.strides, value.itemsize))
        for n, value in enumerate(values)
        if isinstance(value, _core.Array) and value.size
    ]


def copy_overlapping(values, extents, inputs, *, same_is_fine):
    """Replaces inputs that share memory with an output by copies; `same_is_fine`: unless they are the same elements in
    the same order."""
    for index, first, end in extents:
        if index >= inputs:
            break
        value, start = values[index], values[index].address
        for other_index, other_first, other_end in extents:
            other = values[other_index]
            if other_index < inputs or start + end <= other.address + other_first:
                continue
            if other.address + other_end <= start + first:
                continue
            same = start == other.address and value.shape == other.shape and value.strides == other.strides
            if not (same and same_is_fine):
                values[index] = value.copy()
                break


def common_device(arrays, call):
    """The device of the arrays, or the current one. ValueError when they are on several."""
    device = None
    for array in arrays:
        if device is None:
            device = array.device
        elif array.device != device:
            raise ValueError(f"{call}: the arrays are on several devices, {device.name} and {array.device.name}")
    return device or _core.current_device()


def launch_stream(stream, device, call):
    """The stream that a launch is given. ValueError when it is on another device."""
    stream = getattr(stream, "__lanewise_stream__", None) or as_stream(stream) or _core.current_stream(device)
    if stream.device != device:
        raise ValueError(f"{call}: the stream is on {stream.device.name} and the arrays are on {device.name}")
    return stream


@contextlib.contextmanager
def current(stream):
    """Makes a stream current in the block."""
    before = _core.set_current_stream(stream)
    try:
        yield
    finally:
        _core.set_current_stream(before)


def result_class(arrays):
    """The class of arrays that a call with these makes."""
    if arrays:
        return type(arrays[0])
    import lanewise

    return lanewise.ndarray
