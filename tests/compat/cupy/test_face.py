"""The face's modules and names."""

import importlib

import numpy as np
import pytest

from lanewise.compat import cupy

# The names that programs use most, by how often.
NAMES = """
    asarray array zeros ndarray asnumpy ones arange empty zeros_like full ascontiguousarray empty_like linspace eye
    meshgrid copy ones_like full_like mgrid ogrid indices diag identity tri tril triu logspace asfortranarray
    asanyarray fromfunction frombuffer fromiter float32 float64 uint8 int32 dtype float16 int64 int8 issubdtype
    uint16 uint32 uint64 bool_ int16 inf nan pi e newaxis complex64 complex128 iinfo finfo promote_types result_type
    can_cast isscalar integer floating intp AxisError sqrt abs absolute exp exp2 expm1 isnan isinf clip log log2
    log10 log1p conj sin cos tan real imag angle maximum minimum square multiply add subtract divide true_divide
    floor_divide remainder mod power arctan arctan2 arcsin arccos sinh cosh tanh logical_not logical_and logical_or
    logical_xor isfinite floor ceil trunc rint round around where sign hypot reciprocal negative fmax fmin
    nan_to_num bitwise_and bitwise_or bitwise_xor invert left_shift right_shift sinc cbrt deg2rad rad2deg signbit
    copysign nextafter ldexp frexp modf divmod heaviside gcd lcm fmod ufunc equal not_equal less less_equal greater
    greater_equal isclose allclose array_equal array_equiv sum prod max min amax amin all any mean average std var
    argmin argmax ptp count_nonzero cumsum cumprod diff nansum nanprod nanmin nanmax nanmean nanstd nanvar nanargmax
    nanargmin gradient stack concatenate moveaxis pad vstack hstack dstack column_stack tile repeat reshape
    expand_dims squeeze roll rollaxis transpose swapaxes take take_along_axis put nonzero flatnonzero argwhere outer
    inner dot vdot matmul tensordot einsum trace diagonal ravel flip fliplr flipud rot90 split array_split hsplit
    vsplit broadcast_to broadcast_arrays atleast_1d atleast_2d atleast_3d append delete unravel_index
    ravel_multi_index ix_ r_ c_ select choose compress extract place putmask fill_diagonal shares_memory
    may_share_memory ndim shape size load save savez savez_compressed loadtxt savetxt genfromtxt array_str
    array_repr array2string from_dlpack fromDlpack get_array_module is_available show_config memoize clear_memo
    RawKernel fuse vectorize RawModule ElementwiseKernel ReductionKernel get_default_memory_pool
    get_default_pinned_memory_pool cuda testing exceptions hamming hanning blackman bartlett kaiser piecewise
    apply_along_axis packbits unpackbits broadcast broadcast_shapes byte_bounds isfortran flatiter round_ cumproduct
    bitwise_count permute_dims concat pow matrix_transpose typing ComplexWarning RankWarning cfloat NAN PINF
    NINF NZERO PZERO singlecomplex tril_indices triu_indices mask_indices diag_indices_from putmask row_stack trapz
""".split()
CUDA_NAMES = """
    Stream ExternalStream Event get_elapsed_time get_current_stream Device get_device_id is_available get_cuda_path
    alloc alloc_pinned_memory Memory ManagedMemory MemoryAsync UnownedMemory MemoryPointer MemoryPool
    MemoryAsyncPool PinnedMemory PinnedMemoryPointer PinnedMemoryPool PythonFunctionAllocator CFunctionAllocator
    malloc_managed malloc_async set_allocator get_allocator using_allocator set_pinned_memory_allocator MemoryHook
    OutOfMemoryError Graph runtime driver nvrtc nvtx profiler profile compiler device stream memory pinned_memory
    memory_hook memory_hooks graph function Function
""".split()
LATER = ["linalg", "fft", "random", "polynomial", "sparse"]


def test_names_of_the_namespace():
    assert [name for name in NAMES if not hasattr(cupy, name)] == []


def test_names_are_listed():
    assert set(NAMES) - set(dir(cupy)) <= {"fromDlpack"}
    assert [name for name in dir(cupy) if not hasattr(cupy, name)] == []


def test_names_of_cuda():
    assert [name for name in CUDA_NAMES if not hasattr(cupy.cuda, name)] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memcpyDeviceToHost", 2),
        ("cudaMemAttachGlobal", 1),
        ("cudaMemoryTypeManaged", 3),
        ("cudaDevAttrWarpSize", 10),
        ("cudaDevAttrMaxThreadsPerMultiProcessor", 39),
        ("cudaDevAttrMaxSharedMemoryPerBlockOptin", 97),
        ("cudaLimitMallocHeapSize", 2),
        ("cudaMemAdviseSetPreferredLocation", 3),
        ("cudaMemPoolAttrReleaseThreshold", 4),
        ("CUDA_R_16BF", 14),
        ("CUDA_C_64F", 5),
        ("cudaCpuDeviceId", -1),
    ],
)
def test_constants_of_the_runtime(name, value):
    assert getattr(cupy.cuda.runtime, name) == value


