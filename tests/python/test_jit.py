"""The decorator: its forms, its options and what it refuses."""

import warnings

import numpy as np
import pytest

from lanewise import cuda
from lanewise.cuda import float32, int32, int64, void
from lanewise.errors import InvalidConfigWarning, OptionError, PerformanceWarning, TypingError


def body(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


def launched(kernel, dtype=np.float32):
    x = cuda.to_device(np.zeros(40, dtype))
    kernel[2, 32](x)
    return x.copy_to_host()


def test_plain(device):
    assert (launched(cuda.jit(body)) == 1).all()


def test_with_options_only(device):
    assert (launched(cuda.jit(debug=False, fastmath=True)(body)) == 1).all()


@pytest.mark.parametrize(
    "signature",
    ["void(float32[:])", void(float32[:]), (float32[:],), "(float32[::1],)", [void(float32[:]), "void(int32[:])"]],
    ids=str,
)
def test_with_signature(device, signature):
    kernel = cuda.jit(signature)(body)
    assert kernel.signatures
    assert (launched(kernel) == 1).all()


def test_a_signature_is_all_there_is(device):
    kernel = cuda.jit("void(float32[:])")(body)
    assert kernel.specialized
    with pytest.raises(TypeError, match="body"):
        launched(kernel, np.complex64)


def test_scalars_convert_to_the_signature(device):
    kernel = cuda.jit("void(float32[:], float32)")(scale)
    x = cuda.to_device(np.ones(4, np.float32))
    kernel[1, 4](x, 3)
    assert (x.copy_to_host() == 3).all()


def test_the_best_of_several_signatures_is_chosen(device):
    kernel = cuda.jit(["void(float32[:])", "void(int64[:])"])(body)
    assert launched(kernel, np.int64).dtype == np.int64
    assert len(kernel.signatures) == 2


@pytest.mark.parametrize("signature", ["int32(float32[:])", int32(float32[:])], ids=str)
def test_kernels_return_nothing(signature):
    with pytest.raises(TypeError, match="CUDA kernel must have void return type"):
        cuda.jit(signature)(body)


def test_returning_a_value_from_a_lazy_kernel(device):
    @cuda.jit
    def kernel(x):
        return x[0]

    with pytest.raises(TypingError, match="return"):
        kernel[1, 1](np.zeros(1))


def test_methods_closures_and_lambdas(device):
    class Model:
        @cuda.jit
        def fill(x, value):
            x[cuda.grid(1)] = value

    x = cuda.device_array(4, np.int64)
    Model.fill[1, 4](x, 7)
    assert (x.copy_to_host() == 7).all()

    offset = 5

    def put_offset(out):
        cuda.atomic.add(out, 0, offset)

    put = cuda.jit(lambda out: put_offset(out))
    out = cuda.to_device(np.zeros(1, np.int64))
    put[1, 3](out)
    assert out.copy_to_host()[0] == 15


def test_a_kernel_keeps_the_name_and_text_of_its_function():
    def documented(x):
        """Says what it does."""

    kernel = cuda.jit(documented)
    assert kernel.__name__ == "documented"
    assert kernel.__doc__ == "Says what it does."
    assert kernel.py_func is documented
    assert "documented" in repr(kernel)


@pytest.mark.parametrize(
    ("options", "expected", "text"),
    [
        ({"link": ["a.ptx"]}, NotImplementedError, "device functions written in Python"),
        ({"device": True, "link": ["a.ptx"]}, ValueError, "link keyword invalid for device function"),
        ({"argtypes": (float32,)}, OptionError, "`argtypes`"),
        ({"restype": float32}, OptionError, "`restype`"),
        ({"bind": True}, OptionError, "`bind`"),
        ({"no_such_option": 1}, KeyError, "no_such_option"),
        ({"inline": "sometimes"}, ValueError, "inline"),
        ({"shared_memory_carveout": "most"}, ValueError, "maxshared"),
        ({"shared_memory_carveout": 101}, ValueError, "101"),
        ({"shared_memory_carveout": 1.5}, TypeError, "int or a str"),
        ({"launch_bounds": (1, 2, 3, 4)}, ValueError, "launch_bounds"),
        ({"launch_bounds": (-1,)}, ValueError, "non-negative"),
        ({"max_registers": "many"}, ValueError, "max_registers"),
        ({"fastmath": {"warp"}}, ValueError, "unknown flags"),
        ({"literals": "strong"}, ValueError, "weak"),
        ({"opt": 7}, ValueError, "opt"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refused_options(options, expected, text):
    with pytest.raises(expected, match=text):
        cuda.jit(**options)


@pytest.mark.parametrize("options", [{"debug": True, "opt": True}, {"debug": True, "lineinfo": True}], ids=str)
def test_contradicting_options_warn(options):
    with pytest.warns(InvalidConfigWarning) as record:
        cuda.jit(**options)
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    "options",
    [
        {"opt": False},
        {"opt": 1},
        {"debug": True, "opt": False},
        {"lineinfo": True},
        {"fastmath": True},
        {"fastmath": {"contract"}},
        {"max_registers": 32},
        {"launch_bounds": 64},
        {"launch_bounds": (64, 2)},
        {"cache": True},
        {"lto": True},
        {"inline": "always"},
        {"forceinline": True},
        {"shared_memory_carveout": "maxshared"},
        {"shared_memory_carveout": 50},
        {"boundscheck": True},
        {"literals": "weak"},
    ],
    ids=str,
)
def test_accepted_options(device, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", PerformanceWarning)
        assert (launched(cuda.jit(**options)(body)) == 1).all()


def test_what_cannot_be_compiled():
    class Thing:
        pass

    with pytest.raises(TypeError, match="not classes"):
        cuda.jit(Thing)
    with pytest.raises(TypeError, match="Python functions"):
        cuda.jit(len)
    with pytest.raises(TypeError, match="already jitted function"):
        cuda.jit(cuda.jit(body))


def test_device_functions_run_as_python_on_the_host():
    @cuda.jit(device=True)
    def add(a, b):
        return a + b

    assert add(2, 3) == 5
    assert add.py_func(2, 3) == 5
    assert add.__name__ == "add"


def test_device_functions_are_called_by_kernels(device):
    @cuda.jit(device=True, inline="always")
    def square(v):
        return v * v

    def plain(v):
        return v + 1

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = plain(square(x[i]))

    x = cuda.to_device(np.arange(6, dtype=np.int64))
    kernel[1, 8](x)
    assert x.copy_to_host().tolist() == [1, 2, 5, 10, 17, 26]


def test_declared_device_function(device):
    @cuda.jit("int64(int64, int64)", device=True)
    def add(a, b):
        return a + b

    @cuda.jit
    def kernel(out):
        out[0] = add(20, 22)

    out = cuda.to_device(np.zeros(1, np.int64))
    kernel[1, 1](out)
    assert out.copy_to_host()[0] == 42
    assert add.signatures == [(int64, int64)]


def test_declared_device_functions_convert(device):
    """Arguments become the declared types, the computation runs in them, and the result is what was declared."""

    @cuda.jit("float32(float32, float32)", device=True)
    def divide(a, b):
        return a / b

    @cuda.jit(["int32(int32)", "float64(float64)"], device=True)
    def negate(a):
        return -a

    @cuda.jit("int8(int64, UniTuple(int64, 2), float64[:])", device=True)
    def narrow(a, pair, x):
        return a + pair[1] + x[0]

    @cuda.jit
    def kernel(x, out):
        out[0] = divide(1, 3)
        out[1] = divide(x[0], 3.0)
        out[2] = negate(np.int16(5))
        out[3] = negate(np.float32(0.5))
        out[4] = narrow(300, (0, 1), x)

    x, out = np.array([0.1]), np.zeros(5)
    kernel[1, 1](x, out)
    assert out[0] == np.float32(1) / np.float32(3)
    assert out[1] == np.float32(0.1) / np.float32(3)
    assert out[2:4].tolist() == [-5, -0.5]
    assert out[4] == np.int64(301).astype(np.int8)


def test_declared_device_functions_refuse(device):
    @cuda.jit("float32(float32[:])", device=True)
    def first(x):
        return x[0]

    @cuda.jit
    def kernel(x):
        x[0] = first(x)

    with pytest.raises(TypingError, match=r"No matching definition.*first.*float64.*float32") as caught:
        kernel[1, 1](np.zeros(1))
    assert "x[0] = first(x)" in str(caught.value)


def test_weak_literals_keep_float32(device):
    def halve(x, out):
        out[0] = x[0] * 0.1

    x = np.array([3.0], np.float32)
    exact, weak = np.zeros(1, np.float64), np.zeros(1, np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cuda.jit(halve)[1, 1](x, exact)
        cuda.jit(literals="weak")(halve)[1, 1](x, weak)
    assert exact[0] == np.float64(x[0]) * 0.1
    assert weak[0] == np.float64(x[0] * np.float32(0.1))
