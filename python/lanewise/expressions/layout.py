"""Shapes and strides of the operands of one loop."""

import math

NARROW_LIMIT = 2**31


def broadcast(shapes):
    """The common shape; None when the shapes do not fit together."""
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for axis, extent in enumerate(shape, rank - len(shape)):
            if extent != 1 and result[axis] != extent:
                if result[axis] != 1:
                    return None
                result[axis] = extent
    return tuple(result)


def broadcast_strides(shape, strides, target):
    """Strides over the target shape, zero along axes that are repeated."""
    missing = len(target) - len(shape)
    return (0,) * missing + tuple(0 if extent == 1 else stride for extent, stride in zip(shape, strides, strict=True))


def collapse(shape, operands):
    """Shape and strides with as few axes as give the same positions in C order: axes of extent 1 go, and axes that
    every operand walks in one step are one."""
    kept_shape, kept = [], [[] for _ in operands]
    for axis, extent in enumerate(shape):
        if extent == 1:
            continue
        if kept_shape and all(
            walked[-1] == extent * strides[axis] for walked, strides in zip(kept, operands, strict=True)
        ):
            kept_shape[-1] *= extent
            for walked, strides in zip(kept, operands, strict=True):
                walked[-1] = strides[axis]
            continue
        kept_shape.append(extent)
        for walked, strides in zip(kept, operands, strict=True):
            walked.append(strides[axis])
    return tuple(kept_shape), [tuple(walked) for walked in kept]


def is_contiguous(shape, strides, itemsize):
    """Whether position p of C order is element p of memory."""
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def extent(shape, strides, itemsize):
    """(first, end) of the bytes of the elements, from the address of the first element."""
    low, high = 0, itemsize
    for length, stride in zip(shape, strides, strict=True):
        if stride < 0:
            low += (length - 1) * stride
        else:
            high += (length - 1) * stride
    return low, high


def size(shape):
    return math.prod(shape)


def c_strides(shape, itemsize):
    strides = []
    for length in reversed(shape):
        strides.append(itemsize)
        itemsize *= length
    return tuple(reversed(strides))
