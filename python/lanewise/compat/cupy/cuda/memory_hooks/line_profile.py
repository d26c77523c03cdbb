"""cupy.cuda.memory_hooks.line_profile."""

import sys
import traceback
from pathlib import Path

import lanewise
from lanewise.compat.cupy.cuda.memory_hook import MemoryHook

_OWN = str(Path(lanewise.__file__).parent)
_UNITS = ("B", "KB", "MB", "GB", "TB")


class LineProfileHook(MemoryHook):
    """Adds up, for each line of the program, the bytes that it has taken from a pool and from the device.
    `max_depth`: how many callers are kept of each line; 0: all."""

    name = "LineProfileHook"

    def __init__(self, max_depth=0):
        self.max_depth = max_depth
        self._root = _Line("_root")

    def malloc_preprocess(self, *, mem_size, **facts):
        self._add(used=mem_size)

    def alloc_preprocess(self, *, mem_size, **facts):
        self._add(acquired=mem_size)

    def _add(self, used=0, acquired=0):
        frames = [frame for frame in traceback.extract_stack() if not frame.filename.startswith(_OWN)]
        line = self._root
        line.add(used, acquired)
        for frame in frames[-self.max_depth or None :]:
            line = line.calls(f"{frame.filename}:{frame.lineno}:{frame.name}")
            line.add(used, acquired)

    def print_report(self, file=sys.stdout):
        """Writes (bytes from a pool, bytes from the device) of each line, below the line that called it."""
        self._root.write(file, 0)
        file.flush()


class _Line:
    def __init__(self, place):
        self.place, self.used, self.acquired, self.called = place, 0, 0, {}

    def calls(self, place):
        return self.called.setdefault(place, _Line(place))

    def add(self, used, acquired):
        self.used += used
        self.acquired += acquired

    def write(self, file, depth):
        print(f"{'  ' * depth}{self.place} ({_readable(self.used)}, {_readable(self.acquired)})", file=file)
        for line in self.called.values():
            line.write(file, depth + 1)


def _readable(size):
    for unit in _UNITS[:-1]:
        if size < 1024:
            return f"{size:.2f}{unit}"
        size /= 1024
    return f"{size:.2f}{_UNITS[-1]}"
