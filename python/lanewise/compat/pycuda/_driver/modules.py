"""Modules of compiled code, and the linker that makes them from parts."""

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


#: Options of the core's linker that stand for options of the driver's.
_LINK_OPTIONS = {
    jit_option.MAX_REGISTERS: ("max_registers", int),
    jit_option.OPTIMIZATION_LEVEL: ("opt_level", lambda value: min(int(value), 3)),
    jit_option.GENERATE_DEBUG_INFO: ("debug", bool),
    jit_option.GENERATE_LINE_INFO: ("line_info", bool),
    jit_option.LOG_VERBOSE: ("verbose", bool),
}


def _known_options(options, table, call):
    """(entry of `table`, value) of each option that has an effect."""
    for option, value in options:
        option = jit_option(option)
        if option in table:
            yield table[option], value
        elif option not in _WITHOUT_EFFECT:
            raise driver_error(errors.INVALID_VALUE, call, f"the option {option} cannot be given")


def _compiler_options(options):
    made = [spell(value) for spell, value in _known_options(options, _JIT_OPTIONS, "cuModuleLoadDataEx")]
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


#: The core's names of the forms that parts have.
_LINK_INPUTS = {
    jit_input_type.CUBIN: "cubin",
    jit_input_type.PTX: "ptx",
    jit_input_type.FATBINARY: "fatbin",
    jit_input_type.OBJECT: "object",
    jit_input_type.LIBRARY: "library",
}


class Linker:
    """Makes one module from parts: PTX, cubins, fatbins, objects and libraries."""

    __module__ = "pycuda._driver"

    @checked("cuLinkCreate", ValueError)
    def __init__(self, message_handler=None, options=None, log_verbose=False):
        _require_gpu("cuLinkCreate")
        self._handler = message_handler
        settings = {
            name: convert(value)
            for (name, convert), value in _known_options(options or (), _LINK_OPTIONS, "cuLinkCreate")
        }
        self._linker = _core.Linker(device=current_core(), **{"verbose": bool(log_verbose), **settings})

    def _tell(self, success):
        if self._handler is not None:
            self._handler(success, self._linker.information, self._linker.errors)

    def _step(self, call, function, *arguments):
        try:
            return function(*arguments)
        except CORE_ERRORS as error:
            self._tell(False)
            code = getattr(error, "code", 0) or errors.INVALID_VALUE
            raise driver_error(code, call, self._linker.errors, _core.cuda_error_text(code)) from error

    def add_data(self, data, input_type, name="unknown"):
        """Adds a part from its bytes."""
        form = _LINK_INPUTS.get(jit_input_type(input_type))
        if form is None:
            raise driver_error(errors.INVALID_VALUE, "cuLinkAddData", f"parts cannot be {input_type!r}")
        self._step("cuLinkAddData", self._linker.add, form, bytes(data), name)

    def add_file(self, filename, input_type):
        """Adds a part from a file."""
        if not os.path.exists(filename):
            raise driver_error(errors.FILE_NOT_FOUND, "cuLinkAddFile", f"there is no file {filename}")
        with open(filename, "rb") as file:
            self.add_data(file.read(), input_type, os.fspath(filename))

    def link_module(self):
        """The module of all parts."""
        image = self._step("cuLinkComplete", self._linker.complete)
        module = load(_core.RawModule(image=image), "cuModuleLoadData")
        self._tell(True)
        return module
