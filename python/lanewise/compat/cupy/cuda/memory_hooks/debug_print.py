"""cupy.cuda.memory_hooks.debug_print."""

import json
import sys

from lanewise.compat.cupy.cuda.memory_hook import MemoryHook


class DebugPrintHook(MemoryHook):
    """Writes a line of JSON for each allocation and release."""

    name = "DebugPrintHook"

    def __init__(self, file=sys.stdout, flush=True):
        self.file = file
        self.flush = flush

    def _write(self, event, facts):
        print(json.dumps({"hook": event, **facts}), file=self.file, flush=self.flush)

    def alloc_postprocess(self, **kwargs):
        self._write("alloc", kwargs)

    def malloc_postprocess(self, **kwargs):
        self._write("malloc", kwargs)

    def free_postprocess(self, **kwargs):
        self._write("free", kwargs)
