"""`lanewise info`: what there is to run on, and what would change it."""

import os
import platform

import numpy as np

from lanewise import __version__, _core, libdevice_path
from lanewise.cli import format_size
from lanewise.cuda.devices import driver_version


def _device_lines(device, current):
    free, total = device.memory_info()
    yield f"  {device.name}: {device.model}{'  <- current' if device == current else ''}"
    if device.kind == "cuda":
        major, minor = device.compute_capability
        yield f"      compute capability {major}.{minor}, {device.attribute('multiprocessor_count')} multiprocessors"
    else:
        yield f"      {device.attribute('multiprocessor_count')} threads"
    target = device.target if len(device.target) < 40 else device.target[:36] + "..."
    yield f"      memory {format_size(total)}, {format_size(free)} free; compiles for {target}"


def _compiler_line():
    try:
        return _core.compiler_description()
    except Exception as error:
        return f"cannot be loaded: {error}"


def print_info():
    """Prints the facts; returns the exit status."""
    current = _core.current_device()
    print(f"lanewise {__version__}, Python {platform.python_version()}, NumPy {np.__version__}")
    print("devices")
    for device in _core.devices():
        for line in _device_lines(device, current):
            print(line)
    if reason := _core.cuda_unavailable_reason():
        print(f"  no CUDA device: {reason}")
    if version := driver_version():
        print(f"  driver for CUDA {version[0]}.{version[1]}")
    if chosen := os.environ.get("LANEWISE_DEVICE"):
        print(f"  LANEWISE_DEVICE={chosen}")
    print(f"compiler\n  {_compiler_line()}")
    libdevice = libdevice_path.find()
    print(f"  libdevice: {libdevice or 'not found; GPU math functions need it: set LANEWISE_LIBDEVICE to its path'}")
    libdevice_path.announce()
    compilers = _core.cuda_cpp_compilers()
    print(f"  NVRTC: {compilers['nvrtc'] or 'not found; clang compiles CUDA C++ for GPUs'}")
    print(f"  nvcc: {compilers['nvcc'] or 'not found'}")
    cache = _core.disk_cache()
    state = "" if cache.enabled else ", not in use"
    print(f"cache\n  {cache.path}: {cache.entries()} kernels, {format_size(cache.size_bytes())}{state}")
    return 0
