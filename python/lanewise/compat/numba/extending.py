"""numba.extending: teaching the compiler new types and functions is not offered yet."""

from lanewise.compat.numba.cpu import njit
from lanewise.compat.numba.later import module_getattr


def register_jitable(*args, **kwargs):
    """A function that kernels may call: every plain Python function is one."""
    if args and callable(args[0]):
        return args[0]
    return lambda function: function


__getattr__ = module_getattr("numba.extending", "extending the kernel language")
__all__ = ["njit", "register_jitable"]
