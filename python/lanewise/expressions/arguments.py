"""What callers give to expressions: device arrays and numbers."""

import numbers

import numpy as np

from lanewise import _core


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
    if _core.is_device_array(value) or hasattr(value, "__dlpack__"):
        return _core.asarray(value)
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
    if stream is None:
        return _core.current_stream(device)
    if isinstance(stream, _core.Stream):
        if stream.device != device:
            raise ValueError(f"{call}: the stream is on {stream.device.name} and the arrays are on {device.name}")
        return stream
    pointer = getattr(stream, "ptr", None)
    if pointer is None and hasattr(stream, "__cuda_stream__"):
        pointer = stream.__cuda_stream__()[1]
    if pointer is None:
        if isinstance(stream, int):
            pointer = stream
        else:
            raise TypeError(f"{call}: stream is a Stream, or None for the current one, not {type(stream).__name__}")
    return _core.current_stream(device) if pointer == 0 else device.external_stream(pointer)


def result_class(arrays):
    """The class of arrays that a call with these makes."""
    if arrays:
        return type(arrays[0])
    import lanewise

    return lanewise.ndarray
