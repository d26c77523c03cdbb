"""OpenCL C kernels on a CPU device, through the library's C interface: the part of it that a benchmark needs."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_ulong, c_void_p

import numpy as np

DEVICE_TYPE_CPU, MEM_READ_WRITE, MEM_COPY_HOST_PTR = 1 << 1, 1 << 0, 1 << 5
DEVICE_NAME, DEVICE_MAX_COMPUTE_UNITS, DRIVER_VERSION, PROGRAM_BUILD_LOG = 0x102B, 0x1002, 0x102D, 0x1183
PLATFORM_NAME = 0x0902

# Result and parameter types. Functions that return a handle leave their status in the last parameter.
_STATUS = POINTER(c_int)
_HANDLES = POINTER(c_void_p)
_FUNCTIONS = {
    "clGetPlatformIDs": (c_int, c_uint, _HANDLES, POINTER(c_uint)),
    "clGetPlatformInfo": (c_int, c_void_p, c_uint, c_size_t, c_void_p, POINTER(c_size_t)),
    "clGetDeviceIDs": (c_int, c_void_p, c_ulong, c_uint, _HANDLES, POINTER(c_uint)),
    "clGetDeviceInfo": (c_int, c_void_p, c_uint, c_size_t, c_void_p, POINTER(c_size_t)),
    "clCreateContext": (c_void_p, c_void_p, c_uint, _HANDLES, c_void_p, c_void_p, _STATUS),
    "clCreateCommandQueue": (c_void_p, c_void_p, c_void_p, c_ulong, _STATUS),
    "clCreateBuffer": (c_void_p, c_void_p, c_ulong, c_size_t, c_void_p, _STATUS),
    "clReleaseMemObject": (c_int, c_void_p),
    "clCreateProgramWithSource": (c_void_p, c_void_p, c_uint, POINTER(c_char_p), POINTER(c_size_t), _STATUS),
    "clBuildProgram": (c_int, c_void_p, c_uint, _HANDLES, c_char_p, c_void_p, c_void_p),
    "clGetProgramBuildInfo": (c_int, c_void_p, c_void_p, c_uint, c_size_t, c_void_p, POINTER(c_size_t)),
    "clCreateKernel": (c_void_p, c_void_p, c_char_p, _STATUS),
    "clSetKernelArg": (c_int, c_void_p, c_uint, c_size_t, c_void_p),
    "clEnqueueNDRangeKernel": (
        *(c_int, c_void_p, c_void_p, c_uint, POINTER(c_size_t), POINTER(c_size_t), POINTER(c_size_t)),
        *(c_uint, c_void_p, c_void_p),
    ),
    "clEnqueueReadBuffer": (
        *(c_int, c_void_p, c_void_p, c_uint, c_size_t, c_size_t, c_void_p),
        *(c_uint, c_void_p, c_void_p),
    ),
    "clFinish": (c_int, c_void_p),
}


class Unavailable(Exception):
    """No OpenCL library, or no CPU device in it."""


class Runtime:
    """The first CPU device, a context and an in-order queue."""

    def __init__(self):
        try:
            self._library = ctypes.CDLL("libOpenCL.so.1")
        except OSError as error:
            raise Unavailable(f"no OpenCL: {error}") from None
        for name, (result, *parameters) in _FUNCTIONS.items():
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, parameters
        self.device = self._find_device()
        devices = (c_void_p * 1)(self.device)
        self._context = self._call("clCreateContext", None, 1, devices, None, None)
        self._queue = self._call("clCreateCommandQueue", self._context, self.device, 0)

    def _call(self, name, *arguments):
        """The handle of a function that creates something, else None; RuntimeError for a failure."""
        function = getattr(self._library, name)
        if function.restype is c_int:
            status, handle = function(*arguments), None
        else:
            code = c_int()
            handle = function(*arguments, byref(code))
            status = code.value
        if status:
            raise RuntimeError(f"{name} failed with status {status}")
        return handle

    def _find_device(self):
        platforms, count = (c_void_p * 16)(), c_uint()
        if self._library.clGetPlatformIDs(16, platforms, byref(count)) or not count.value:
            raise Unavailable("OpenCL has no platform")
        for platform in platforms[: count.value]:
            device = c_void_p()
            if not self._library.clGetDeviceIDs(platform, DEVICE_TYPE_CPU, 1, byref(device), None):
                self._platform = platform
                return device.value
        raise Unavailable("OpenCL has no CPU device")

    def _text(self, function, *arguments) -> str:
        size = c_size_t()
        self._call(function, *arguments, 0, None, byref(size))
        text = ctypes.create_string_buffer(size.value)
        self._call(function, *arguments, size, text, None)
        return text.value.decode(errors="replace")

    def description(self) -> str:
        platform = self._text("clGetPlatformInfo", self._platform, PLATFORM_NAME)
        version = self._text("clGetDeviceInfo", self.device, DRIVER_VERSION)
        return f"{platform} {version}, {self._text('clGetDeviceInfo', self.device, DEVICE_NAME)}"

    def threads(self) -> int:
        units = c_uint()
        self._call("clGetDeviceInfo", self.device, DEVICE_MAX_COMPUTE_UNITS, 4, byref(units), None)
        return units.value

    def to_device(self, array: np.ndarray) -> Buffer:
        return Buffer(self, array)

    def build(self, text: str, options: str) -> c_void_p:
        """A program; its handle goes to `kernel`."""
        source, length = c_char_p(text.encode()), c_size_t(len(text.encode()))
        program = self._call("clCreateProgramWithSource", self._context, 1, byref(source), byref(length))
        devices = (c_void_p * 1)(self.device)
        if self._library.clBuildProgram(program, 1, devices, options.encode(), None, None):
            log = self._text("clGetProgramBuildInfo", program, self.device, PROGRAM_BUILD_LOG)
            raise RuntimeError(f"OpenCL program does not build:\n{log}")
        return program

    def kernel(self, program, name: str, grid, block, arguments: list, shared: int = 0) -> Kernel:
        return Kernel(self, program, name, grid, block, arguments, shared)

    def finish(self) -> None:
        self._call("clFinish", self._queue)


class Buffer:
    """Memory of the device with the content of an array; read-only arrays of OpenCL are buffers too."""

    def __init__(self, runtime: Runtime, array: np.ndarray):
        array = np.ascontiguousarray(array)
        self._runtime, self._like = runtime, np.empty_like(array)
        flags = MEM_READ_WRITE | MEM_COPY_HOST_PTR
        self.handle = runtime._call("clCreateBuffer", runtime._context, flags, array.nbytes, array.ctypes.data)

    def copy_to_host(self) -> np.ndarray:
        out = np.empty_like(self._like)
        queue, target = self._runtime._queue, c_void_p(out.ctypes.data)
        self._runtime._call("clEnqueueReadBuffer", queue, self.handle, 1, 0, out.nbytes, target, 0, None, None)
        return out

    def __del__(self):
        self._runtime._library.clReleaseMemObject(self.handle)


class Kernel:
    """A call enqueues it. Arguments are Buffers, which it keeps, and NumPy scalars, then local memory if any."""

    def __init__(self, runtime: Runtime, program, name: str, grid, block, arguments: list, shared: int):
        self._runtime, self._name, self._arguments = runtime, name, arguments
        self._handle = runtime._call("clCreateKernel", program, name.encode())
        for index, argument in enumerate(arguments):
            if isinstance(argument, Buffer):
                handle = c_void_p(argument.handle)
                runtime._call("clSetKernelArg", self._handle, index, ctypes.sizeof(handle), byref(handle))
            else:
                value = ctypes.create_string_buffer(argument.tobytes(), argument.nbytes)
                runtime._call("clSetKernelArg", self._handle, index, argument.nbytes, value)
        if shared:
            runtime._call("clSetKernelArg", self._handle, len(arguments), shared, None)
        grid, block = ((*sizes, 1, 1)[:3] for sizes in (grid, block))
        self._items, self._group = (c_size_t * 3)(*(g * b for g, b in zip(grid, block))), (c_size_t * 3)(*block)

    def __call__(self) -> None:
        launch = (self._runtime._queue, self._handle, 3, None, self._items, self._group, 0, None, None)
        self._runtime._call("clEnqueueNDRangeKernel", *launch)
