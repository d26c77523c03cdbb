"""NumPy's functions and protocols on arrays of lanewise, and the namespace as a whole."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core

from .comparison import Input, assert_same


@pytest.fixture
def x(device):
    return lw.arange(6.0).reshape(2, 3)


HOST = np.arange(6.0).reshape(2, 3)


def test_numpy_ufuncs_run_ours(x):
    for result, expected in (
        (np.sin(x), np.sin(HOST)),
        (np.add(x, 2), HOST + 2),
        (np.multiply(2, x), 2 * HOST),
        (np.float32(2) * x, np.float32(2) * HOST),
        (np.add.reduce(x, axis=1), HOST.sum(1)),
        (np.matmul(x, x.T), HOST @ HOST.T),
        (np.divmod(x, 2), np.divmod(HOST, 2)),
        (np.add.outer(x[0], x[1]), np.add.outer(HOST[0], HOST[1])),
    ):
        assert_same(result, expected)


def test_numpy_ufuncs_write_to_our_arrays(x):
    out = lw.empty((2, 3))
    assert np.add(x, 1, out=out) is out
    assert_same(out, HOST + 1)


def test_numpy_ufuncs_refuse_host_arrays(x):
    with pytest.raises(TypeError, match=r"lanewise\.asarray"):
        np.add(x, HOST)
    with pytest.raises(TypeError, match="out"):
        np.add(x, 1, out=np.empty((2, 3)))
    with pytest.raises(TypeError, match=r"numpy\.isnat"):
        np.isnat(x)


def test_numpy_functions_run_ours(x):
    for result, expected in (
        (np.sum(x, axis=0), HOST.sum(0)),
        (np.concatenate([x, x]), np.concatenate([HOST, HOST])),
        (np.reshape(x, (3, 2)), HOST.reshape(3, 2)),
        (np.where(x > 2, x, 0), np.where(HOST > 2, HOST, 0)),
        (np.zeros_like(x), np.zeros_like(HOST)),
        (np.zeros(3, like=x), np.zeros(3)),
        (np.clip(x, 1, 3), np.clip(HOST, 1, 3)),
        (np.einsum("ij,kj", x, x), np.einsum("ij,kj", HOST, HOST)),
        (np.mean(x), HOST.mean()),
    ):
        assert_same(result, expected)
    assert np.shape(x) == (2, 3) and np.ndim(x) == 2 and np.size(x) == 6


def test_numpy_functions_without_ours_are_named(x):
    with pytest.raises(TypeError, match=r"numpy\.sort\b.*asnumpy"):
        np.sort(x)
    with pytest.raises(TypeError, match=r"numpy\.linalg\.inv"):
        np.linalg.inv(x)


def test_planned_names_say_so(device):
    for name in ("sort", "linalg", "fft", "random", "median", "unique", "polyfit"):
        with pytest.raises(AttributeError, match=f"lanewise.{name} is not there yet"):
            getattr(lw, name)
        assert not hasattr(lw, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lw.nothing
    with pytest.raises(ImportError):
        from lanewise import sort  # noqa: F401


def test_methods_that_are_not_there_say_so(x):
    for call in (x.sort, x.argsort, lambda: x.searchsorted(1), lambda: x.resize(3)):
        with pytest.raises(NotImplementedError):
            call()


def test_array_namespace(x):
    assert x.__array_namespace__() is lw
    assert x.__array_namespace__(api_version="2025.12") is lw
    with pytest.raises(ValueError, match="1999"):
        x.__array_namespace__(api_version="1999.01")


def test_facts_about_the_namespace(device):
    assert lw.__array_api_version__ == "2025.12"
    info = lw.__array_namespace_info__()
    assert info.default_device().name == device and info.default_device() in info.devices()
    assert info.capabilities()["boolean indexing"] and info.capabilities()["data-dependent shapes"]
    assert info.default_dtypes()["real floating"] == np.float64
    assert set(info.dtypes(kind="signed integer")) == {"int8", "int16", "int32", "int64"}
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64", "complex128"}
    assert set(info.dtypes()) == set(info.dtypes(kind="bool")) | set(info.dtypes(kind="numeric"))
    with pytest.raises(ValueError, match="nothing"):
        info.dtypes(kind="nothing")


# The functions of the array API standard 2025.12 that are not of its extensions, sorting, searching or sets.
STANDARD = """
abs acos acosh add all any arange argmax argmin asarray asin asinh astype atan atan2 atanh bitwise_and
bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor broadcast_arrays broadcast_shapes
broadcast_to can_cast ceil clip concat conj copysign cos cosh count_nonzero cumulative_prod cumulative_sum
diff divide e empty empty_like equal exp expand_dims expm1 eye finfo flip floor floor_divide from_dlpack full
full_like greater greater_equal hypot iinfo imag inf isdtype isfinite isinf isnan less less_equal linspace log
log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul matrix_transpose max maximum
mean meshgrid min minimum moveaxis multiply nan negative newaxis nextafter nonzero not_equal ones ones_like
permute_dims pi positive pow prod real reciprocal remainder repeat reshape result_type roll round sign signbit
sin sinh sqrt square squeeze stack std subtract sum take take_along_axis tan tanh tensordot tile tril triu
trunc unstack var vecdot where zeros zeros_like bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32
float64 complex64 complex128
""".split()


def test_names_of_the_standard(device):
    assert [name for name in STANDARD if not hasattr(lw, name)] == []
    for name in (
        "T",
        "mT",
        "device",
        "dtype",
        "ndim",
        "shape",
        "size",
        "to_device",
        "__dlpack__",
        "__index__",
        "__complex__",
    ):
        assert hasattr(lw.ndarray, name)


def test_names_are_listed(device):
    assert {"zeros", "sin", "ndarray", "cuda"} <= set(dir(lw))
    assert not [name for name in lw.arrays.__all__ if not hasattr(lw, name)]


def test_every_function_has_a_docstring(device):
    missing = [
        name
        for name in lw.arrays.__all__
        if callable(getattr(lw, name)) and not getattr(lw, name).__doc__ and not isinstance(getattr(lw, name), type)
    ]
    assert missing == []


# Parameters that NumPy's functions take and these do not, or otherwise.
OTHER_PARAMETERS = {"like", "subok", "ndmax", "axes", "axis", "keepdims", "order", "signature", "casting", "dtype"}
OTHER_SIGNATURES = {"arange", "einsum", "genfromtxt", "load", "loadtxt", "savetxt"}


def test_signatures_are_numpys(device):
    different = []
    for name in set(lw.arrays.__all__) - OTHER_SIGNATURES:
        ours, theirs = getattr(lw, name), getattr(np, name, None)
        if not inspect.isfunction(ours) or theirs is None or name == "fromstring":
            continue
        wanted = list(inspect.signature(theirs).parameters)
        given = [parameter for parameter in inspect.signature(ours).parameters if parameter != "device"]
        wanted = [
            parameter for parameter in wanted if parameter in given or parameter not in OTHER_PARAMETERS | {"device"}
        ]
        if given != wanted:
            different.append((name, given, wanted))
    assert different == []


def test_pickling_and_copying(x):
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), pickle.loads(x.dumps())):
        assert type(again) is lw.ndarray
        assert_same(again, HOST)
        assert not lw.shares_memory(again, x)


def test_dumping(x, tmp_path):
    x.dump(tmp_path / "x")
    with open(tmp_path / "x", "rb") as file:
        assert_same(pickle.load(file), HOST)


def test_subclasses_stay(device):
    class Sub(lw.ndarray):
        __slots__ = ()

    x = lw.zeros(3).view(type=Sub) if False else Sub((3,))
    x[...] = 1
    for result in (x + 1, lw.ones(3) + x, lw.sin(x), x[1:], lw.sum(x), lw.zeros_like(x), lw.reshape(x, (3, 1))):
        assert type(result) is Sub


def test_byteswap(device):
    for dtype in ("int16", "float64", "complex64", "uint8"):
        given = Input((2, 3), dtype, "F")
        assert_same(given.ours.byteswap().view("uint8"), given.theirs.byteswap().copy("C").view("uint8"))


def test_eager_and_evaluate(device):
    x = lw.arange(4.0)
    y = x + 1
    assert y.pending
    lw.evaluate(y)
    assert not y.pending
    with lw.eager():
        assert not (x * 2).pending
    z = x * 3
    lw.evaluate()
    assert not z.pending
    assert_same(z, np.arange(4.0) * 3)


def test_one_kernel_for_an_expression(device):
    x, y = lw.arange(1000.0), lw.arange(1000.0)
    lw.evaluate(x, y)
    before = _core.functions.engine_statistics()["launches"]
    z = 2 * x + y * x - 3
    lw.evaluate(z)
    assert _core.functions.engine_statistics()["launches"] == before + 1


def test_arrays_go_to_python_kernels(device):
    from lanewise import cuda

    @cuda.jit
    def double(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    x = lw.arange(8.0) + 1
    double[1, 32](x)
    assert_same(x - 1, (np.arange(8.0) + 1) * 2 - 1)


def test_numbers_and_truth(device):
    x = lw.asarray(2.5)
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and complex(x) == 2.5
    assert range(10)[lw.asarray(3)] == 3
    with pytest.raises(TypeError):
        range(10)[x]
    with pytest.raises(ValueError):
        bool(lw.ones(2))
    with pytest.raises(TypeError):
        float(lw.ones(2))
    with pytest.raises(TypeError):
        hash(x)
