"""Kernels and their calls."""

import re
import struct
import time
from collections.abc import Sized

import numpy as np

from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import Context, thread
from lanewise.compat.pycuda._driver.enums import func_cache, function_attribute
from lanewise.compat.pycuda._driver.errors import CORE_ERRORS, checked, driver_error, translated
from lanewise.compat.pycuda._driver.handlers import ArgumentHandler
from lanewise.compat.pycuda._driver.streams import Event
from lanewise.compat.pycuda._driver.textures import refuse_texture

#: Shared memory carve-outs, in percent, that stand for the preferences of older devices.
_CARVEOUTS = {
    func_cache.PREFER_NONE: -1,
    func_cache.PREFER_SHARED: 100,
    func_cache.PREFER_L1: 0,
    func_cache.PREFER_EQUAL: 50,
}

#: struct's codes of native size, and those of fixed size that stand for them.
_FIXED_CODES = {"l": "q", "L": "Q", "n": "q", "N": "Q", "P": "Q"}
_COMPLEX_CODES = {"F": "f", "D": "d"}
_LAUNCH_ERRORS = (*CORE_ERRORS, ValueError)


class Function:
    """A kernel of a Module."""

    __module__ = "pycuda._driver"
    __slots__ = ("__weakref__", "_kernel", "_launch", "_packer", "module")

    def __init__(self, module, kernel):
        self.module = module
        self._kernel = kernel
        self._launch = kernel.launch_loose
        self._packer = None

    def __call__(self, *args, block=None, grid=(1, 1), stream=None, shared=0, texrefs=(), time_kernel=False, **unknown):
        """Launches the kernel. With time_kernel: waits for it, and gives its time in seconds."""
        if block is None or unknown or texrefs or time_kernel:
            return self._special_call(args, block, grid, stream, shared, texrefs, time_kernel, unknown)
        if stream is None:
            thread.stack  # noqa: B018 - a new thread takes over the default device here
        if type(block) is not tuple or len(block) != 3:
            check_block(block)
        try:
            return self._launch(grid, block, args, shared, stream)
        except TypeError:
            if not any(isinstance(arg, ArgumentHandler) for arg in args):
                raise
        except _LAUNCH_ERRORS as error:
            raise translated(error, "cuLaunchKernel") from error
        return self._call_with_handlers(args, block, grid, stream, shared)

    def _special_call(self, args, block, grid, stream, shared, texrefs, time_kernel, unknown):
        if unknown:
            raise ValueError(f"extra keyword arguments: {', '.join(unknown)}")
        if block is None:
            raise ValueError("must specify block size")
        if texrefs:
            refuse_texture("texrefs=")
        Context.synchronize()
        start = time.perf_counter()
        self(*args, block=block, grid=grid, stream=stream, shared=shared)
        Context.synchronize()
        return time.perf_counter() - start

    def _call_with_handlers(self, args, block, grid, stream, shared):
        handlers = [arg for arg in args if isinstance(arg, ArgumentHandler)]
        passed = [arg.get_device_alloc() if isinstance(arg, ArgumentHandler) else arg for arg in args]
        for handler in handlers:
            handler.pre_call(stream)
        try:
            self._launch(grid, block, passed, shared, stream)
        except _LAUNCH_ERRORS as error:
            raise translated(error, "cuLaunchKernel") from error
        for handler in handlers:
            handler.post_call(stream)

    # Prepared calls

    def prepare(self, arg_types, texrefs=()):
        """Says once of which types the arguments are: struct's codes, also F and D (complex) and P (pointer), in a
        string; or a sequence of such codes and NumPy types. Anything else stands for a pointer."""
        if texrefs:
            refuse_texture("texrefs=")
        self._packer = _Packer(_formats_of(arg_types), self._kernel.parameter_layout)
        return self

    def prepared_call(self, grid, block, *args, shared_size=0):
        """Launches with arguments as they were prepared."""
        self._launch_prepared(grid, block, None, args, shared_size)

    def prepared_async_call(self, grid, block, stream, *args, shared_size=0):
        """Launches on a stream."""
        self._launch_prepared(grid, block, stream, args, shared_size)

    def prepared_timed_call(self, grid, block, *args, shared_size=0):
        """Launches; gives a function that waits for the kernel and gives its time in seconds."""
        start, end = Event(), Event()
        start.record()
        self._launch_prepared(grid, block, None, args, shared_size)
        end.record()

        def get_call_time():
            end.synchronize()
            return end.time_since(start) * 1e-3

        return get_call_time

    def _launch_prepared(self, grid, block, stream, args, shared_size):
        if self._packer is None:
            raise driver_error(errors.INVALID_VALUE, "cuLaunchKernel", "prepare() has not been called")
        if stream is None:
            thread.stack  # noqa: B018
        if type(block) is not tuple or len(block) != 3:
            check_block(block)
        parameters = self._packer.pack(args)
        try:
            self._kernel.launch_packed(grid, block, shared_size, stream, parameters)
        except _LAUNCH_ERRORS as error:
            raise translated(error, "cuLaunchKernel") from error

    # Attributes

    @checked("cuFuncGetAttribute", ValueError)
    def get_attribute(self, attribute):
        return getattr(self._kernel, function_attribute(attribute).name.lower())

    @checked("cuFuncSetAttribute", ValueError, AttributeError)
    def set_attribute(self, attribute, value):
        """MAX_DYNAMIC_SHARED_SIZE_BYTES and PREFERRED_SHARED_MEMORY_CARVEOUT can be set."""
        setattr(self._kernel, function_attribute(attribute).name.lower(), value)

    def set_cache_config(self, config):
        """What the kernel would rather have: shared memory or cache. A hint."""
        self.set_attribute(function_attribute.PREFERRED_SHARED_MEMORY_CARVEOUT, _CARVEOUTS[func_cache(config)])

    def set_shared_config(self, config):
        """Devices have had one configuration of shared memory banks since 2014: nothing is left to choose."""

    def param_set_texref(self, texref):
        refuse_texture("param_set_texref")

    def __getattr__(self, name):
        attribute = function_attribute.__members__.get(name.upper()) if name.islower() else None
        if attribute is None:
            raise AttributeError(f"Function has no attribute {name!r}")
        return self.get_attribute(attribute)

    def __repr__(self):
        return f"<pycuda._driver.Function {self._kernel.name}>"


