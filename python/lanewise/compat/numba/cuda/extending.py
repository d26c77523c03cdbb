"""numba.cuda.extending: teaching the compiler new types and functions is not offered yet."""

from lanewise.compat.numba.extending import register_jitable
from lanewise.compat.numba.later import module_getattr

__getattr__ = module_getattr("numba.cuda.extending", "extending the kernel language")
__all__ = ["register_jitable"]
