"""Launching through the core: what arguments become, configurations, declared signatures, hooks, threads."""

import collections
import enum
import threading

import numpy as np
import pytest

from lanewise import _core, cuda


def scale(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * a


def make(function, **options):
    return _core.KernelFunction(function, options=_core.Options(warn_float64=False, **options))


@pytest.fixture
def x(device):
    return _core.Array.from_host(np.arange(4.0))


class Colour(enum.Enum):
    RED = 2


class Size(enum.IntEnum):
    BIG = 2


class Wrapped:
    def __init__(self, inner):
        self.inner = inner

    def __lanewise_argument__(self):
        return self.inner


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (2, "int64"),
        (2**63, "uint64"),
        (-(2**63), "int64"),
        (2.0, "float64"),
        (True, "bool"),
        (2j, "complex128"),
        (np.int8(2), "int8"),
        (np.uint16(2), "uint16"),
        (np.longlong(2), "int64"),
        (np.float16(2), "float16"),
        (np.float32(2), "float32"),
        (np.float64(2), "float64"),
        (np.bool_(True), "bool"),
        (np.complex64(2), "complex64"),
        (Colour.RED, "int64"),
        (Size.BIG, "int64"),
        (Wrapped(np.int16(2)), "int16"),
        (None, "none"),
        ((1, 2), "UniTuple(int64 x 2)"),
        ((1, (2.0, None)), "Tuple(int64, Tuple(float64, none))"),
        (np.zeros(3), "array(float64, 1d, C)"),
        (np.zeros((3, 4), np.int8).T, "array(int8, 2d, F)"),
        (np.zeros((3, 4), np.int8, order="F"), "array(int8, 2d, F)"),
        (np.zeros(()), "array(float64, 0d, C)"),
    ],
    ids=str,
)
def test_types_of_arguments(value, type):
    spelled = str(_core.typeof(value))
    assert spelled in (type, type.replace("bool", "boolean"))


def test_named_tuples_are_tuples():
    pair = collections.namedtuple("Pair", "a b")(1, 2.0)
    assert _core.typeof(pair) == _core.typeof((1, 2.0))


def test_read_only_host_arrays_have_read_only_types():
    host = np.zeros(3)
    host.flags.writeable = False
    assert _core.typeof(host).read_only


def test_views_have_layout_a():
    base = _core.Array.empty((4, 6), device="cpu")
    assert _core.typeof(base[::2]).layout == "A"
    assert _core.typeof(base.T).layout == "F"
    assert _core.typeof(base[1]).layout == "C"


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([1, 2], TypeError, "list"),
        ("text", TypeError, "str"),
        (object(), TypeError, "object"),
        (1 << 64, OverflowError, "64 bits"),
        (-(1 << 63) - 1, OverflowError, "64 bits"),
        (np.zeros(2, dtype="M8[s]"), TypeError, "datetime64"),
        (np.zeros(2, dtype=[("a", "i4")]), TypeError, "dtype"),
    ],
    ids=str,
)
def test_refused_arguments_are_named(x, value, error, message):
    with pytest.raises(error, match=message) as caught:
        make(scale)[1, 4](value, x)
    assert "argument 1 ('a')" in str(caught.value)


@pytest.mark.parametrize(
    "value", [3, 3.0, np.int8(3), np.float32(3), np.uint64(3), True, Colour.RED, Wrapped(3)], ids=str
)
def test_scalars_arrive(x, value):
    make(scale)[1, 4](value, x)
    factor = {Colour.RED: 2}.get(value, getattr(value, "inner", value)) if not isinstance(value, bool) else 1
    assert x.to_host().tolist() == [0, factor, 2 * factor, 3 * factor]


def test_tuples_arrive(device):
    def kernel(t, out):
        out[0] = t[0]
        out[1] = t[1][0] + t[1][1]

    out = _core.Array.from_host(np.zeros(2))
    make(kernel)[1, 1]((1.5, (2, np.float32(0.25))), out)
    assert out.to_host().tolist() == [1.5, 2.25]


