"""cupy.cuda.memory_hook: functions that are called when memory is allocated and freed."""

import threading
from collections import OrderedDict

from lanewise import _core


class _Thread(threading.local):
    def __init__(self):
        self.hooks = OrderedDict()


_thread = _Thread()
_listeners = []


def get_hooks():
    """The calling thread's hooks by name."""
    return _thread.hooks


def on_change(listener):
    """Calls `listener` when the calling thread's hooks have changed."""
    _listeners.append(listener)


def _changed():
    for listener in _listeners:
        listener()


class MemoryHook:
    """Base of hooks: override what is needed, and use it in a with block. `alloc_*` are called around allocations from
    the device, `malloc_*` and `free_*` around those of a pool; all with keyword arguments. In the block operations are
    computed one by one, so that each allocation is seen where the program makes it."""

    name = "MemoryHook"

    def __enter__(self):
        if self.name in _thread.hooks:
            raise KeyError(f"a memory hook of the name {self.name} is in use already")
        _core.functions.evaluate()
        _thread.hooks[self.name] = self
        self._eager = _core.functions.Eager()
        self._eager.__enter__()
        _changed()
        return self

    def __exit__(self, *exc):
        del _thread.hooks[self.name]
        self._eager.__exit__()
        _changed()

    def alloc_preprocess(self, **kwargs):
        """Before memory is taken from the device: device_id, mem_size."""

    def alloc_postprocess(self, **kwargs):
        """After that: device_id, mem_size, mem_ptr."""

    def malloc_preprocess(self, **kwargs):
        """Before memory is taken from a pool: device_id, size, mem_size."""

    def malloc_postprocess(self, **kwargs):
        """After that: device_id, size, mem_size, mem_ptr, pmem_id."""

    def free_preprocess(self, **kwargs):
        """Before memory goes back to a pool: device_id, mem_size, mem_ptr, pmem_id."""

    def free_postprocess(self, **kwargs):
        """After that; the same arguments."""


#: CuPy's name.
get_memory_hooks = get_hooks


def call_hooks(function, **kwargs):
    """Calls a function of all hooks of the thread."""
    for hook in tuple(_thread.hooks.values()):
        getattr(hook, function)(**kwargs)
