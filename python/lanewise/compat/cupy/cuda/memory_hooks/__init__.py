"""cupy.cuda.memory_hooks: hooks that are ready to use."""

from lanewise.compat.cupy.cuda.memory_hooks.debug_print import DebugPrintHook


def __getattr__(name):
    if name == "LineProfileHook":
        raise AttributeError("cupy.cuda.memory_hooks.LineProfileHook is not offered by lanewise; use DebugPrintHook")
    raise AttributeError(f"module 'cupy.cuda.memory_hooks' has no attribute {name!r}")
