"""fuse: functions of arrays whose operations share kernels."""

import functools


def fuse(*args, **kwargs):
    """Decorator of functions of arrays, `@fuse` or `@fuse(kernel_name="name")`, for programs that ask for fusion.

    Operations on arrays are computed together in any case, when a value is needed, so the function is called as it is:
    the decorator changes no result. `kernel_name` is accepted."""
    unknown = set(kwargs) - {"kernel_name"}
    if unknown:
        raise TypeError(f"fuse() takes kernel_name, not {', '.join(sorted(unknown))}")
    if not args:
        return _fused
    if len(args) != 1 or not callable(args[0]):
        raise TypeError(f"fuse() decorates one function, not {', '.join(type(arg).__name__ for arg in args)}")
    return _fused(args[0])


def _fused(function):
    @functools.wraps(function)
    def fused(*args, **kwargs):
        return function(*args, **kwargs)

    return fused
