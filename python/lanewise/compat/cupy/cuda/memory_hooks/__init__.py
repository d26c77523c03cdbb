"""cupy.cuda.memory_hooks: hooks that are ready to use."""

from lanewise.compat.cupy.cuda.memory_hooks.debug_print import DebugPrintHook
from lanewise.compat.cupy.cuda.memory_hooks.line_profile import LineProfileHook
