"""The face's modules and names, imported as lanewise.compat.numba."""

import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import lanewise.errors
from lanewise import config
from lanewise import cuda as native

MODULES = """
core core.config core.errors core.types cuda cuda.api cuda.args cuda.compiler cuda.core cuda.core.config
cuda.core.errors cuda.core.types cuda.cudadrv cuda.cudadrv.devicearray cuda.cudadrv.devices cuda.cudadrv.driver
cuda.cudadrv.error cuda.cudadrv.runtime cuda.decorators cuda.dispatcher cuda.errors cuda.extending cuda.libdevice
cuda.random cuda.testing cuda.types errors extending types """.split()


def face(name=""):
    return importlib.import_module("lanewise.compat.numba" + (f".{name}" if name else ""))


@pytest.mark.parametrize("module", MODULES)
def test_modules(module):
    face(module)


@pytest.mark.parametrize("module", MODULES)
def test_modules_under_numbas_name(lanewise, module):
    result = lanewise("run", "-c", f"import numba.{module}; numba.{module}.__doc__")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "from numba import cuda, float32, int32, void, types, njit, jit, prange, typeof",
        "from numba.cuda import jit, float32, grid, atomic, shared, DeviceNDArray, libdevice",
        "from numba.core.errors import TypingError, NumbaPerformanceWarning, LoweringError",
        "from numba.cuda.cudadrv.driver import CudaAPIError, driver, device_pointer",
        "from numba.cuda.cudadrv.error import CudaSupportError, NvvmError",
        "from numba.cuda.cudadrv.devicearray import DeviceNDArray",
        "from numba.cuda.testing import CUDATestCase, unittest, skip_on_cudasim",
        "from numba.types import Array, UniTuple, int64",
        "from numba.core import types, config, errors",
        "import numba.cuda as nc; nc.types.float32; nc.cudadrv.driver; nc.libdevice.sinf",
        "import numba; numba.cuda.jit; numba.types.float32; numba.core.types.int8; numba.errors.TypingError",
    ],
)
def test_import_forms(lanewise, statement):
    result = lanewise("run", "-c", statement)
    assert result.returncode == 0, result.stderr


def test_names_are_the_native_objects():
    cuda = face("cuda")
    for name in ("jit", "grid", "to_device", "atomic", "DeviceNDArray", "float32", "stream", "compile_ptx"):
        assert getattr(cuda, name) is getattr(native, name)
    assert face("types") is native.types
    assert face("core.config") is config
    assert face().float32 is native.float32


def test_errors_are_the_classes_that_are_raised():
    errors = face("core.errors")
    assert errors.TypingError is lanewise.errors.TypingError
    assert errors.NumbaPerformanceWarning is lanewise.errors.PerformanceWarning
    assert issubclass(errors.TypingError, errors.NumbaError)
    assert issubclass(errors.LoweringError, errors.NumbaError)
    assert issubclass(errors.NumbaPerformanceWarning, errors.NumbaWarning)
    assert face("cuda.cudadrv.driver").CudaAPIError is lanewise.errors.DriverError
    assert issubclass(face("cuda.cudadrv.error").CudaSupportError, ImportError)


def test_catching_a_typing_error(device):
    @native.jit
    def kernel(x):
        x[0] = undefined_name  # noqa: F821

    with pytest.raises(face("core.errors").TypingError, match="undefined_name"):
        kernel[1, 1](np.zeros(1))


def test_settings_can_be_assigned():
    settings = face("core.config")
    before = settings.CUDA_LOW_OCCUPANCY_WARNINGS
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    try:
        assert config.get("CUDA_LOW_OCCUPANCY_WARNINGS") == 0
    finally:
        settings.CUDA_LOW_OCCUPANCY_WARNINGS = before


def test_njit_functions_in_kernels(device):
    numba = face()

    @numba.njit
    def square(v):
        return v * v

    @numba.jit("float64(float64)", nopython=True)
    def half(v):
        return v / 2

    @native.jit
    def kernel(x):
        i = native.grid(1)
        x[i] = square(x[i]) + half(1.0)

    x = np.arange(4.0)
    kernel[1, 4](x)
    assert x.tolist() == [0.5, 1.5, 4.5, 9.5]


def test_njit_functions_on_the_host():
    numba = face()

    @numba.njit(parallel=True)
    def total(n):
        result = 0
        for i in numba.prange(n):
            result += i
        return result

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert total(5) == 10
    assert total.py_func(4) == 6


def test_cuda_jit_of_an_njit_function(device):
    numba = face()

    @numba.njit
    def fill(x):
        x[native.grid(1)] = 5

    x = np.zeros(3)
    native.jit(fill)[1, 3](x)
    assert x.tolist() == [5, 5, 5]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("", "vectorize"),
        ("", "guvectorize"),
        ("", "typed"),
        ("cuda", "reduce"),
        ("cuda", "declare_device"),
        ("cuda.random", "create_xoroshiro128p_states"),
        ("cuda.extending", "overload"),
        ("extending", "overload"),
    ],
)
def test_what_comes_later_is_named(module, name):
    with pytest.raises(NotImplementedError, match=f"numba.*{name} is not offered by lanewise yet"):
        getattr(face(module), name)


def test_unknown_names():
    for module in ("", "cuda", "cuda.random"):
        with pytest.raises(AttributeError):
            getattr(face(module), "__no_such_name__")
    with pytest.raises(AttributeError, match="no_such_name"):
        face("cuda").no_such_name


def test_device_array_helpers(device):
    driver = face("cuda.cudadrv.driver")
    array = native.to_device(np.arange(3))
    assert driver.is_device_memory(array) and not driver.is_device_memory(np.zeros(1))
    assert driver.device_pointer(array) == array.__cuda_array_interface__["data"][0]
    devicearray = face("cuda.cudadrv.devicearray")
    assert devicearray.is_cuda_ndarray(array)
    devicearray.require_cuda_ndarray(array)
    with pytest.raises(ValueError, match="cuda ndarray"):
        devicearray.require_cuda_ndarray(np.zeros(1))
    assert face("cuda.cudadrv.devices").get_context() == native.current_context()


def test_import_hooks_that_claim_numba_cuda_do_not_get_the_face(tmp_path):
    # What numba-cuda installs: a finder, first on the meta path, for every name with "numba.cuda" in it.
    program = tmp_path / "program.py"
    program.write_text(
        """
import importlib.abc, runpy, sys

class Claims(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        assert "numba.cuda" not in name, name

sys.meta_path.insert(0, Claims())
from lanewise.compat.numba import cuda
assert cuda.jit
sys.argv = ["lanewise", "run", "-c", "from numba import cuda; import numba.cuda.random"]
runpy.run_module("lanewise", run_name="__main__")
"""
    )
    result = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
