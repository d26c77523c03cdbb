"""pycuda.compiler: CUDA C++ text to modules, by the compilers that lanewise has. nvcc runs only where asked for."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import warnings

from lanewise import _core
from lanewise.compat.pycuda import driver
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.errors import CORE_ERRORS, CompileError, refuse, translated
from lanewise.compat.pycuda._driver.modules import SOURCE_MAGIC
from lanewise.errors import DriverError, OutOfMemoryError

#: Options of compilations that name none.
DEFAULT_NVCC_FLAGS = os.environ.get("PYCUDA_DEFAULT_NVCC_FLAGS", "").split()

_FILE_NAME = "kernel.cu"
#: What PTX is made for where there is no GPU and none is named.
_CPU_ARCHITECTURE = "sm_90"

_debugging = False
_nvcc_lock = threading.Lock()


def set_debugging(flag=True):
    """Compilations from now on keep what debuggers need."""
    global _debugging
    _debugging = flag


def _settings(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs):
    """Arguments of RawModule."""
    options = list(DEFAULT_NVCC_FLAGS if options is None else options)
    on_cpu = current_core().kind == "cpu"
    if not on_cpu:
        # The cpu device runs code for every architecture.
        options += [f"-arch={arch}"] if arch is not None else []
        options += [f"-code={code}"] if code is not None else []
    if _debugging:
        options += ["-g", "-G"]
        keep = True
    options += [f"-I{folder}" for folder in include_dirs]
    folder = ""
    if keep:
        folder = tempfile.mkdtemp(prefix="pycuda-")
        with open(os.path.join(folder, _FILE_NAME), "w") as file:
            file.write(source if no_extern_c else f'extern "C" {{\n{source}\n}}\n')
        print(f"*** compiler output in {folder}", file=sys.stderr)
    by_nvcc = nvcc != "nvcc" or (keep and not on_cpu)
    return {
        "code": source,
        "options": options,
        "backend": "nvcc" if by_nvcc else "auto",
        "extern_c": not no_extern_c,
        "file_name": _FILE_NAME,
        "use_disk_cache": cache_dir is not False and not os.environ.get("PYCUDA_DISABLE_CACHE"),
        "keep_folder": folder if by_nvcc else "",
    }


@contextlib.contextmanager
def _chosen_nvcc(nvcc):
    """The nvcc that a program names, for the time of a compilation."""
    if nvcc == "nvcc":
        yield
        return
    with _nvcc_lock:
        before = os.environ.get("LANEWISE_NVCC")
        os.environ["LANEWISE_NVCC"] = str(nvcc)
        try:
            yield
        finally:
            if before is None:
                del os.environ["LANEWISE_NVCC"]
            else:
                os.environ["LANEWISE_NVCC"] = before


@contextlib.contextmanager
def _compile_errors(settings):
    try:
        yield
    except (*CORE_ERRORS, ValueError) as error:
        if isinstance(error, (DriverError, OutOfMemoryError)):
            raise translated(error, "cuModuleLoadDataEx") from error
        by_nvcc = settings["backend"] == "nvcc"
        command = ["nvcc", *settings["options"], _FILE_NAME] if by_nvcc else list(settings["options"])
        message = f"{'nvcc ' if by_nvcc else ''}compilation of {_FILE_NAME} failed"
        raise CompileError(message, command, "", getattr(error, "log", "") or str(error)) from error


def _warn(text, stacklevel):
    if text.strip():
        warnings.warn(
            f"The CUDA compiler succeeded, but said the following:\n{text.strip()}", UserWarning, stacklevel + 1
        )


def compile(
    source,
    nvcc="nvcc",
    options=None,
    keep=False,
    no_extern_c=False,
    arch=None,
    code=None,
    cache_dir=None,
    include_dirs=(),
    target="cubin",
):
    """The bytes of a cubin or of PTX, for module_from_buffer. On the cpu device, whose code is made by the host that
    runs it, the bytes for target="cubin" stand for the text."""
    if target not in ("cubin", "ptx"):
        if target == "fatbin":
            refuse('compile(target="fatbin")', 'compile for the device at hand with target="cubin"')
        raise ValueError(f'target is "cubin" or "ptx", got {target!r}')
    settings = _settings(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs)
    with _chosen_nvcc(nvcc), _compile_errors(settings):
        if current_core().kind == "cpu":
            if target == "ptx":
                return _core.compile_cuda_ptx(
                    source, arch or _CPU_ARCHITECTURE, options=settings["options"], extern_c=settings["extern_c"]
                )
            _core.RawModule(**settings).compile(io.StringIO())
            return SOURCE_MAGIC + json.dumps(settings).encode()
        image, log = _core.compile_cuda_image(**settings, ptx=target == "ptx")
    _warn(log, 2)
    return image


def compile_plain(source, options, keep, nvcc, cache_dir, target="cubin"):
    """compile() of a text as it is, with the options as they are."""
    return compile(source, nvcc, options, keep, True, cache_dir=cache_dir, target=target)


def get_nvcc_version(nvcc="nvcc"):
    """What `nvcc --version` prints."""
    try:
        return subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise OSError(f"{nvcc} was not found (is it on the PATH?) [{error}]; lanewise compiles without it") from error


def preprocess_source(source, options, nvcc="nvcc"):
    """The text after nvcc's preprocessor."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, _FILE_NAME)
        with open(path, "w") as file:
            file.write(source)
        command = [nvcc, "--preprocess", *options, path]
        try:
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise OSError(f"{nvcc} was not found (is it on the PATH?) [{error}]") from error
    if result.returncode:
        raise CompileError("nvcc preprocessing of kernel.cu failed", command, result.stdout, result.stderr)
    return "\n".join(line for line in result.stdout.splitlines() if not line.startswith("#"))


