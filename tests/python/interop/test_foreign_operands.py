"""Arrays of other libraries as operands, values, indices and kernel arguments."""

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

from .dlpack_structs import READ_ONLY, Foreign


class ByInterface:
    """An array of another library that has nothing but the CUDA array interface."""

    def __init__(self, array, **changes):
        self.array = array
        self.entries = {**_core.Array.__cuda_array_interface__.__get__(array), **changes}

    @property
    def __cuda_array_interface__(self):
        return self.entries


@pytest.fixture(params=["dlpack", "interface"])
def foreign(request, device):
    """Makes a foreign array on the current device, of a NumPy array."""
    kept = []

    def make(host):
        kept.append(lw.asarray(np.asarray(host)))
        if request.param == "interface":
            return ByInterface(kept[-1])

        class OnDevice:
            array = kept[-1]

            def __dlpack__(self, **kwargs):
                return self.array.__dlpack__(**kwargs)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        return OnDevice()

    return make


HOST = np.arange(6.0).reshape(2, 3)


def test_functions_take_them(foreign):
    x, y = lw.asarray(HOST), foreign(HOST + 1)
    for result, expected in (
        (lw.add(x, y), 2 * HOST + 1),
        (lw.subtract(y, 1), HOST),
        (lw.sqrt(y), np.sqrt(HOST + 1)),
        (lw.where(x > 2, x, y), np.where(HOST > 2, HOST, HOST + 1)),
        (lw.clip(y, 2, foreign(HOST)), np.clip(HOST + 1, 2, HOST)),
        (lw.sum(y, axis=0), (HOST + 1).sum(0)),
        (lw.add.reduce(y, axis=1), (HOST + 1).sum(1)),
        (lw.multiply.outer(x[0], y), np.multiply.outer(HOST[0], HOST + 1)),
        (lw.add(x, 1, where=foreign(HOST > 2), out=lw.zeros((2, 3))), np.where(HOST > 2, HOST + 1, 0)),
        (lw.concatenate([x, y]), np.concatenate([HOST, HOST + 1])),
        (lw.stack([y, y]), np.stack([HOST + 1, HOST + 1])),
        (lw.matmul(x, lw.asarray(y).T), HOST @ (HOST + 1).T),
        (lw.einsum("ij,ij->i", x, y), np.einsum("ij,ij->i", HOST, HOST + 1)),
        (lw.pad(y, 1), np.pad(HOST + 1, 1)),
        (lw.divmod(y, 2)[1], (HOST + 1) % 2),
        (lw.zeros_like(y), np.zeros_like(HOST)),
        (lw.array([y, y]), np.array([HOST + 1, HOST + 1])),
        (lw.take(x, foreign([0, 4])), HOST.take([0, 4])),
        (np.add(x, y), 2 * HOST + 1),
    ):
        assert type(result) is lw.ndarray
        np.testing.assert_array_equal(result.get(), expected)


def test_results_are_written_to_our_arrays_only(foreign):
    y = foreign(HOST)
    for call in (lambda: lw.add(lw.asarray(HOST), 1, out=y), lambda: lw.sum(lw.asarray(HOST), axis=0, out=y)):
        with pytest.raises(TypeError, match=r"out must be an array.*lanewise\.asarray"):
            call()


def test_values_that_are_assigned(foreign):
    x = lw.zeros((2, 3))
    x[0] = foreign(HOST[1])
    x[:, lw.asarray([True, False, False])] = foreign([[7.0], [8.0]])
    lw.copyto(x[1:, 1:], foreign(HOST[:1, 1:]))
    np.testing.assert_array_equal(x.get(), [[7, 4, 5], [8, 1, 2]])
    lw.add.at(x, (0, [0, 0]), foreign([1.0, 2.0]))
    assert float(x[0, 0]) == 10


def test_indices(foreign):
    x = lw.asarray(HOST)
    for index in ([1, 0], [1], [[0], [1]]):
        np.testing.assert_array_equal(x[foreign(index)].get(), HOST[np.array(index)])
    np.testing.assert_array_equal(x[foreign(HOST > 2)].get(), HOST[HOST > 2])
    x[foreign([1])] = 9
    np.testing.assert_array_equal(x.get(), [[0, 1, 2], [9, 9, 9]])


