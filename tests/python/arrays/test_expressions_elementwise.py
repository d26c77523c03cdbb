"""ElementwiseKernel: kernels from expressions in CUDA C++, against NumPy."""

import pickle

import numpy as np
import pytest

import lanewise as lw
from lanewise import CompileError, ElementwiseKernel, _core, cuda

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
           "complex64", "complex128"]  # fmt: skip


def put(array):
    """A copy on the current device."""
    return lw.asarray(array)


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) > 0.5
    if dtype.kind in "iu":
        return rng.integers(0, 50, shape).astype(dtype)
    result = rng.uniform(-3, 3, shape)
    if dtype.kind == "c":
        result = result + 1j * rng.uniform(-3, 3, shape)
    return result.astype(dtype)


@pytest.fixture(scope="module")
def multiply_add():
    return ElementwiseKernel("T x, T y, T z", "T out", "out = x * y + z", "multiply_add")


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [1, 7, 64, 1001])
def test_every_dtype_and_length(device, multiply_add, dtype, n):
    x, y, z = (values(n, dtype, seed) for seed in range(3))
    out = multiply_add(put(x), put(y), put(z))
    assert out.dtype == dtype
    wide = {"float16": "float32"}.get(dtype, dtype)
    expected = (x.astype(wide) * y.astype(wide) + z.astype(wide)).astype(dtype)
    np.testing.assert_allclose(out.to_host(), expected, rtol=1e-5 if dtype != "float16" else 2e-3, atol=1e-5)


def test_bool_and_two_outputs(device):
    kernel = ElementwiseKernel("T x, T y", "bool less, bool equal", "less = x < y; equal = x == y", "compare")
    x, y = values(1003, "int32"), values(1003, "int32", 1)
    less, equal = kernel(put(x), put(y))
    assert less.dtype == bool
    np.testing.assert_array_equal(less.to_host(), x < y)
    np.testing.assert_array_equal(equal.to_host(), x == y)


def test_bfloat16(device):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = values(100, "float32").astype(ml_dtypes.bfloat16)
    out = ElementwiseKernel("bfloat16 x", "bfloat16 y", "y = x * 2")(put(x))
    np.testing.assert_array_equal(out.to_host().astype("f4"), (x * 2).astype("f4"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda a: a, lambda b: b[:, ::-1]),
        (lambda a: a[::2], lambda b: b[1::2]),
        (lambda a: a.T[:4, :4], lambda b: b[:4, :4]),
        (lambda a: a, lambda b: b[:1]),
        (lambda a: a[:, :1], lambda b: b[:1, :]),
        (lambda a: a[0], lambda b: b[:, 1:2]),
        (lambda a: a[None, :, :, None], lambda b: b[:, None, None, 0]),
        (lambda a: a[::-1, ::-1], lambda b: b[::-1, ::-1]),
        (lambda a: a[:0], lambda b: b[:0]),
        (lambda a: a[0, 0:1], lambda b: b),
    ],
)
@pytest.mark.parametrize("dtype", ["int16", "float64"])
def test_strided_broadcast_and_empty_inputs(device, left, right, dtype):
    kernel = ElementwiseKernel("T x, T y", "T z", "z = x - 2 * y", "difference")
    a, b = values((6, 10), dtype), values((6, 10), dtype, 1)
    out = kernel(left(put(a)), right(put(b)))
    expected = left(a) - 2 * right(b)
    assert out.shape == expected.shape
    np.testing.assert_array_equal(out.to_host(), expected.astype(dtype))


@pytest.mark.parametrize("rows", [1, 5, 70_000, 65_537])
@pytest.mark.parametrize("columns", [31, 32, 100, 1000, 4100])
@pytest.mark.parametrize("view", [lambda a: a[:, 1:], lambda a: a[:, 4:], lambda a: a[:, ::-1], lambda a: a[:, 4:5]])
def test_rows_of_every_length_and_number(device, rows, columns, view):
    if rows * columns > 10_000_000:
        rows = 3
    a, b = values((rows, columns), "float32"), values((rows, columns), "float32", 1)
    x, y = put(a), put(b)
    kernel = ElementwiseKernel("T x, T y", "T z, int64 at", "z = x - y; at = i", "rows")
    z, at = kernel(view(x), view(y[:1]))
    expected = view(a) - view(b[:1])
    np.testing.assert_array_equal(z.to_host(), expected)
    np.testing.assert_array_equal(at.to_host(), np.arange(expected.size).reshape(expected.shape))
    kernel(view(x), 0.5, view(y), at)
    b = b.copy()
    view(b)[...] = view(a) - np.float32(0.5)
    np.testing.assert_array_equal(y.to_host(), b)


