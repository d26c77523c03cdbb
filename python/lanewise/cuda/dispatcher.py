"""Kernels as objects: compiling, looking at what was compiled, and launching over a number of tasks."""

import collections
import functools
import sys

from lanewise import _core
from lanewise.cuda import pickling, types
from lanewise.cuda.core_types import argument_types, normalize_signature, to_core

Statistics = collections.namedtuple("Statistics", ("cache_path", "cache_hits", "cache_misses"))


class CompiledKernel:
    """One kernel compiled for one list of argument types on one device."""

    objectmode = False

    def __init__(self, specialization):
        self.core = specialization

    def __repr__(self):
        return f"<compiled kernel {self.entry_name}{self.argument_types} for {self.core.device.name}>"

    @property
    def argument_types(self):
        return argument_types(self.core.argument_types)

    @property
    def signature(self):
        return types.Signature(types.none, self.argument_types)

    @property
    def entry_name(self):
        return self.core.symbol

    regs_per_thread = property(lambda self: self.core.registers)
    const_mem_size = property(lambda self: self.core.constant_bytes)
    shared_mem_per_block = property(lambda self: self.core.static_shared_bytes)
    max_threads_per_block = property(lambda self: self.core.max_threads_per_block)
    local_mem_per_thread = property(lambda self: self.core.local_bytes)
    cooperative = property(lambda self: self.core.cooperative)

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """The largest grid of a cooperative launch with this block and dynamic shared memory."""
        threads = 1
        for extent in blockdim if isinstance(blockdim, (tuple, list)) else (blockdim,):
            threads *= extent
        multiprocessors = self.core.device.attribute("multiprocessor_count")
        return self.core.max_active_blocks(threads, dynsmemsize) * multiprocessors

    def inspect_llvm(self):
        """The LLVM IR."""
        return self.core.llvm_ir

    def inspect_asm(self):
        """The PTX, or the assembly of the cpu device."""
        return self.core.assembly

    def inspect_sass(self):
        """The machine code of the GPU. Needs CUDA's nvdisasm."""
        return self._nvdisasm("-c")

    def inspect_sass_cfg(self):
        """The control flow graph of the machine code, in DOT. Needs CUDA's nvdisasm."""
        return self._nvdisasm("-cfg")

    def _nvdisasm(self, option):
        if self.core.device.kind != "cuda":
            raise RuntimeError("there is no SASS on the cpu device: inspect_asm() has its assembly")
        from lanewise.cuda.nvdisasm import disassemble

        return disassemble(self.core.image, option)

    def inspect_types(self, file=None):
        """Prints the source with the types of the variables assigned on each line."""
        file = sys.stdout if file is None else file
        print(self.entry_name, self.argument_types, file=file)
        print("-" * 80, file=file)
        print(self.core.typed_source, file=file)
        print("=" * 80, file=file)


class ForAll:
    """A kernel over a number of tasks: the launch configuration is worked out."""

    def __init__(self, dispatcher, ntasks, tpb, stream, sharedmem):
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        self.dispatcher = dispatcher
        self.ntasks = ntasks
        self.thread_per_block = tpb
        self.stream = stream
        self.sharedmem = sharedmem

    def __call__(self, *args):
        if self.ntasks == 0:
            return
        block = self.thread_per_block or self._occupying_block(args)
        grid = (self.ntasks + block - 1) // block
        self.dispatcher[grid, block, self.stream, self.sharedmem](*args)

    def _occupying_block(self, args):
        """The block size that fills the device best for the kernel that these arguments choose."""
        plain = [arg.array if isinstance(arg, _core.HostArgument) else arg for arg in args]
        return self.dispatcher.specialization_for(*plain).suggested_block_and_grid(self.sharedmem, 1024)[0]