class CudaModule:
    """What the modules of this package have in common: `module`, and its functions as their own."""

    __module__ = "pycuda.compiler"
    module = None

    def _bind_module(self):
        self.get_global = self.module.get_global
        self.get_texref = self.module.get_texref
        self.get_surfref = self.module.get_surfref

    def get_function(self, name):
        """A kernel by its name."""
        return self.module.get_function(name)


class SourceModule(CudaModule):
    """CUDA C++ text, compiled and loaded. The text stands inside extern "C" { } unless no_extern_c is given."""

    __module__ = "pycuda.compiler"

    def __init__(
        self,
        source,
        nvcc="nvcc",
        options=None,
        keep=False,
        no_extern_c=False,
        arch=None,
        code=None,
        cache_dir=None,
        include_dirs=(),
    ):
        settings = _settings(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs)
        log = io.StringIO()
        with _chosen_nvcc(nvcc), _compile_errors(settings):
            raw = _core.RawModule(**settings)
            raw.compile(log)
        _warn(log.getvalue(), 2)
        self.module = driver.Module(raw)
        self._bind_module()


def _find_library(folders, name):
    for folder in folders:
        path = os.path.join(folder, f"lib{name}.a")
        if os.path.exists(path):
            return path
    raise driver.CompileError(f"lib{name}.a was not found in {', '.join(folders)}; give cuda_libdir=", ())


class DynamicModule(CudaModule):
    """A module from parts that call each other's device functions, or launch kernels from kernels. GPUs only; libraries
    such as cudadevrt come from an installed CUDA toolkit."""

    __module__ = "pycuda.compiler"

    def __init__(
        self,
        nvcc="nvcc",
        link_options=None,
        keep=False,
        no_extern_c=False,
        arch=None,
        code=None,
        cache_dir=None,
        include_dirs=(),
        message_handler=None,
        log_verbose=False,
        cuda_libdir=None,
    ):
        self._compile = {
            "nvcc": nvcc,
            "keep": keep,
            "no_extern_c": no_extern_c,
            "arch": arch,
            "code": code,
            "cache_dir": cache_dir,
            "include_dirs": include_dirs,
        }
        self._library_folders = [
            *([cuda_libdir] if cuda_libdir else ()),
            *(
                os.path.join(os.environ[variable], folder)
                for variable in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")
                if variable in os.environ
                for folder in ("lib64", "lib")
            ),
            "/usr/local/cuda/lib64",
            "/usr/lib/x86_64-linux-gnu",
        ]
        self.linker = driver.Linker(message_handler, link_options, log_verbose)

    def add_source(self, source, nvcc_options=None, name="kernel.ptx"):
        options = [*(DEFAULT_NVCC_FLAGS if nvcc_options is None else nvcc_options), "-rdc=true"]
        ptx = compile(source, options=options, target="ptx", **self._compile)
        self.linker.add_data(ptx, driver.jit_input_type.PTX, name)
        return self

    def add_data(self, data, input_type, name="unknown"):
        self.linker.add_data(data, input_type, name)
        return self

    def add_file(self, filename, input_type):
        self.linker.add_file(filename, input_type)
        return self

    def add_stdlib(self, libname):
        self.linker.add_file(_find_library(self._library_folders, libname), driver.jit_input_type.LIBRARY)
        return self

    def link(self):
        self.module = self.linker.link_module()
        self.linker = None
        self._bind_module()
        return self


class DynamicSourceModule(DynamicModule):
    """CUDA C++ text whose kernels may launch kernels."""

    __module__ = "pycuda.compiler"

    def __init__(
        self,
        source,
        nvcc="nvcc",
        options=None,
        keep=False,
        no_extern_c=False,
        arch=None,
        code=None,
        cache_dir=None,
        include_dirs=(),
        cuda_libdir=None,
    ):
        super().__init__(nvcc, None, keep, no_extern_c, arch, code, cache_dir, include_dirs, cuda_libdir=cuda_libdir)
        self.add_source(source, options).add_stdlib("cudadevrt").link()