@pytest.mark.parametrize("order", ["C", "F"])
def test_host_arrays_are_written(device, order):
    def kernel(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = 10 * i + j

    host = np.zeros((3, 5), order=order)
    make(kernel)[1, (4, 8)](host)
    expected = 10 * np.arange(3)[:, None] + np.arange(5)
    np.testing.assert_array_equal(host, expected)
    wide = np.zeros((6, 10))
    make(kernel)[1, (4, 8)](wide[::2, ::-2])
    np.testing.assert_array_equal(wide[::2, ::-2], expected)
    assert (wide[1::2] == 0).all()


def test_a_host_array_given_twice_is_one_array(device):
    def kernel(a, b):
        a[0] = 1
        b[1] = 2

    host = np.zeros(2)
    make(kernel)[1, 1](host, host)
    assert host.tolist() == [1, 2]


def test_host_arguments_direct_the_copies(gpu):
    def kernel(a):
        a[0] += 1

    host = np.array([5.0, 6.0])
    make(kernel)[1, 1](_core.HostArgument(host, copy_out=False))
    assert host.tolist() == [5, 6]
    make(kernel)[1, 1](_core.HostArgument(host))
    assert host.tolist() == [6, 6]


def test_copied_host_arrays_warn(gpu):
    seen = []
    _core.set_warning_hook(lambda category, text: seen.append(category))
    try:
        make(scale)[1, 4](2.0, np.zeros(4))
    finally:
        cuda.notices.install()
    assert "host-copy" in seen


def test_host_arrays_may_be_empty_or_strided(device):
    host = np.zeros((0, 3))
    make(lambda_free_fill)[1, 1](host)
    assert host.shape == (0, 3)


def lambda_free_fill(a):
    if a.size > 0:
        a[0, 0] = 1


def test_keywords_and_defaults(device):
    def kernel(x, a=2.0, *, b=3.0):
        x[0] = a
        x[1] = b

    out = _core.Array.from_host(np.zeros(2))
    k = make(kernel)
    for args, kwargs, expected in [((), {}, [2, 3]), ((5.0,), {}, [5, 3]), ((), {"b": 7.0, "a": 1.0}, [1, 7])]:
        k[1, 1](out, *args, **kwargs)
        assert out.to_host().tolist() == expected
    with pytest.raises(TypeError, match="no parameter 'c'"):
        k[1, 1](out, c=1)
    with pytest.raises(TypeError, match="given twice"):
        k[1, 1](out, 1.0, a=1.0)


@pytest.mark.parametrize("args", [(), (1.0,), (1.0, None, 2)])
def test_wrong_counts_name_the_parameters(device, args):
    with pytest.raises(TypeError, match=r"takes 2 arguments \(a, x\)"):
        make(scale)[1, 1](*args)


def test_arrays_of_another_device_are_refused():
    if len(_core.devices()) < 2:
        pytest.skip("needs two devices")
    x = _core.Array.from_host(np.zeros(4), device="cpu")
    with pytest.raises(ValueError, match=r"lies on cpu.*launched on cuda"):
        make(scale)[1, 4, _core.device("cuda").default_stream](1.0, x)


def test_launchers_are_reused_and_describe_themselves(device):
    k = make(scale)
    stream = _core.current_device().create_stream()
    launcher = k[(2, 3), (4, 5, 6), stream, 128]
    assert k[(2, 3), (4, 5, 6), stream, 128] is launcher
    assert k[(2, 3), (4, 5, 6), stream, 64] is not launcher
    assert (launcher.grid, launcher.block, launcher.shared) == ((2, 3, 1), (4, 5, 6), 128)
    assert launcher.stream == stream and launcher.kernel is k
    assert k[1, 1].stream is None and k[1, 1, 0] is k[1, 1]
    assert "scale" in repr(launcher)


def test_called_without_configuration(device):
    with pytest.raises(ValueError, match=r"scale.*\[grid, block\]"):
        make(scale)(1, 2)


def test_declared_signatures_convert_scalars_and_layouts(x):
    k = make(scale)
    k.declare(["void(float32, float64[:])"])
    assert k.specialized
    for value in (2, 2.0, np.float32(2), np.int8(2), True):
        x.fill(3)
        k[1, 4](value, x)
        assert x.to_host().tolist() == [3 * float(value)] * 4
    assert len(k.specializations()) == 1
    with pytest.raises(TypeError, match=r"no declared signature for \(float64, array\(float32"):
        k[1, 4](1.0, _core.Array.empty(4, np.float32))
    with pytest.raises(TypeError, match="no declared signature"):
        k[1, 4](1j, x)


def test_the_closest_declaration_runs(device):
    def kernel(a, out):
        out[0] = a / 2

    k = make(kernel)
    k.declare(["(int64, float64[::1])", "(float64, float64[::1])"])
    out = _core.Array.from_host(np.zeros(1))
    k[1, 1](np.int32(3), out)
    assert out.item(0) == 1.5
    k[1, 1](np.float32(0.5), out)
    assert out.item(0) == 0.25


@pytest.mark.parametrize("signature", ["int32(float64, float64[::1])", "(float64)", "nonsense"])
def test_refused_signatures(device, signature):
    with pytest.raises(TypeError):
        make(scale).compile(signature)


def test_prepare_wraps_the_launch(x):
    calls = []

    def prepare(args, stream):
        calls.append(stream)
        return (args[0] * 10, args[1]), [lambda: calls.append("after")]

    k = make(scale)
    k.prepare = prepare
    k[1, 4](2.0, x)
    assert x.to_host().tolist() == [0, 20, 40, 60]
    assert calls == [_core.current_stream(), "after"]
    k.prepare = None
    k[1, 4](0.5, x)
    assert x.to_host().tolist() == [0, 10, 20, 30]
    assert len(calls) == 2


def test_bounds_are_checked_when_asked(device):
    def kernel(x, i):
        x[i] = 1

    k = make(kernel, bounds_check=True)
    out = _core.Array.from_host(np.zeros(4))
    k[1, 1](out, 3)
    with pytest.raises(IndexError, match="'x'"):
        k[1, 1](out, 4)
    k[1, 1](out, 0)
    assert out.to_host().tolist() == [1, 0, 0, 1]


def test_warnings_of_a_compile_are_given_once(device):
    def kernel(x):
        x[0] = x[0] * 2.0

    seen = []
    _core.set_warning_hook(lambda category, text: seen.append((category, text)))
    try:
        k = _core.KernelFunction(kernel)
        out = _core.Array.empty(1, np.float32)
        for _ in range(3):
            k[128, 1](out)
    finally:
        cuda.notices.install()
    assert [category for category, _ in seen] == ["float64"]
    assert "test_core_launch.py" in seen[0][1]


def test_an_error_of_the_hook_is_the_launches(device):
    def kernel(x):
        x[0] = x[0] * 2.0

    def refuse(category, text):
        raise RuntimeError("refused")

    _core.set_warning_hook(refuse)
    try:
        with pytest.raises(RuntimeError, match="refused"):
            _core.KernelFunction(kernel)[1, 1](_core.Array.empty(1, np.float32))
    finally:
        cuda.notices.install()


def test_specialization_for_does_not_launch(x):
    k = make(scale)
    specialization = k.specialization_for(2.0, x)
    assert x.to_host().tolist() == [0, 1, 2, 3]
    assert [str(t) for t in specialization.argument_types] == ["float64", "array(float64, 1d, C)"]
    assert specialization.max_threads_per_block > 0
    assert "scale" in specialization.ir and "define" in specialization.llvm_ir and specialization.assembly
    assert len(specialization.image) > 0
    k[1, 4](2.0, x)
    assert len(k.specializations()) == 1


def test_many_threads_launch_and_compile(device):
    k = make(scale)
    errors = []

    def work(dtype):
        try:
            stream = _core.current_device().create_stream()
            x = _core.Array.from_host(np.ones(100, dtype), stream=stream)
            for _ in range(50):
                k[1, 128, stream](np.float32(1), x)
            assert (x.to_host(stream=stream) == 1).all()
        except Exception as error:
            errors.append(error)

    before = _core.current_device()
    dtypes = [np.float32, np.float64] * 4

    def in_thread(dtype):
        _core.set_current_device(before)
        work(dtype)

    threads = [threading.Thread(target=in_thread, args=(dtype,)) for dtype in dtypes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(k.specializations()) == 2


def test_kernels_in_cycles_are_collected(device):
    import gc
    import weakref

    def build():
        def kernel(x):
            x[0] = 1

        k = make(kernel)
        kernel.kernel = k
        k[1, 1](_core.Array.empty(1))
        return weakref.ref(k)

    reference = build()
    gc.collect()
    assert reference() is None


class Interface:
    """An array of another library: only the protocol."""

    def __init__(self, array, **changes):
        self.array = array
        self.interface = {**array.__cuda_array_interface__, **changes}

    @property
    def __cuda_array_interface__(self):
        return self.interface


def test_arrays_of_other_libraries(x):
    k = make(scale)
    k[1, 4](2.0, Interface(x))
    k[1, 4](2.0, Interface(x, stream=None))
    assert x.to_host().tolist() == [0, 4, 8, 12]
    assert len(k.specializations()) == 1
    k[1, 4](2.0, Interface(x[::2], shape=(2,)))
    assert x.to_host().tolist() == [0, 4, 16, 12]


def test_streams_of_other_libraries_are_ordered(x):
    other = _core.current_device().create_stream()
    y = _core.Array.from_host(np.ones(4), stream=other)
    make(scale)[1, 4](3.0, Interface(y))
    assert y.to_host(stream=other).tolist() == [3] * 4


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"mask": object()}, NotImplementedError),
        ({"stream": 0}, ValueError),
        ({"typestr": "<M8[s]"}, TypeError),
        ({"data": 5}, ValueError),
        ({"shape": None}, ValueError),
    ],
    ids=str,
)
def test_malformed_interfaces_are_refused(x, changes, error):
    with pytest.raises(error):
        make(scale)[1, 4](2.0, Interface(x, **changes))
    with pytest.raises(error):
        _core.Array.from_interface(Interface(x, **changes))


