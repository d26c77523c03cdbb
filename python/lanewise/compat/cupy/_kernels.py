"""cupy.RawKernel and cupy.RawModule."""

from lanewise import raw
from lanewise.compat.cupy.cuda._memory import BufferMemory, MemoryPointer


def _backend(name):
    """CuPy's default is "nvrtc"; it means whichever compiler there is for the device."""
    if name not in ("nvrtc", "nvcc", "auto", "clang"):
        raise ValueError(f"the backend is 'nvrtc' or 'nvcc', not {name!r}")
    return "auto" if name == "nvrtc" else name


class _Asked:
    """What CuPy's kernels and modules say of how they were made."""

    @property
    def backend(self):
        """As asked for."""
        backend = super().backend
        return "nvrtc" if backend == "auto" else backend

    @property
    def enable_cooperative_groups(self):
        return self.cooperative


class RawKernel(_Asked, raw.RawKernel):
    """A kernel of CUDA C++ text: `kernel((blocks,), (threads,), (arguments...))`, on the current stream."""

    __module__ = "cupy"

    def __init__(
        self,
        code,
        name,
        options=(),
        backend="nvrtc",
        *,
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        jitify=False,
    ):
        super().__init__(
            code,
            name,
            tuple(options),
            _backend(backend),
            translate_cucomplex=translate_cucomplex,
            enable_cooperative_groups=enable_cooperative_groups,
            jitify=jitify,
            lenient=True,
        )

    def __reduce__(self):
        return _restored, (self.code, self.name, self.options, self.backend, self.cooperative)


def _restored(code, name, options, backend, cooperative):
    return RawKernel(code, name, options, backend, enable_cooperative_groups=cooperative)


class RawModule(_Asked, raw.RawModule):
    """CUDA C++ text with kernels, templates and variables, or code that has been compiled (`path`)."""

    __module__ = "cupy"

    def __init__(
        self,
        code=None,
        *,
        path=None,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        name_expressions=None,
        jitify=False,
    ):
        super().__init__(
            code,
            path=path,
            options=tuple(options),
            backend=_backend(backend),
            translate_cucomplex=translate_cucomplex,
            enable_cooperative_groups=enable_cooperative_groups,
            name_expressions=name_expressions,
            jitify=jitify,
        )

    def get_function(self, name):
        """A kernel by its name or by one of the name_expressions."""
        return super().get_function(name, lenient=True)

    def get_global(self, name):
        """A variable, as a MemoryPointer."""
        return MemoryPointer(BufferMemory(super().get_global(name)), 0)

    def get_texref(self, name):
        raise NotImplementedError(
            "RawModule.get_texref: CUDA's compilers have had no texture references since CUDA 12; pass a pointer"
        )
