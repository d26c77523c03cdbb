"""PyCUDA's exceptions, and how errors of the core and of the driver become them."""

import builtins
import functools

import lanewise.errors as native
from lanewise import _core


class Error(Exception):
    """The base of the others. They do not derive from the builtin classes of the same name, as in PyCUDA."""

    __module__ = "pycuda._driver"

    def is_out_of_memory(self):
        return isinstance(self, MemoryError)


class MemoryError(Error):
    __module__ = "pycuda._driver"


class LogicError(Error):
    __module__ = "pycuda._driver"


class LaunchError(Error):
    __module__ = "pycuda._driver"


class RuntimeError(Error):
    __module__ = "pycuda._driver"


class CompileError(Error):
    """A compiler refused a source text."""

    __module__ = "pycuda._driver"

    def __init__(self, msg, command_line, stdout=None, stderr=None):
        super().__init__(msg, command_line, stdout, stderr)
        self.msg = msg
        self.command_line = command_line
        self.stdout = stdout
        self.stderr = stderr

    def __str__(self):
        text = self.msg
        if self.command_line:
            text += f"\n[command: {' '.join(map(str, self.command_line))}]"
        if self.stdout:
            text += f"\n[stdout:\n{self.stdout}]"
        if self.stderr:
            text += f"\n[stderr:\n{self.stderr}]"
        return text


#: CUresult: (class, the driver's text) of the codes that have a class of their own or that the face raises itself.
STATUS = {
    1: (LogicError, "invalid argument"),
    2: (MemoryError, "out of memory"),
    100: (RuntimeError, "no CUDA-capable device is detected"),
    101: (LogicError, "invalid device ordinal"),
    200: (LogicError, "device kernel image is invalid"),
    201: (LogicError, "invalid device context"),
    209: (RuntimeError, "no kernel image is available for execution on the device"),
    214: (RuntimeError, "uncorrectable ECC error encountered"),
    301: (RuntimeError, "file not found"),
    400: (LogicError, "invalid resource handle"),
    500: (LogicError, "named symbol not found"),
    600: (RuntimeError, "device not ready"),
    700: (LogicError, "an illegal memory access was encountered"),
    701: (LaunchError, "too many resources requested for launch"),
    702: (LaunchError, "the launch timed out and was terminated"),
    703: (LaunchError, "launch uses incompatible texturing mode"),
    710: (LogicError, "device-side assert triggered"),
    719: (LaunchError, "unspecified launch failure"),
    801: (LogicError, "operation not supported"),
    999: (Error, "unknown error"),
}

INVALID_VALUE, OUT_OF_MEMORY, NO_DEVICE, INVALID_DEVICE, INVALID_CONTEXT = 1, 2, 100, 101, 201
FILE_NOT_FOUND, INVALID_HANDLE, NOT_FOUND, NOT_READY, ASSERT, LAUNCH_FAILED, NOT_SUPPORTED = (
    301,
    400,
    500,
    600,
    710,
    719,
    801,
)


def driver_error(code, call, detail="", text=None):
    """The exception for a failed driver call, with PyCUDA's message: `call failed: text - detail`."""
    cls, known = STATUS.get(code, (LogicError, f"error {code}"))
    return cls(f"{call} failed: {text or known}" + (f" - {detail}" if detail else ""))


#: Classes of the core's errors that stand for one CUresult when they come out of the call in question.
_CODES = {
    native.OutOfMemoryError: OUT_OF_MEMORY,
    ValueError: INVALID_VALUE,
    AttributeError: INVALID_VALUE,
    AssertionError: ASSERT,
    NotImplementedError: NOT_SUPPORTED,
    builtins.RuntimeError: LAUNCH_FAILED,
}


def translated(error, call):
    """PyCUDA's exception for an error of the core that came out of the driver call `call`."""
    if isinstance(error, native.CompileError):
        return CompileError(str(error), (), "", error.log)
    if isinstance(error, native.DeviceUnavailable):
        return driver_error(NO_DEVICE, call, str(error))
    if isinstance(error, native.DriverError):
        code = error.code
        return driver_error(code, call, str(error), None if code in STATUS else _core.cuda_error_text(code))
    for cls, code in _CODES.items():
        if isinstance(error, cls):
            return driver_error(code, call, str(error))
    return Error(f"{call} failed: {error}")


#: What may come out of the core, beside errors in how a function was called. The builtin classes are from kernels that
#: the cpu device ran: a failed assert, a trap, a barrier that not all threads reach.
CORE_ERRORS = (native.LanewiseError, AssertionError, builtins.RuntimeError)


def checked(call, *also):
    """Decorates a function whose work is the driver call `call`: errors of the core, and those of the builtin classes
    `also`, leave it as PyCUDA's exceptions."""
    classes = (*CORE_ERRORS, *also)

    def decorate(function):
        @functools.wraps(function)
        def with_errors(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except classes as error:
                raise translated(error, call) from error

        return with_errors

    return decorate


def refuse(name, reason):
    """NotImplementedError for what lanewise does not have."""
    raise NotImplementedError(f"{name} is not offered by lanewise: {reason}")


def warn_about_cleanup(error):
    """Failures of clean-up are printed and never raised, as in PyCUDA."""
    import sys

    if sys is not None and sys.stderr is not None:
        print(f"PyCUDA WARNING: a clean-up operation failed (dead context maybe?)\n{error}", file=sys.stderr)