def test_dlpack_arrays_are_passed(x):
    class Foreign:
        def __dlpack__(self, **kwargs):
            return x.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    make(scale)[1, 4](2.0, Foreign())
    assert x.to_host().tolist() == [0, 2, 4, 6]


def test_arrays_with_a_c_exchange_table():
    import ctypes

    class Tensor(ctypes.Structure):
        _fields_ = [
            ("data", ctypes.c_void_p),
            ("device", ctypes.c_int32 * 2),
            ("ndim", ctypes.c_int32),
            ("dtype", ctypes.c_uint8 * 4),
            ("shape", ctypes.POINTER(ctypes.c_int64)),
            ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("byte_offset", ctypes.c_uint64),
        ]

    class Table(ctypes.Structure):
        _fields_ = [
            ("version", ctypes.c_uint32 * 2),
            ("previous", ctypes.c_void_p),
            ("unused", ctypes.c_void_p * 3),
            ("tensor_from_object", ctypes.c_void_p),
            ("current_work_stream", ctypes.c_void_p),
        ]

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
    def tensor_from_object(foreign, tensor):
        host = foreign.host
        foreign.dims = (ctypes.c_int64 * 2)(host.shape[0], host.strides[0] // 8)
        tensor[0].data = host.ctypes.data - 8
        tensor[0].byte_offset = 8
        tensor[0].device[:] = foreign.location
        tensor[0].ndim = 1
        tensor[0].dtype[:] = (2, 64, 1, 0)
        tensor[0].shape = ctypes.cast(foreign.dims, ctypes.POINTER(ctypes.c_int64))
        tensor[0].strides = ctypes.cast(ctypes.byref(foreign.dims, 8), ctypes.POINTER(ctypes.c_int64))
        return 0

    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    address = ctypes.cast(tensor_from_object, ctypes.c_void_p).value
    table = Table((1, 3), None, (None, address, None), address, address)
    older = Table((0, 9), ctypes.addressof(table), (None, None, None), None, None)

    class Foreign:
        __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(older), b"dlpack_exchange_api", None)
        location = (1, 0)

        def __init__(self, host):
            self.host = host

    host = np.arange(8.0)
    stream = _core.device("cpu").default_stream
    k = make(scale)
    k[1, 8, stream](2.0, Foreign(host))
    assert host.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    k[1, 8, stream](2.0, Foreign(host[::2]))
    assert host.tolist() == [0, 2, 8, 6, 16, 10, 24, 14]
    assert [item.argument_types[1].layout for item in k.specializations()] == ["C", "A"]
    elsewhere = Foreign(host)
    elsewhere.location = (2, 5)
    with pytest.raises(ValueError, match=r"device \(2, 5\), but the kernel is launched on cpu"):
        k[1, 8, stream](2.0, elsewhere)


def test_mapped_and_managed_memory_is_passed_without_a_copy(device):
    for kind in ("mapped", "managed"):
        host = _core.Buffer.allocate_host(32, kind).numpy(4)
        host[:] = [1, 2, 3, 4]
        make(scale)[1, 2](2.0, host[1:3])
        _core.current_stream().synchronize()
        assert host.tolist() == [1, 4, 6, 4]