def check_block(block):
    if not isinstance(block, Sized) or len(block) != 3:
        raise TypeError(f"block is three ints, got {block!r}")


def _formats_of(arg_types):
    """(struct's code, bytes of a value, its alignment) of each argument that prepare() is told of."""
    codes = []
    for item in [arg_types] if isinstance(arg_types, str) else arg_types:
        if isinstance(item, str):
            for count, code in re.findall(r"(\d*)([a-zA-Z?])", item):
                codes += [f"{count}s"] if code == "s" else [code] * int(count or 1)
        else:
            codes.append(_code_of(item))
    formats = []
    for code in codes:
        size = 2 * struct.calcsize(_COMPLEX_CODES[code]) if code in _COMPLEX_CODES else struct.calcsize(f"@{code}")
        formats.append((_FIXED_CODES.get(code, code), size, 1 if code.endswith("s") else size))
    return formats


def _code_of(item):
    """Of a NumPy type; of anything else a pointer's."""
    try:
        dtype = np.dtype(item)
    except TypeError:
        return "P"
    return "P" if dtype.kind == "O" else f"{dtype.itemsize}s" if dtype.kind == "V" else dtype.char


class _Packer:
    """Arguments to the bytes of a kernel's parameters."""

    def __init__(self, formats, layout):
        if layout and len(layout) != len(formats):
            raise ValueError(f"prepare() got {len(formats)} types for a kernel of {len(layout)} parameters")
        text, position = "=", 0
        self._complex = tuple(code in _COMPLEX_CODES for code, _, _ in formats)
        self._has_complex = any(self._complex)
        for index, (code, size, alignment) in enumerate(formats):
            offset = -(-position // alignment) * alignment
            if layout:
                offset, expected = layout[index]
                if size != expected:
                    raise ValueError(
                        f"prepare(): type {index} ({code}) has {size} bytes, the kernel's parameter {expected}"
                    )
            text += "x" * (offset - position) + (2 * _COMPLEX_CODES[code] if code in _COMPLEX_CODES else code)
            position = offset + size
        self._pack = struct.Struct(text).pack
        self._count = len(formats)

    def pack(self, args):
        if self._has_complex and len(args) == self._count:
            args = [
                part
                for arg, is_complex in zip(args, self._complex, strict=True)
                for part in ((arg.real, arg.imag) if is_complex else (arg,))
            ]
        return self._pack(*args)
