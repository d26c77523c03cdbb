"""The face's modules and names."""

import importlib

import pytest

from lanewise.compat import pycuda

MODULES = ["", "_driver", "autoinit", "autoprimaryctx", "characterize", "compiler", "driver", "tools"]
LATER = ["cumath", "curandom", "elementwise", "gpuarray", "reduction", "scan", "sparse"]
DRIVER_NAMES = """
    Error MemoryError LogicError LaunchError RuntimeError CompileError
    init get_version get_driver_version Device Context Stream Event Module Function Linker
    module_from_file module_from_buffer mem_alloc mem_alloc_pitch mem_alloc_like mem_get_info mem_get_address_range
    mem_get_ipc_handle IPCMemoryHandle DeviceAllocation PointerHolderBase HostPointer PagelockedHostAllocation
    AlignedHostAllocation RegisteredHostMemory ManagedAllocation HostAllocation register_host_memory
    pagelocked_empty pagelocked_zeros pagelocked_empty_like pagelocked_zeros_like
    aligned_empty aligned_zeros aligned_empty_like aligned_zeros_like
    managed_empty managed_zeros managed_empty_like managed_zeros_like
    memcpy_htod memcpy_htod_async memcpy_dtoh memcpy_dtoh_async memcpy_dtod memcpy_dtod_async memcpy_peer
    memcpy_peer_async memcpy_atoh memcpy_htoa memcpy_dtoa memcpy_atod memcpy_atoa
    memset_d8 memset_d16 memset_d32 memset_d2d8 memset_d2d16 memset_d2d32
    memset_d8_async memset_d16_async memset_d32_async memset_d2d8_async memset_d2d16_async memset_d2d32_async
    Memcpy2D Memcpy3D Memcpy3DPeer ArgumentHandler In Out InOut to_device from_device from_device_like
    Array ArrayDescriptor ArrayDescriptor3D TextureReference SurfaceReference matrix_to_texref matrix_to_array
    np_to_array gpuarray_to_array make_multichannel_2d_array bind_array_to_texref dtype_to_array_format
    device_attribute ctx_flags event_flags stream_flags host_alloc_flags mem_host_register_flags
    mem_peer_register_flags mem_attach_flags ipc_mem_flags function_attribute func_cache shared_config limit
    memory_type compute_mode jit_option jit_input_type jit_target jit_fallback array_format array3d_flags
    address_mode filter_mode profiler_output_mode initialize_profiler start_profiler stop_profiler
    TRSA_OVERRIDE_FORMAT TRSF_READ_AS_INTEGER TRSF_NORMALIZED_COORDINATES set_debugging
""".split()
COMPILER_NAMES = """
    SourceModule DynamicModule DynamicSourceModule compile compile_plain preprocess_source get_nvcc_version
    DEFAULT_NVCC_FLAGS CompileError
""".split()
TOOLS_NAMES = """
    DeviceMemoryPool PageLockedMemoryPool PageLockedAllocator PooledDeviceAllocation PooledHostAllocation
    DebugMemoryPool bitlog2 DeviceData OccupancyRecord dtype_to_ctype register_dtype get_or_register_dtype Argument
    DtypedArgument ScalarArg VectorArg parse_c_arg parse_c_arg_backend get_arg_type context_dependent_memoize
    clear_context_caches make_default_context get_default_device mark_cuda_test init_cuda_context_fixture
""".split()


def face(name):
    return importlib.import_module("lanewise.compat.pycuda" + (f".{name}" if name else ""))


def test_version():
    assert pycuda.VERSION_TEXT == ".".join(map(str, pycuda.VERSION))
    assert pycuda.VERSION >= (2022, 1)


@pytest.mark.parametrize("module", MODULES)
def test_modules_under_pycudas_name(lanewise, module):
    name = f"pycuda.{module}" if module else "pycuda"
    result = lanewise("run", "-c", f"import {name}; {name}.__doc__")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("module", "names"), [("driver", DRIVER_NAMES), ("compiler", COMPILER_NAMES), ("tools", TOOLS_NAMES)]
)
def test_names(module, names):
    assert [name for name in names if not hasattr(face(module), name)] == []


@pytest.mark.parametrize(
    "statement",
    [
        "import pycuda.driver as cuda, pycuda.autoinit; pycuda.autoinit.context; pycuda.autoinit.device",
        "import pycuda.autoprimaryctx; pycuda.autoprimaryctx.context; pycuda.autoprimaryctx.device",
        "from pycuda import driver, compiler, tools",
        "from pycuda.driver import LogicError; import pycuda._driver; assert pycuda._driver.LogicError is LogicError",
        "import lanewise.compat.pycuda.driver as a; import pycuda.driver as b; assert a is b",
        "from pycuda.characterize import sizeof, platform_bits",
    ],
)
def test_import_forms(lanewise, statement):
    result = lanewise("run", "-c", statement)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("module", [*LATER, "gl", "gl.autoinit", "sparse.cg"])
def test_what_is_not_there_is_named(lanewise, module):
    result = lanewise("run", "-c", f"import pycuda.{module}")
    assert result.returncode == 1
    assert "ImportError: pycuda." in result.stderr and "is not offered by lanewise" in result.stderr


@pytest.mark.parametrize(
    ("enumeration", "name", "number"),
    [
        ("device_attribute", "MAX_THREADS_PER_BLOCK", 1),
        ("device_attribute", "MULTIPROCESSOR_COUNT", 16),
        ("device_attribute", "CLUSTER_LAUNCH", 120),
        ("function_attribute", "MAX_DYNAMIC_SHARED_SIZE_BYTES", 8),
        ("ctx_flags", "MAP_HOST", 8),
        ("event_flags", "DISABLE_TIMING", 2),
        ("host_alloc_flags", "DEVICEMAP", 2),
        ("mem_attach_flags", "GLOBAL", 1),
        ("limit", "MALLOC_HEAP_SIZE", 2),
        ("memory_type", "UNIFIED", 4),
        ("compute_mode", "EXCLUSIVE_PROCESS", 3),
        ("func_cache", "PREFER_L1", 2),
        ("shared_config", "EIGHT_BYTE_BANK_SIZE", 2),
        ("jit_option", "CACHE_MODE", 14),
        ("jit_input_type", "LIBRARY", 4),
    ],
)
def test_enumerations_have_the_numbers_of_cudas_headers(enumeration, name, number):
    enumeration = getattr(face("driver"), enumeration)
    member = getattr(enumeration, name)
    assert member == number and int(member) == number and str(member) == name
    assert member | 0 == number
    assert enumeration.names[name] is member and enumeration.values[number] == number


def test_exceptions_are_not_the_builtin_ones():
    cuda = face("driver")
    for cls in (cuda.MemoryError, cuda.LogicError, cuda.LaunchError, cuda.RuntimeError, cuda.CompileError):
        assert cls.__mro__ == (cls, cuda.Error, Exception, BaseException, object)
        assert cls.__module__ == "pycuda._driver"


def test_textures_are_refused_with_what_to_do_instead():
    cuda = face("driver")
    for make in (cuda.TextureReference, cuda.SurfaceReference, cuda.Array, cuda.matrix_to_array, cuda.np_to_array):
        with pytest.raises(NotImplementedError, match="since CUDA 12; pass a pointer"):
            make(1, 2)
    assert cuda.dtype_to_array_format("f4") == cuda.array_format.FLOAT
    with pytest.raises(TypeError, match="float64"):
        cuda.dtype_to_array_format("f8")
