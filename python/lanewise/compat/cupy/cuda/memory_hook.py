"""cupy.cuda.memory_hook: functions that are called when memory is allocated and freed."""

import threading
from collections import OrderedDict


class _Thread(threading.local):
    def __init__(self):
        self.hooks = OrderedDict()


_thread = _Thread()


def get_hooks():
    """The calling thread's hooks by name."""
    return _thread.hooks


class MemoryHook:
    """Base of hooks: override what is needed, and use it in a with block. `alloc_*` are called around allocations from
    the device, `malloc_*` and `free_*` around those of a pool; all with keyword arguments."""

    name = "MemoryHook"

    def __enter__(self):
        if self.name in _thread.hooks:
            raise KeyError(f"a memory hook of the name {self.name} is in use already")
        _thread.hooks[self.name] = self
        return self

    def __exit__(self, *exc):
        del _thread.hooks[self.name]

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


def call_hooks(function, **kwargs):
    """Calls a function of all hooks of the thread."""
    for hook in tuple(_thread.hooks.values()):
        getattr(hook, function)(**kwargs)