def test_rows_of_a_space(device):
    kernel = ElementwiseKernel("T x, raw int32 weights", "T z", "z = x * weights[_ind.get()[2]]", reduce_dims=False)
    x, weights = values((7, 9, 50), "int32"), np.arange(40, dtype="i4")
    out = kernel(put(x)[:, ::-1, 5:45], put(weights))
    np.testing.assert_array_equal(out.to_host(), x[:, ::-1, 5:45] * weights)


def test_zero_dimensional_arrays(device):
    out = ElementwiseKernel("T x", "T y", "y = x + 1")(put(np.array(2.5)))
    assert out.shape == ()
    assert out.to_host() == 3.5


def test_a_misaligned_view(device):
    x = np.arange(101, dtype="f4")
    kernel = ElementwiseKernel("T x", "T y", "y = x + 1")
    for start in (0, 1, 2, 3, 4):
        np.testing.assert_array_equal(kernel(put(x)[start:]).to_host(), x[start:] + 1)


@pytest.mark.parametrize("step", [1, 2, -1])
def test_output_arguments_keep_what_is_not_assigned(device, step):
    x, expected = np.arange(50, dtype="f4"), np.full(50, 7, "f4")
    out = put(expected)
    view = out[::step]
    assert ElementwiseKernel("T x", "T y", "if (x > 20) y += x")(put(x)[::step], view) is view
    expected[::step] += np.where(x > 20, x, 0)[::step]
    np.testing.assert_array_equal(out.to_host(), expected)


def test_an_output_over_its_input(device):
    x = put(np.arange(1000, dtype="f8"))
    ElementwiseKernel("T x", "T y", "y = x * 2")(x, x)
    np.testing.assert_array_equal(x.to_host(), np.arange(1000) * 2)


@pytest.mark.parametrize("views", [(slice(0, -1), slice(1, None)), (slice(None), slice(None, None, -1))])
def test_an_output_that_overlaps_its_input_shifted(device, views):
    host = np.arange(1000, dtype="i4")
    x = put(host)
    ElementwiseKernel("T x", "T y", "y = x + 1")(x[views[0]], x[views[1]])
    expected = host.copy()
    expected[views[1]] = host[views[0]] + 1
    np.testing.assert_array_equal(x.to_host(), expected)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [(2, "f4", "f4"), (2.0, "i4", "i4"), (np.float64(0.5), "f4", "f4"), (True, "i8", "i8"), (1.5, "c8", "c8")],
)
def test_numbers_take_the_dtype_of_the_arrays(device, value, dtype, expected):
    x = values(20, dtype)
    out = ElementwiseKernel("T x, T a", "T y", "y = x * a")(put(x), value)
    assert out.dtype == expected
    np.testing.assert_allclose(out.to_host(), x * np.dtype(dtype).type(value), rtol=1e-6)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(2, "int64"), (2.5, "float64"), (1j, "complex128"), (True, "bool"), (np.float32(1), "float32"),
     (np.int8(3), "int8"), (np.array(1.5), "float64")],
)  # fmt: skip
def test_numbers_alone_decide_a_placeholder(device, value, dtype):
    out = ElementwiseKernel("T a, raw int32 x", "T y", "y = a")(value, put(np.zeros(3, "i4")), size=3)
    assert out.dtype == dtype
    np.testing.assert_array_equal(out.to_host(), np.full(3, value))


def test_float16_numbers(device):
    x = values(9, "f2")
    out = ElementwiseKernel("T x, float16 a", "T y", "y = x * a")(put(x), 0.5)
    np.testing.assert_array_equal(out.to_host(), x * np.float16(0.5))