class Dispatcher(_core.KernelFunction):
    """What `cuda.jit` makes of a function: `kernel[grid, block](...)` launches it."""

    def __init__(self, py_func, options, target_options, force_inline=False, carveout=-1):
        super().__init__(py_func, options=options, force_inline=force_inline, carveout=carveout)
        functools.update_wrapper(self, py_func)
        self.py_func = py_func
        self.targetoptions = target_options
        self.extensions = list(target_options.get("extensions") or ())
        if self.extensions:
            self.prepare = self._apply_extensions
        self._specialized_by_types = {}

    def __repr__(self):
        return f"<kernel {self.__qualname__}>"

    def __reduce__(self):
        declared = self.signatures if self.specialized else None
        return pickling.reduce(self, self.py_func, _rebuild, (self.targetoptions, declared))

    # Launching

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """A launch over at least `ntasks` threads in one dimension, with `tpb` threads to a block or, by default, as
        many as fill the device best."""
        return ForAll(self, ntasks, tpb, stream, sharedmem)

    def _apply_extensions(self, args, stream):
        retrieve = []
        prepared = []
        for value in args:
            try:
                ty = types.typeof(value)
            except (ValueError, NotImplementedError):
                ty = None
            for extension in reversed(self.extensions):
                ty, value = extension.prepare_args(ty, value, stream=stream, retr=retrieve)
            prepared.append(value)
        return prepared, retrieve

    # Compiling

    def compile(self, sig):
        """Compiles for a signature, or finds what was compiled."""
        arguments, result = normalize_signature(sig)
        if result is not None and result != types.void:
            raise TypeError(f"CUDA kernel must have void return type: {self.__name__} cannot return {result}")
        return CompiledKernel(super().compile([to_core(argument) for argument in arguments]))

    def compile_device(self, args, return_type=None):
        """Checks that the function compiles as a device function for these argument types; gives the result's type."""
        from lanewise.cuda.compiler import result_type

        return result_type(self.py_func, args, self.options)

    def recompile(self):
        """Compiles all signatures again: globals and closures are read anew."""
        signatures = self.signatures
        self.clear()
        for signature in signatures:
            self.compile(signature)

    def specialize(self, *args):
        """A kernel for exactly the types of these arguments."""
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        specialization = self.specialization_for(*args)
        key = specialization.argument_types, specialization.device
        found = self._specialized_by_types.get(key)
        if found is None:
            found = _rebuild(self.py_func, self.targetoptions, None)
            found.declare([list(specialization.argument_types)])
            self._specialized_by_types[key] = found
        return found

    def enable_caching(self):
        """Does nothing: compiled kernels are always kept on disk."""

    # Looking at what was compiled

    def _specializations(self):
        """Those of the calling thread's device; where it has none, all."""
        everything = self.specializations()
        device = _core.current_device()
        return [item for item in everything if item.device == device] or everything

    @property
    def overloads(self):
        """The compiled kernels by their argument types."""
        return {argument_types(item.argument_types): CompiledKernel(item) for item in self._specializations()}

    @property
    def signatures(self):
        """The argument types compiled for."""
        return list(self.overloads)

    @property
    def nopython_signatures(self):
        return [kernel.signature for kernel in self.overloads.values()]

    @property
    def stats(self):
        """(cache_path, cache_hits, cache_misses): where compiled kernels are kept, and what was found there."""
        hits, misses = collections.Counter(), collections.Counter()
        for item in self.specializations():
            (hits if item.from_disk else misses)[argument_types(item.argument_types)] += 1
        return Statistics(_core.disk_cache().path, hits, misses)

    def _overload(self, signature):
        arguments, _ = normalize_signature(signature)
        try:
            return self.overloads[arguments]
        except KeyError:
            raise KeyError(f"{self.__name__} is not compiled for {arguments}; it is for: {self.signatures}") from None

    def _query(self, attribute, signature):
        if signature is not None:
            return getattr(self._overload(signature), attribute)
        if self.specialized and len(self.overloads) == 1:
            return getattr(next(iter(self.overloads.values())), attribute)
        return {arguments: getattr(kernel, attribute) for arguments, kernel in self.overloads.items()}

    def get_regs_per_thread(self, signature=None):
        """Registers of a thread; without a signature a dict by signature, unless there is only one."""
        return self._query("regs_per_thread", signature)

    def get_const_mem_size(self, signature=None):
        """Bytes of constant memory."""
        return self._query("const_mem_size", signature)

    def get_shared_mem_per_block(self, signature=None):
        """Bytes of statically allocated shared memory."""
        return self._query("shared_mem_per_block", signature)

    def get_max_threads_per_block(self, signature=None):
        """The largest block with which the kernel can be launched."""
        return self._query("max_threads_per_block", signature)

    def get_local_mem_per_thread(self, signature=None):
        """Bytes of local memory of a thread."""
        return self._query("local_mem_per_thread", signature)

    def _inspect(self, method, signature):
        if signature is not None:
            return getattr(self._overload(signature), method)()
        return {arguments: getattr(kernel, method)() for arguments, kernel in self.overloads.items()}

    def inspect_llvm(self, signature=None):
        """The LLVM IR; without a signature a dict by signature."""
        return self._inspect("inspect_llvm", signature)

    def inspect_asm(self, signature=None):
        """The PTX (the assembly on the cpu device); without a signature a dict by signature."""
        return self._inspect("inspect_asm", signature)

    def inspect_sass(self, signature=None):
        """The GPU's machine code; without a signature a dict by signature. Needs CUDA's nvdisasm."""
        return self._inspect("inspect_sass", signature)

    def inspect_sass_cfg(self, signature=None):
        """The control flow graph of the machine code; without a signature a dict by signature. Needs CUDA's
        nvdisasm."""
        return self._inspect("inspect_sass_cfg", signature)

    def inspect_types(self, file=None):
        """Prints the source of each compiled kernel with the types of the variables assigned on each line."""
        for kernel in self.overloads.values():
            kernel.inspect_types(file=file)


def _rebuild(py_func, target_options, declared):
    from lanewise.cuda.decorators import make_dispatcher

    return make_dispatcher(py_func, target_options, declared)


# What a launch configuration is called in Numba.
_core.Launcher.griddim = property(lambda self: self.grid, doc="Blocks of the grid.")
_core.Launcher.blockdim = property(lambda self: self.block, doc="Threads of a block.")
_core.Launcher.sharedmem = property(lambda self: self.shared, doc="Bytes of dynamic shared memory.")
_core.Launcher.dispatcher = property(lambda self: self.kernel, doc="The kernel.")
