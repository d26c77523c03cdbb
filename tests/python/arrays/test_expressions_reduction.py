"""ReductionKernel: kernels that fold elements along axes, against NumPy."""

import numpy as np
import pytest

from lanewise import CompileError, ReductionKernel, _core
from lanewise.expressions import reduction

from .test_expressions_elementwise import NUMBERS, put, values

# Few and many elements for one and for many results: one thread, one block, and several blocks for each result.
SHAPES = [
    ((1,), 0), ((7,), 0), ((1000,), None), ((300_007,), 0), ((5, 3), 1), ((2000, 3), 0), ((2000, 3), 1),
    ((3, 40_001), 1), ((40_001, 3), 0), ((1030, 70), 1), ((70, 1030), 0), ((2, 3, 4), None), ((2, 3, 4), (0, 2)),
    ((2, 3, 4), (1,)), ((9, 1100, 5), 1), ((2, 3, 4), ()), ((64, 64, 64), (0, 1)), ((64, 64, 64), (-1, 0)),
]  # fmt: skip


@pytest.fixture(scope="module")
def total():
    return ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")


@pytest.fixture(scope="module")
def largest():
    return ReductionKernel("T x", "T y", "x", "a < b ? b : a", "y = a", "", "largest")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_shapes_and_axes(device, total, largest, shape, axis, order):
    x = np.asarray(values(shape, "int32") - 25, order=order)
    np.testing.assert_array_equal(total(put(x), axis=axis).to_host(), x.sum(axis=axis, dtype="i4"))
    np.testing.assert_array_equal(largest(put(x), axis=axis).to_host(), x.max(axis=axis))


class _Gpu:
    """As far as plans look at a device."""

    kind = "cuda"

    def attribute(self, name):
        assert name == "multiprocessor_count"
        return 132


@pytest.fixture
def shared_as_on_a_gpu(monkeypatch):
    """Threads share the work as they do on a GPU; the code is the same on every device."""
    choose = reduction.choose_tree
    monkeypatch.setattr(
        reduction, "choose_tree", lambda out, reduced, walked, device, **kw: choose(out, reduced, walked, _Gpu(), **kw)
    )


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_shapes_and_axes_as_gpus_share_them(device, shared_as_on_a_gpu, shape, axis, order):
    x = np.asarray(values(shape, "int32") - 25, order=order)
    for identity in ("0", None):
        kernel = ReductionKernel("T x", "T y", "x", "a + b", "y = a", identity, "total")
        np.testing.assert_array_equal(kernel(put(x), axis=axis).to_host(), x.sum(axis=axis, dtype="i4"))
        for code in kernel.cached_codes.values() if identity else ():
            assert b".entry lanewise_total" in _core.compile_cuda_ptx(code, "sm_90")


def test_gpus_load_16_bytes_at_once(shared_as_on_a_gpu):
    kernel = ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    before = _core.set_current_device(_core.device("cpu"))
    kernel(put(np.ones((100, 1000), "f4")), axis=1)
    _core.set_current_device(before)
    assert any(b"ld.global.v4" in _core.compile_cuda_ptx(code, "sm_90") for code in kernel.cached_codes.values())


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_every_dtype(device, total, dtype, axis):
    x = values((130, 70), dtype) if dtype not in ("int8", "uint8") else values((130, 70), dtype) % 3
    out = total(put(x), axis=axis)
    assert out.dtype == dtype
    if np.dtype(dtype).kind in "iu":
        np.testing.assert_array_equal(out.to_host(), x.sum(axis=axis, dtype=dtype))
    else:
        tolerance = {"float16": 5e-2, "float32": 1e-4, "complex64": 1e-4}.get(dtype, 1e-10)
        wide = {"float16": "f4"}.get(dtype, dtype)
        scale = np.abs(x.astype(wide)).sum(axis=axis)
        assert np.all(np.abs(out.to_host() - x.astype(wide).sum(axis=axis)) <= tolerance * scale)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::2],
        lambda x: x[:, ::-1],
        lambda x: x[::-1, 3:40:3],
        lambda x: x.T,
        lambda x: x[:, 1:],
        lambda x: x[1:, :-1],
    ],
)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_strided_views(device, total, view, axis):
    x = values((100, 300), "int64")
    np.testing.assert_array_equal(total(view(put(x)), axis=axis).to_host(), view(x).sum(axis=axis))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_inputs_broadcast_and_numbers_mix_in(device, axis, keepdims):
    kernel = ReductionKernel("T x, T y, float32 p", "T z", "x * y + p", "a + b", "z = a / 2", "0", "dot")
    x, y = values((50, 60), "f4"), values((60,), "f4", 1)
    out = kernel(put(x), put(y), 0.5, axis=axis, keepdims=keepdims)
    expected = (x.astype("f8") * y + 0.5).sum(axis=axis, keepdims=keepdims) / 2
    assert out.shape == expected.shape
    np.testing.assert_allclose(out.to_host(), expected, rtol=1e-4, atol=1e-3)


