"""Modules of compiled code, and the linker that makes them from parts."""

import ctypes
import json
import os

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.enums import jit_input_type, jit_option
from lanewise.compat.pycuda._driver.errors import (
    CORE_ERRORS,
    checked,
    driver_error,
    driver_text,
    library,
    translated,
)
from lanewise.compat.pycuda._driver.functions import Function
from lanewise.compat.pycuda._driver.textures import refuse_texture

#: What starts the bytes that stand for a module of the cpu device, whose code is made for the host that runs it.
SOURCE_MAGIC = b"lanewise CUDA C++ source\0"


class Module:
    __module__ = "pycuda._driver"

    def __init__(self, raw):
        self._raw = raw

    @checked("cuModuleGetFunction")
    def get_function(self, name):
        """A kernel by its name."""
        try:
            return Function(self, self._raw.get_function(name))
        except ValueError as error:
            raise driver_error(errors.NOT_FOUND, "cuModuleGetFunction", str(error)) from error

    @checked("cuModuleGetGlobal")
    def get_global(self, name):
        """(address, bytes) of a __device__ or __constant__ variable."""
        try:
            memory = self._raw.get_global(name)
        except ValueError as error:
            raise driver_error(errors.NOT_FOUND, "cuModuleGetGlobal", str(error)) from error
        return memory.pointer, memory.size

    def get_texref(self, name):
        refuse_texture("get_texref")

    def get_surfref(self, name):
        refuse_texture("get_surfref")

    def __repr__(self):
        return f"<pycuda._driver.Module of {self._raw!r}>"


#: Compiler options that stand for options of the driver's compiler.
_JIT_OPTIONS = {
    jit_option.MAX_REGISTERS: lambda value: f"--maxrregcount={int(value)}",
    jit_option.GENERATE_DEBUG_INFO: lambda value: "-G" if value else None,
    jit_option.GENERATE_LINE_INFO: lambda value: "-lineinfo" if value else None,
}
#: Those that only ask for more text, or for what is done anyway.
_WITHOUT_EFFECT = {
    jit_option.LOG_VERBOSE,
    jit_option.WALL_TIME,
    jit_option.OPTIMIZATION_LEVEL,
    jit_option.TARGET_FROM_CUCONTEXT,
    jit_option.FALLBACK_STRATEGY,
    jit_option.CACHE_MODE,
}


def _compiler_options(options):
    made = []
    for option, value in options:
        option = jit_option(option)
        if option in _JIT_OPTIONS:
            made.append(_JIT_OPTIONS[option](value))
        elif option not in _WITHOUT_EFFECT:
            raise driver_error(errors.INVALID_VALUE, "cuModuleLoadDataEx", f"the option {option} cannot be given")
    return [option for option in made if option]


def load(raw, call, message_handler=None):
    """A Module that is compiled and loaded now."""
    try:
        raw.compile()
    except (*CORE_ERRORS, ValueError) as error:
        log = getattr(error, "log", "") or str(error)
        if message_handler is not None:
            message_handler(False, "", log)
        if isinstance(error, ValueError):
            raise driver_error(200, call, str(error)) from error
        if getattr(error, "log", None) is not None:
            raise driver_error(200, call, log) from error
        raise translated(error, call) from error
    if message_handler is not None:
        message_handler(True, "", "")
    return Module(raw)


def _require_gpu(call):
    if current_core().kind == "cpu":
        raise driver_error(209, call, "the cpu device runs CUDA C++ text (SourceModule), not code compiled for a GPU")


def module_from_file(filename):
    """A module from a file with a cubin, PTX or a fatbin."""
    if not os.path.exists(filename):
        raise driver_error(errors.FILE_NOT_FOUND, "cuModuleLoad", f"there is no file {filename}")
    with open(filename, "rb") as file:
        return _module_from_bytes(file.read(), (), None, "cuModuleLoad")


def module_from_buffer(buffer, options=(), message_handler=None):
    """A module from the bytes of a cubin, PTX or a fatbin. message_handler(success, information, errors) is called with
    what the driver's compiler says."""
    return _module_from_bytes(bytes(buffer), options, message_handler, "cuModuleLoadDataEx")


def _module_from_bytes(image, options, message_handler, call):
    if image.startswith(SOURCE_MAGIC):
        settings = json.loads(bytes(image[len(SOURCE_MAGIC) :]))
        return load(_core.RawModule(**settings), call, message_handler)
    _require_gpu(call)
    return load(_core.RawModule(image=image, options=_compiler_options(options)), call, message_handler)


class Linker:
    """Makes one module from parts: PTX, cubins, fatbins, objects and libraries."""

    __module__ = "pycuda._driver"

    def __init__(self, message_handler=None, options=None, log_verbose=False):
        _require_gpu("cuLinkCreate")
        self._handler = message_handler
        self._size = 32 * 1024
        self._logs = {name: ctypes.create_string_buffer(self._size) for name in ("INFO", "ERROR")}
        settings = [
            (jit_option.INFO_LOG_BUFFER, ctypes.addressof(self._logs["INFO"])),
            (jit_option.INFO_LOG_BUFFER_SIZE_BYTES, self._size),
            (jit_option.ERROR_LOG_BUFFER, ctypes.addressof(self._logs["ERROR"])),
            (jit_option.ERROR_LOG_BUFFER_SIZE_BYTES, self._size),
            (jit_option.LOG_VERBOSE, int(bool(log_verbose))),
            *(options or ()),
        ]
        # The driver writes to the options' values until the end.
        self._keys = (ctypes.c_int * len(settings))(*(int(key) for key, _ in settings))
        self._values = (ctypes.c_void_p * len(settings))(*(int(value) for _, value in settings))
        self._state = ctypes.c_void_p()
        self._call("cuLinkCreate_v2", len(settings), self._keys, self._values, ctypes.byref(self._state))

    def _call(self, name, *arguments):
        current_core().make_current()
        code = getattr(library(), name)(*arguments)
        if code:
            texts = [self._logs[key].value.decode(errors="replace") for key in ("INFO", "ERROR")]
            if self._handler is not None:
                self._handler(False, *texts)
            raise driver_error(code, name.removesuffix("_v2"), texts[1], driver_text(code))

    def add_data(self, data, input_type, name="unknown"):
        data = bytes(data)
        if input_type == jit_input_type.PTX and not data.endswith(b"\0"):
            data += b"\0"
        size = ctypes.c_size_t(len(data))
        self._call("cuLinkAddData_v2", self._state, int(input_type), data, size, name.encode(), 0, None, None)

    def add_file(self, filename, input_type):
        self._call("cuLinkAddFile_v2", self._state, int(input_type), os.fsencode(filename), 0, None, None)

    def link_module(self):
        """The module of all parts."""
        image, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._call("cuLinkComplete", self._state, ctypes.byref(image), ctypes.byref(size))
        module = load(_core.RawModule(image=ctypes.string_at(image, size.value)), "cuModuleLoadData")
        if self._handler is not None:
            self._handler(True, *(self._logs[key].value.decode(errors="replace") for key in ("INFO", "ERROR")))
        return module

    def __del__(self):
        state = getattr(self, "_state", None)
        if state and library is not None:
            library().cuLinkDestroy(state)