def test_an_index_with_a_value_is_an_array_still(device):
    """torch's tensors of one integer have __index__."""

    class Indexable(Foreign):
        def __index__(self):
            return int(self.host[0])

    assert lw.asarray(HOST)[Indexable(np.array([1]))].shape == (1, 3)


def test_host_arrays_of_other_libraries_are_copied_as_values_and_indices(device):
    x = lw.zeros((2, 3))
    x[...] = Foreign(HOST)
    np.testing.assert_array_equal(x.get(), HOST)
    np.testing.assert_array_equal(x[Foreign(np.array([1, 1]))].get(), HOST[[1, 1]])


def test_operands_on_the_host_stay_there(gpu):
    with pytest.raises(ValueError, match=f"{gpu} and of cpu"):
        lw.add(lw.ones((2, 3)), Foreign(HOST))


def test_operators_leave_them_to_their_library(foreign):
    class Friendly(Foreign):
        def __radd__(self, other):
            return "radd"

        def __eq__(self, other):
            return "eq"

        __hash__ = None

    x = lw.ones((2, 3))
    friendly = Friendly(HOST)
    assert x + friendly == "radd" and (x == friendly) == "eq" and (friendly == x) == "eq" and (x != friendly) is False
    y = foreign(HOST)
    for call in (lambda: x + y, lambda: y * x, lambda: x @ y, lambda: x < y):
        with pytest.raises(TypeError, match="unsupported|not supported"):
            call()


def test_equality_is_no_false_answer(foreign):
    x, y = lw.ones((2, 3)), foreign(HOST)
    for call in (lambda: x == y, lambda: y == x, lambda: x != y, lambda: y != x):
        with pytest.raises(TypeError, match=r"another library; lanewise\.asarray"):
            call()
    assert (x == "text") is False


def test_membership_looks_at_elements(foreign):
    x = lw.asarray(HOST)
    assert foreign(3.0) in x and foreign(7.0) not in x


@cuda.jit
def scale(f, a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * f


twice = lw.RawKernel(
    'extern "C" __global__ void twice(double* a, int n) { int i = threadIdx.x; if (i < n) a[i] *= 2; }', "twice"
)
double_of = lw.ElementwiseKernel("T a", "T b", "b = a * 2", "double_of")


def test_kernels_take_them(foreign):
    y = foreign(np.arange(4.0))
    scale[1, 32](3.0, y)
    twice((1,), (32,), (y, np.int32(4)))
    result = double_of(y)
    assert type(result) is lw.ndarray and result.tolist() == [0, 12, 24, 36]
    double_of(y, y)
    assert lw.asarray(y).tolist() == [0, 12, 24, 36]


def test_kernels_do_not_write_to_read_only_memory():
    host = np.arange(4.0)
    read_only = Foreign(host, flags=READ_ONLY)
    stream = _core.device("cpu").default_stream
    with pytest.raises((TypeError, ValueError), match="read-only|readonly"):
        scale[1, 32, stream](2.0, read_only)
    before = _core.set_current_device(_core.device("cpu"))
    try:
        with pytest.raises(ValueError, match="read-only"):
            twice((1,), (32,), (read_only, np.int32(4)))
    finally:
        _core.set_current_device(before)
    assert host.tolist() == [0, 1, 2, 3]


def test_an_old_interface_says_nothing_of_streams(device):
    """Before version 3 of the CUDA array interface only DLPack orders the work of two libraries."""

    class Both(ByInterface):
        asked = 0

        def __dlpack__(self, **kwargs):
            self.asked += 1
            return self.array.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    x = lw.arange(4.0)
    for version, stream, asked in ((2, None, 1), (3, None, 0), (3, 1, 0)):
        both = Both(x, version=version, stream=stream)
        scale[1, 32](1.0, both)
        assert both.asked == asked
        lw.asarray(both)
        assert both.asked == asked + 1