def test_map_and_post_map(device):
    norm = ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    x = values((40, 500), "f4")
    np.testing.assert_allclose(norm(put(x), axis=1).to_host(), np.linalg.norm(x, axis=1), rtol=1e-5)


def test_an_expression_of_a_alone_begins_at_the_identity(device):
    kernel = ReductionKernel("T x", "T y", "x", "a + abs(b)", "y = a", "0", "l1norm")
    x = values(1000, "int32") - 25
    assert kernel(put(x)).to_host() == np.abs(x).sum()


def test_a_struct_is_folded(device):
    argmax = ReductionKernel(
        "T x",
        "int64 at, T value",
        "Best(x, _J)",
        "better(a, b)",
        "at = a.at; value = a.value",
        None,
        "argmax",
        reduce_type="Best",
        preamble="""
        struct Best {
            T value; long long at;
            __device__ Best() : value(0), at(-1) {}
            __device__ Best(T value, long long at) : value(value), at(at) {}
        };
        __device__ Best better(Best a, Best b) {
            if (a.value != b.value) return a.value > b.value ? a : b;
            return a.at < b.at ? a : b;
        }
        """,
    )
    for shape, axis in (((30, 500), 1), ((500, 30), 0), ((200_000,), None), ((3, 100_000), 1)):
        x = values(shape, "int32") - 60
        at, value = argmax(put(x), axis=axis)
        np.testing.assert_array_equal(at.to_host(), x.argmax(axis=axis))
        np.testing.assert_array_equal(value.to_host(), x.max(axis=axis))


@pytest.mark.parametrize("count", [10, 100])
def test_large_structs_are_folded(device, count):
    kernel = ReductionKernel(
        "T x", "T y", "Many(x)", "add(a, b)", "y = a.at[0] + a.at[COUNT - 1]", None, "many", reduce_type="Many",
        preamble="""
        struct Many {
            T at[COUNT];
            __device__ Many() {}
            __device__ Many(T x) { for (T &each : at) each = x; }
        };
        __device__ Many add(Many a, const Many &b) {
            for (int k = 0; k < COUNT; ++k) a.at[k] += b.at[k];
            return a;
        }
        """, options=(f"-DCOUNT={count}",),
    )  # fmt: skip
    for shape, axis in (((30_000, 3), 0), ((1000,), None), ((3, 5000), 1)):
        x = values(shape, "float64").round(2) * 4
        np.testing.assert_allclose(kernel(put(x), axis=axis).to_host(), 2 * x.sum(axis=axis), rtol=1e-12, atol=1e-9)


def test_sizes_and_positions(device):
    mean = ReductionKernel("T x", "float64 y", "x", "a + b", "y = a / (_in_ind.size() / _out_ind.size())", "0")
    x = values((6, 50), "f8")
    np.testing.assert_allclose(mean(put(x), axis=1).to_host(), x.mean(axis=1))
    # _j: reduced axes first.
    positions = ReductionKernel("T x", "int64 y", "x * 0 + _j", "max(a, b)", "y = a", "0")
    np.testing.assert_array_equal(positions(put(np.zeros((4, 5), "i8")), axis=1).to_host(), np.arange(4) + 4 * 4)
    index = ReductionKernel(
        "T x", "int64 y", "_in_ind.get()[0] * 10 + _in_ind.get()[1] + 0 * x", "a + b", "y = a", "0", reduce_dims=False
    )
    rows, columns = np.indices((4, 5))
    expected = (columns * 10 + rows).sum(axis=1)
    np.testing.assert_array_equal(index(put(np.zeros((4, 5), "i8")), axis=1).to_host(), expected)


def test_raw_inputs(device):
    kernel = ReductionKernel("int32 at, raw T table", "T y", "table[at]", "a + b", "y = a", "0", "gather")
    at, table = values((20, 30), "int32") % 11, values(22, "f8")[::2]
    out = kernel(put(at), put(values(22, "f8"))[::2], axis=0)
    np.testing.assert_allclose(out.to_host(), table[at].sum(axis=0), rtol=1e-12)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_output_arguments(device, total, axis, keepdims):
    x = values((20, 300), "int64")
    expected = x.sum(axis=axis, keepdims=keepdims)
    for place in ("keyword", "argument"):
        whole = put(np.full((*expected.shape, 2), -1))
        out = whole[..., 0]
        if place == "keyword":
            result = total(put(x), out=out, axis=axis, keepdims=keepdims)
        else:
            result = total(put(x), out, axis=axis, keepdims=keepdims)
        assert result is out
        np.testing.assert_array_equal(whole.to_host()[..., 0], expected)
        assert np.all(whole.to_host()[..., 1] == -1)