def test_raw_arrays_by_position_and_index(device):
    table = values((4, 6), "f8")[:, ::2].copy()
    kernel = ElementwiseKernel(
        "raw T table, raw int32 at",
        "T out, T same, int64 rows, int64 stride",
        """
        const int row = at[i], column = i % 3;
        int index[] = {row, column};
        out = table[index];
        same = table[row * table.shape()[1] + column];
        rows = table.shape()[0] * 100 + table.ndim * 10 + table.size();
        stride = table.strides()[0];
        """,
        "pick",
    )
    at = values(30, "int32") % 4
    device_table = put(values((4, 6), "f8"))[:, ::2]
    expected = table[at, np.arange(30) % 3]
    for given in (put(table), device_table):
        out, same, rows, stride = kernel(given, put(at), size=30)
        np.testing.assert_array_equal(out.to_host(), expected)
        np.testing.assert_array_equal(same.to_host(), expected)
        assert set(rows.to_host()) == {4 * 100 + 2 * 10 + 12}
        assert set(stride.to_host()) == {given.strides[0]}


def test_raw_outputs_are_written_anywhere(device):
    x = values(200, "int32") % 7
    counts = put(np.zeros(7, "i4"))
    kernel = ElementwiseKernel("T x", "raw int32 counts", "atomicAdd(&counts[x], 1)", "count", no_return=True)
    assert kernel(put(x), counts) is None
    np.testing.assert_array_equal(counts.to_host(), np.bincount(x, minlength=7))


def test_a_raw_array_read_next_to_its_position(device):
    x = values((5, 7), "f4")
    out = ElementwiseKernel("raw T x", "T y", "y = x[i] - x[max(0, (int)i - 1)]")(put(x), size=x.size)
    flat = x.ravel()
    np.testing.assert_array_equal(out.to_host(), flat - flat[np.maximum(np.arange(35) - 1, 0)])


def test_the_index_along_each_axis(device):
    kernel = ElementwiseKernel(
        "T x", "int64 row, int64 column, int64 n",
        "row = _ind.get()[0]; column = _ind.get()[1]; n = _ind.size()", reduce_dims=False,
    )  # fmt: skip
    row, column, n = kernel(put(np.zeros((4, 5))))
    expected = np.indices((4, 5))
    np.testing.assert_array_equal(row.to_host(), expected[0])
    np.testing.assert_array_equal(column.to_host(), expected[1])
    assert set(n.to_host().ravel()) == {20}


def test_an_index_array_reads_a_raw_array(device):
    x = values((3, 4), "f4")
    kernel = ElementwiseKernel("T x, raw T same", "T y", "y = x + same[_ind.get()]", reduce_dims=False)
    np.testing.assert_array_equal(kernel(put(x), put(x)).to_host(), 2 * x)


@pytest.mark.parametrize("leave", ["return", "continue", "break"])
def test_leaving_an_element_early_leaves_the_others(device, leave):
    x = np.arange(103, dtype="i4")
    kernel = ElementwiseKernel("T x", "T y", f"y = 0; if (x % 3 == 0) {leave}; y = x")
    np.testing.assert_array_equal(kernel(put(x)).to_host(), np.where(x % 3, x, 0))


def test_preamble_loop_prep_after_loop_and_options(device):
    kernel = ElementwiseKernel(
        "T x", "T y, raw int32 seen", "y = square(x) + offset; ++mine",
        preamble="template <class V> __device__ V square(V v) { return v * v; }",
        loop_prep="const int offset = OFFSET; int mine = 0", after_loop="if (mine) atomicAdd(&seen[0], mine)",
        options=("-DOFFSET=5",),
    )  # fmt: skip
    x = values(1001, "f4")
    y, seen = put(np.zeros_like(x)), put(np.zeros(1, "i4"))
    kernel(put(x), y, seen)
    np.testing.assert_allclose(y.to_host(), x * x + 5, rtol=1e-6)
    assert seen.to_host()[0] == 1001


def test_threads_of_a_block_work_together(device):
    kernel = ElementwiseKernel(
        "T x", "T y",
        "__shared__ T taken[128]; taken[threadIdx.x] = x; __syncthreads(); y = taken[127 - threadIdx.x]", "mirror",
    )  # fmt: skip
    x = np.arange(256, dtype="f4")
    np.testing.assert_array_equal(kernel(put(x)).to_host(), x.reshape(2, 128)[:, ::-1].ravel())


def test_complex_functions(device):
    x = values(50, "c8")
    out, size = ElementwiseKernel("T z", "T w, float32 size", "w = conj(z) * T(0, 1); size = abs(z)")(put(x))
    np.testing.assert_allclose(out.to_host(), np.conj(x) * 1j, rtol=1e-5)
    np.testing.assert_allclose(size.to_host(), np.abs(x), rtol=1e-5)