def test_older_name_of_benchmark(cp):
    from lanewise.compat import cupyx

    with pytest.warns(FutureWarning, match="benchmark"):
        result = cupyx.time.repeat(lambda: cp.ones(3) + 1, n_repeat=3, n_warmup=1)
    assert result.cpu_times.shape == (3,)


def test_dtypes_and_constants_are_numpys():
    for name in ("float32", "bool_", "dtype", "finfo", "pi", "newaxis", "complex128", "integer"):
        assert getattr(cupy, name) is getattr(np, name)


@pytest.mark.parametrize(
    "statement",
    [
        "import cupy; assert cupy.__name__ == 'cupy' and cupy.get_array_module(cupy.ones(1)).__name__ == 'cupy'",
        "import cupy.cuda.runtime as r; assert r.__name__ == 'cupy.cuda.runtime'; from cupy.lib import stride_tricks",
        "from cupy.typing import ArrayLike, DTypeLike, NDArray; import cupy; x: cupy.ndarray[int, cupy.float32]",
        "from cupyx import get_runtime_info; assert 'NumPy' in get_runtime_info()",
        "from cupy.cuda.memory_hooks import DebugPrintHook, LineProfileHook",
        "from cupy.cuda.memory import OutOfMemoryError, PooledMemory, PythonFunctionAllocatorMemory",
        "import cupy as cp; cp.zeros(3)",
        "import cupy, cupyx; cupyx.rsqrt(cupy.ones(3))",
        "from cupy import cuda; from cupy.cuda import Device, Stream, runtime",
        "from cupy.cuda import memory, pinned_memory, nvtx, compiler; from cupy.cuda.memory import MemoryPool",
        "import cupy.cuda.runtime; cupy.cuda.runtime.getDeviceCount()",
        "from cupyx.profiler import benchmark, time_range, profile",
        "import lanewise.compat.cupy as a; import cupy as b; assert a is b",
        "import cupy.testing; cupy.testing.assert_array_equal([1], [1])",
        "from cupy.exceptions import AxisError, ComplexWarning",
        "from cupy import sin, float32, ndarray, where",
        "from cupy import *; assert zeros(3).sum() == 0 and float32 and RawKernel and cuda.Stream and fuse",
        "import pickle, cupy; assert pickle.loads(pickle.dumps(cupy.add)) is cupy.add",
    ],
)
def test_import_forms(lanewise, statement):
    result = lanewise("run", "-c", statement)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("module", LATER)
def test_modules_that_come_later_are_named(lanewise, module):
    result = lanewise("run", "-c", f"import cupy.{module}")
    assert result.returncode == 1
    assert f"ImportError: cupy.{module} (" in result.stderr and "is not offered by lanewise yet" in result.stderr
    with pytest.raises(AttributeError, match=rf"cupy\.{module} \(.*is not offered by lanewise yet"):
        getattr(cupy, module)


@pytest.mark.parametrize("module", ["cupyx.scipy", "cupyx.scipy.ndimage", "cupyx.jit"])
def test_modules_of_cupyx_that_are_missing_are_named(lanewise, module):
    result = lanewise("run", "-c", f"import {module}")
    assert result.returncode == 1 and "ImportError: cupyx." in result.stderr
    assert "is not offered by lanewise" in result.stderr


def test_functions_that_come_later_are_named():
    with pytest.raises(AttributeError, match=r"cupy\.sort is not there yet.*asnumpy"):
        cupy.sort  # noqa: B018


def test_names_that_nobody_has():
    with pytest.raises(AttributeError, match="module 'cupy' has no attribute 'sqqrt'"):
        cupy.sqqrt  # noqa: B018
    with pytest.raises(AttributeError, match="module 'cupy.cuda' has no attribute 'stram'"):
        cupy.cuda.stram  # noqa: B018


@pytest.mark.parametrize("name", ["GeneralizedUFunc", "jit", "scipy", "distributed"])
def test_names_of_cupyx_that_are_missing(name):
    from lanewise.compat import cupyx

    with pytest.raises(AttributeError, match=rf"cupyx\.{name} is not offered by lanewise: "):
        getattr(cupyx, name)


def test_import_loads_neither_the_driver_nor_the_compiler(run_python):
    code = "import lanewise.compat.cupy; print(open('/proc/self/maps').read())"
    loaded = run_python("-c", code).stdout
    assert "_core" in loaded
    assert "libcuda" not in loaded and "liblanewise_compiler" not in loaded


def test_get_array_module(cp):
    assert cp.get_array_module() is np
    assert cp.get_array_module(np.zeros(2), [1], None) is np
    assert cp.get_array_module(np.zeros(2), cp.zeros(2)) is cp


def test_show_config_names_the_devices(cp, capsys):
    cp.show_config()
    text = capsys.readouterr().out
    assert "NumPy Version" in text and cp.cuda.runtime.getDeviceProperties(0)["name"].decode() in text


def test_module_found_by_importlib(lanewise):
    assert importlib.util.find_spec("lanewise.compat.cupy.cuda.runtime") is not None
    result = lanewise("run", "-c", "import importlib.util; print(importlib.util.find_spec('cupy') is not None)")
    assert result.stdout == "True\n"