def test_an_output_that_is_part_of_the_input(device, total):
    x = values((50, 40), "int64")
    on_device = put(x)
    total(on_device, out=on_device[0], axis=0)
    np.testing.assert_array_equal(on_device.to_host()[0], x.sum(axis=0))


@pytest.mark.parametrize(("shape", "axis"), [((0,), None), ((0, 3), 0), ((3, 0), 1), ((0, 3), 1), ((0, 0), None)])
def test_no_elements(device, total, largest, shape, axis):
    x = np.zeros(shape, "f4")
    out = total(put(x), axis=axis)
    np.testing.assert_array_equal(out.to_host(), x.sum(axis=axis))
    if out.size:
        with pytest.raises(ValueError, match="'largest' has no identity, and there are no elements along axis"):
            largest(put(x), axis=axis)
    else:
        assert largest(put(x), axis=axis).shape == out.shape


def test_results_repeat_exactly(device, total):
    x = put(values(1_000_003, "f4"))
    first = total(x).to_host()
    assert all(total(x).to_host() == first for _ in range(5))


def test_a_misaligned_view(device, total):
    x = values(100_001, "int32")
    for start in range(4):
        assert total(put(x)[start:]).to_host() == x[start:].sum()
    rows = values((30, 1001), "int32")
    np.testing.assert_array_equal(total(put(rows)[:, 1:], axis=1).to_host(), rows[:, 1:].sum(axis=1))


def test_zero_dimensional_input(device, total):
    assert total(put(np.array(5))).to_host() == 5


def test_preamble_options_and_streams(device):
    kernel = ReductionKernel(
        "T x", "T y", "twice(x)", "a + b", "y = a + OFFSET", "0", "doubled",
        preamble="template <class V> __device__ V twice(V v) { return v + v; }", options=("-DOFFSET=3",),
    )  # fmt: skip
    stream = _core.current_device().create_stream()
    out = kernel(put(np.arange(100)), stream=stream)
    stream.synchronize()
    assert out.to_host() == 99 * 100 + 3


# ------------------------------------------------------------------------------------------------------------ refusals


def _call_cases():
    x = lambda: put(np.ones((3, 4), "f4"))
    yield (x,), {"axis": 2}, np.exceptions.AxisError, "axis 2 is out of bounds"
    yield (x,), {"axis": (0, -2)}, ValueError, "names an axis twice"
    yield (x,), {"axis": 1.5}, TypeError, "axis is an integer, a tuple of them or None, not 1.5"
    yield (
        (x,),
        {"axis": 0, "out": lambda: put(np.ones(3, "f4"))},
        ValueError,
        "has shape (3,), and the result has shape (4,)",
    )
    yield (x,), {"out": lambda: put(np.ones((), "f8"))}, TypeError, "takes arrays of"
    yield (x, x), {"out": x}, TypeError, "the output is given twice"
    yield (1.0,), {}, ValueError, "there is no array to reduce"
    yield (), {}, TypeError, "takes 1 (or 2, with outputs) arguments, not 0"
    yield (np.ones(3),), {}, TypeError, "is a NumPy array, which lies in the host's memory"


@pytest.mark.parametrize(("args", "kwargs", "error", "text"), list(_call_cases()))
def test_calls_that_are_refused(device, total, args, kwargs, error, text):
    with pytest.raises(error, match="ReductionKernel 'total'") as caught:
        total(
            *[arg() if callable(arg) else arg for arg in args],
            **{k: v() if callable(v) else v for k, v in kwargs.items()},
        )
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("outputs", "text"),
    [("", "declares no output"), ("raw T y", "'raw T y' cannot be raw"), ("T _j", "meaning of its own")],
)
def test_declarations_that_are_refused(outputs, text):
    with pytest.raises(ValueError, match="ReductionKernel 'k'") as caught:
        ReductionKernel("T x", outputs, "x", "a + b", "y = a", "0", "k")
    assert text in str(caught.value)


@pytest.mark.parametrize("part", ["map_expr", "reduce_expr", "post_map_expr", "identity"])
def test_compile_errors_show_the_users_line(part):
    parts = {"map_expr": "x", "reduce_expr": "a + b", "post_map_expr": "y = a", "identity": "0"}
    parts[part] += " +\n   unknown"
    before = _core.set_current_device(_core.device("cpu"))
    try:
        with pytest.raises(CompileError) as caught:
            ReductionKernel("T x", "T y", **parts, name="k")(put(np.ones(3)))
    finally:
        _core.set_current_device(before)
    text = str(caught.value)
    assert f"{part} of ReductionKernel 'k':2:4" in text
    assert "^" in text[text.index("   unknown") :]