def test_one_output_as_a_tuple(device):
    result = ElementwiseKernel("T x", "T y", "y = x", return_tuple=True)(put(np.ones(2)))
    assert isinstance(result, tuple) and len(result) == 1


def test_a_stream_and_a_block_size(device):
    stream = _core.current_device().create_stream()
    x = put(np.arange(1000, dtype="f4"))
    out = ElementwiseKernel("T x", "T y", "y = x + blockDim.x")(x, stream=stream, block_size=32)
    stream.synchronize()
    np.testing.assert_array_equal(out.to_host(), np.arange(1000) + 32)


def test_results_are_of_the_arguments_class(device):
    class Mine(_core.Array):
        pass

    assert type(ElementwiseKernel("T x", "T y", "y = x")(Mine.from_host(np.ones(3)))) is Mine


def test_device_arrays_of_other_libraries(device):
    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **kwargs):
            return self.array.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    out = ElementwiseKernel("T x", "T y", "y = 2 * x")(Foreign(put(np.arange(5.0))))
    np.testing.assert_array_equal(out.to_host(), np.arange(5) * 2.0)


def test_a_kernel_serves_several_dtypes_ranks_and_layouts(device):
    kernel = ElementwiseKernel("T x, T y", "T z", "z = x + y")
    for dtype in ("f4", "f8", "i4"):
        for view in (lambda a: a, lambda a: a.T, lambda a: a[:, 1:], lambda a: a[1]):
            x, y = values((4, 4), dtype), values((4, 4), dtype, 1)
            np.testing.assert_array_equal(kernel(view(put(x)), view(put(y))).to_host(), view(x) + view(y))
    assert len(kernel.cached_codes) > 3


def test_pending_arrays_keep_program_order(device):
    kernel = ElementwiseKernel("T x", "T y", "y = x * 2")
    x = lw.arange(10.0)
    before, after = x + 1, x * 3
    kernel(after, x)
    np.testing.assert_array_equal(before.to_host(), np.arange(10) + 1.0)
    np.testing.assert_array_equal(after.to_host(), np.arange(10) * 3.0)
    np.testing.assert_array_equal((x + 1).to_host(), np.arange(10) * 6.0 + 1)


@pytest.mark.parametrize("make", [_core.Array.from_host, cuda.to_device, lw.asarray])
def test_every_class_of_arrays(device, make):
    x = make(np.arange(5.0))
    out = ElementwiseKernel("T x", "T y", "y = x + 1")(x)
    assert type(out) is type(x)
    np.testing.assert_array_equal(out.to_host(), np.arange(5) + 1.0)


def test_kernels_pickle(device):
    kernel = ElementwiseKernel("T x", "T y", "y = x + OFFSET", options=("-DOFFSET=2",))
    x = put(np.ones(3))
    for each in (kernel, pickle.loads(pickle.dumps(kernel))):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(each))(x).to_host(), [3, 3, 3])
        each(x)


def test_a_kernel_says_what_it_is(device):
    kernel = ElementwiseKernel("T x, raw float32 table", "T y", "y = x", "identity")
    assert repr(kernel) == "<ElementwiseKernel 'identity': (T x, raw float32 table) -> (T y)>"
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.__name__) == (2, 1, 3, "identity")
    with pytest.raises(ValueError, match="there is no code before the first call"):
        kernel.cached_code
    kernel(put(np.ones(3)), put(np.ones(3, "f4")))
    assert "void lanewise_identity(const double *" in kernel.cached_code


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("inputs", "outputs", "error", "text"),
    [
        ("flaot32 x", "T y", TypeError, "'flaot32' in 'flaot32 x' is no dtype; 'float32' is"),
        ("int32_t x", "T y", TypeError, "'int32' is"),
        ("object x", "T y", TypeError, "is no dtype"),
        ("x", "T y", ValueError, "a parameter is a type and a name"),
        ("row T x", "T y", ValueError, "'row' in 'row T x' is not known"),
        ("T 2x", "T y", ValueError, "is no name of a variable"),
        ("T i", "T y", ValueError, "'i' has a meaning of its own"),
        ("T x, T x", "T y", ValueError, "two parameters are called 'x'"),
    ],
)
def test_declarations_that_are_refused(inputs, outputs, error, text):
    with pytest.raises(error, match="ElementwiseKernel 'k'") as caught:
        ElementwiseKernel(inputs, outputs, "y = 1", "k")
    assert text in str(caught.value)


def test_a_name_that_is_no_identifier():
    with pytest.raises(ValueError, match="identifier, not 'my kernel'"):
        ElementwiseKernel("T x", "T y", "y = x", "my kernel")


def _call_cases():
    x4, x8, host = (lambda: put(np.ones(4, "f4"))), (lambda: put(np.ones(4, "f8"))), np.ones(4, "f4")
    add = ("T x, T y", "T z", "z = x + y")
    fixed = ("float32 x", "float32 z", "z = x")
    yield (
        add,
        (x4, x8),
        {},
        TypeError,
        "'T y' takes arrays of float32 (as 'T x' is one), and the argument has dtype float64",
    )
    yield fixed, (x8,), {}, TypeError, "'float32 x' takes arrays of float32, and the argument has dtype float64"
    yield add, (x4,), {}, TypeError, "takes 2 (or 3, with outputs) arguments, not 1"
    yield add, (x4, host), {}, TypeError, "is a NumPy array, which lies in the host's memory; lanewise.asarray(x)"
    yield add, (x4, [1.0]), {}, TypeError, "is a list; lanewise.asarray(x)"
    yield add, (x4, "1"), {}, TypeError, "takes an array on a device or a number, not str"
    yield ("T x", "U z", "z = x"), (x4,), {}, TypeError, "no argument says what U is in 'U z'"
    yield add, (x4, lambda: put(np.ones(3, "f4"))), {}, ValueError, "shapes (4,), (3,) do not broadcast together"
    yield add, (x4, x4, lambda: put(np.ones(1, "f4"))), {}, ValueError, "'T z' has shape (1,), and the arguments"
    yield fixed, (1.0,), {}, ValueError, "no argument says how many elements there are; give size="
    yield fixed, (x4,), {"size": 4}, ValueError, "size= is for calls where every array is raw"
    yield ("raw T x", "T z", "z = x[i]"), (x4,), {"size": -1}, ValueError, "size is -1"
    yield ("raw T x", "T z", "z = x[i]"), (x4,), {"size": 1.5}, TypeError, "size is an integer, not float"
    yield ("T x", "raw T z", "z[i] = x"), (x4,), {}, ValueError, "size= has to say how large a raw output is"
    yield ("T x, int32 a", "T z", "z = x"), (x4, 2.5), {}, TypeError, "'int32 a' is int32 and cannot be 2.5"
    yield ("T x, int8 a", "T z", "z = x"), (x4, 300), {}, OverflowError, "-128 to 127, and cannot be 300"
    yield ("T x, float32 a", "T z", "z = x"), (x4, 1j), {}, TypeError, "'float32 a' is float32 and cannot be 1j"
    yield fixed, (x4, 3.0), {}, TypeError, "the output 'float32 z' has to be an array, not float"
    yield fixed, (x4, lambda: put(np.ones(1, "f4")).broadcast_to((4,))), {}, ValueError, "'float32 z' is read-only"


@pytest.mark.parametrize(("declared", "args", "kwargs", "error", "text"), list(_call_cases()))
def test_calls_that_are_refused(device, declared, args, kwargs, error, text):
    kernel = ElementwiseKernel(*declared, "k")
    with pytest.raises(error) as caught:
        kernel(*[arg() if callable(arg) else arg for arg in args], **kwargs)
    assert "ElementwiseKernel 'k'" in str(caught.value)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "place", "line"),
    [
        ({"operation": "\n  y = x +\n      unknown;"}, "operation of ElementwiseKernel 'k':3:7", "      unknown;"),
        (
            {"preamble": "__device__ int f() { return wrong; }"},
            "preamble of ElementwiseKernel 'k':1:29",
            "return wrong;",
        ),
        ({"loop_prep": "int a = missing;"}, "loop_prep of ElementwiseKernel 'k':1:9", "int a = missing;"),
    ],
)
def test_compile_errors_show_the_users_line(changes, place, line):
    before = _core.set_current_device(_core.device("cpu"))
    try:
        with pytest.raises(CompileError) as caught:
            ElementwiseKernel("T x", "T y", **{"operation": "y = x", "name": "k", **changes})(put(np.ones(3)))
    finally:
        _core.set_current_device(before)
    text = str(caught.value)
    assert place in text
    shown = text[text.index(line) :]
    assert "^" in shown
