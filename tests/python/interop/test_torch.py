"""PyTorch's tensors and lanewise's arrays over the same memory. Runs where PyTorch is installed."""

import gc
import threading

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

torch = pytest.importorskip("torch")

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


@pytest.fixture(params=[d.name for d in _core.devices() if d.name == "cpu" or torch.cuda.is_available()])
def place(request):
    """A device of lanewise, made current; the value is torch's name of it."""
    before = _core.set_current_device(_core.device(request.param))
    yield request.param
    _core.set_current_device(before)


def host(tensor):
    return tensor.detach().cpu().numpy()


def ramp(place, *shape, dtype=torch.float64):
    return torch.arange(int(np.prod(shape)), device=place).to(dtype).reshape(shape)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_go_both_ways(place, dtype):
    x = lw.ones((2, 3), dtype=dtype)
    tensor = torch.from_dlpack(x)
    assert tensor.dtype is getattr(torch, dtype) and tensor.data_ptr() == x.pointer
    assert tensor.device.type == torch.device(place).type
    back = lw.from_dlpack(tensor)
    assert back.dtype == x.dtype and back.pointer == x.pointer


@pytest.mark.parametrize(
    "take",
    [
        torch.from_dlpack,
        torch.utils.dlpack.from_dlpack,
        lambda x: torch.from_dlpack(x.__dlpack__()),
        lambda x: torch.from_dlpack(x.__dlpack__(max_version=(1, 0))),
        torch.as_tensor,
        torch.asarray,
    ],
)
@pytest.mark.parametrize(
    "view", [lambda x: x, lambda x: x.T, lambda x: x[1:, ::2], lambda x: x[:0], lambda x: x[1, 2], lambda x: x[None]]
)
def test_torch_takes_views(place, take, view):
    x = view(lw.arange(20.0).reshape(4, 5))
    tensor = take(x)
    assert tuple(tensor.shape) == x.shape
    np.testing.assert_array_equal(host(tensor), x.get())
    if x.size:
        assert tensor.data_ptr() == x.pointer
        tensor += 1
        np.testing.assert_array_equal(host(tensor), x.get())


def test_torch_takes_pending_arrays(place):
    for size in (10, 1000, 1_000_000):
        assert float(torch.from_dlpack(lw.arange(float(size)) * 2 + 1)[-1]) == 2 * size - 1


def test_torch_copies_where_asked(place):
    x = lw.arange(6.0)
    for tensor in (
        torch.from_dlpack(x, copy=True),
        torch.tensor(x) if place == "cpu" else torch.from_dlpack(x).clone(),
    ):
        assert tensor.data_ptr() != x.pointer
        np.testing.assert_array_equal(host(tensor), x.get())
    on_host = torch.from_dlpack(x, device="cpu")
    assert on_host.device.type == "cpu"
    np.testing.assert_array_equal(host(on_host), x.get())


def test_torch_has_no_negative_strides(place):
    # Torch's own reader of CUDA array interfaces ends the process over them.
    for take in (torch.from_dlpack, torch.as_tensor) if place == "cpu" else (torch.from_dlpack,):
        with pytest.raises((BufferError, ValueError), match="negative strides"):
            take(lw.arange(4.0)[::-1])
    assert torch.from_dlpack(lw.arange(4.0)[::-1].copy("C")).tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize("take", [lw.from_dlpack, lw.asarray])
@pytest.mark.parametrize(
    "view",
    [
        lambda t: t,
        lambda t: t.T,
        lambda t: t[1:, ::2],
        lambda t: t[:0],
        lambda t: t[1, 2],
        lambda t: t[:1].expand(3, 5),
        lambda t: torch.nn.Parameter(t, requires_grad=False),
    ],
)
def test_tensors_are_taken(place, take, view):
    tensor = view(ramp(place, 4, 5))
    x = take(tensor)
    assert type(x) is lw.ndarray and x.device.name == place and x.shape == tuple(tensor.shape)
    np.testing.assert_array_equal(x.get(), host(tensor))
    if x.size:
        assert x.pointer == tensor.data_ptr()


def test_array_copies(place):
    tensor = ramp(place, 3)
    x = lw.array(tensor)
    tensor += 1
    assert x.tolist() == [0, 1, 2]


def test_tensors_of_the_host_go_where_host_data_go(place):
    tensor = ramp("cpu", 3)
    assert lw.asarray(tensor).device.name == place
    assert lw.from_dlpack(tensor).device.name == "cpu"
    assert lw.asarray(tensor, device="cpu").pointer == tensor.data_ptr()


@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


add_one_raw = lw.RawKernel(
    'extern "C" __global__ void add_one(double* a, int n) { int i = threadIdx.x; if (i < n) a[i] += 1; }', "add_one"
)
plus_one = lw.ElementwiseKernel("T a", "T b", "b = a + 1", "plus_one")
WAYS_IN = {
    "from_dlpack": lw.from_dlpack,
    "asarray": lw.asarray,
    "kernel": lambda t: add_one[1, 32](t),
    "raw kernel": lambda t: add_one_raw((1,), (32,), (t, np.int32(3))),
    "elementwise kernel": lambda t: plus_one(t),
    "ufunc": lambda t: lw.add(t, 1),
    "function": lambda t: lw.sum(t),
    "index": lambda t: lw.zeros(3)[t],
    "value": lambda t: lw.zeros(3).__setitem__(..., t),
}


@pytest.mark.parametrize("way", WAYS_IN.values(), ids=WAYS_IN)
@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda place: torch.ones(3, device=place, dtype=torch.float64, requires_grad=True), "detach"),
        (lambda place: torch.nn.Parameter(torch.ones(3, device=place)), "detach"),
        (lambda place: (torch.ones(3, device=place) * 1j).conj(), "conjugate"),
        (lambda place: (torch.ones(3, device=place) * 1j).conj().imag, "resolve_neg"),
        (lambda place: torch.ones(3, device=place).to_sparse(), "strided"),
        (lambda place: torch.ones(3, device="meta"), "meta"),
        (lambda place: torch.ones(3, device=place).to(torch.float8_e5m2), "float8_e5m2"),
        (lambda place: torch.empty(3, device=place, dtype=torch.complex32), "complex of 32 bits"),
    ],
    ids=["requires_grad", "parameter", "conj", "neg", "sparse", "meta", "float8", "complex32"],
)
@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_what_memory_does_not_say_is_refused(place, way, make, text):
    with pytest.raises((BufferError, TypeError, ValueError), match=text):
        way(make(place))


def test_kernels_of_all_kinds_take_tensors(place):
    tensor = torch.zeros(3, device=place, dtype=torch.float64)
    add_one[1, 32](tensor)
    add_one_raw((1,), (32,), (tensor, np.int32(3)))
    plus_one(tensor, tensor)
    assert tensor.tolist() == [3, 3, 3]
    result = plus_one(tensor)
    assert type(result) is lw.ndarray and result.tolist() == [4, 4, 4]
    strided = torch.zeros(6, device=place, dtype=torch.float64)[::2]
    add_one[1, 32](strided)
    assert strided.tolist() == [1, 1, 1]


def test_kernels_take_read_only_tensors_for_reading(place):
    wrapper = getattr(torch.utils.dlpack, "ReadOnlyTensorWrapper", None)
    if wrapper is None:
        pytest.skip("this torch has no read-only tensors")
    tensor = torch.ones(3, device=place, dtype=torch.float64)
    with pytest.raises(TypeError, match="read-only|readonly"):
        add_one[1, 32](wrapper(tensor))
    assert lw.from_dlpack(wrapper(tensor)).read_only and lw.sum(wrapper(tensor)).item() == 3
    assert tensor.tolist() == [1, 1, 1]


def test_functions_take_tensors(place):
    x, tensor = lw.arange(6.0).reshape(2, 3), ramp(place, 2, 3)
    for result, expected in (
        (lw.add(x, tensor), x + x),
        (lw.where(x > 2, x, tensor), x),
        (lw.concatenate([x, tensor]), lw.concatenate([x, x])),
        (lw.dot(x, tensor.T), lw.dot(x, x.T)),
        (lw.sum(tensor, axis=0), x.sum(0)),
        (x[torch.tensor([1, 0], device=place)], x[[1, 0]]),
        (x[torch.tensor([1], device=place)], x[[1]]),
        (x[torch.tensor([1, 0])], x[[1, 0]]),
        (x[tensor > 2], x[x > 2]),
    ):
        np.testing.assert_array_equal(result.get(), expected.get())
    x[0] = tensor[1]
    assert x[0].tolist() == [3, 4, 5]


def test_operators_of_both_are_refused(place):
    x, tensor = lw.ones(3), torch.ones(3, device=place)
    for call in (
        lambda: x + tensor,
        lambda: tensor + x,
        lambda: x == tensor,
        lambda: tensor == x,
        lambda: tensor != x,
        lambda: x @ tensor,
        lambda: lw.add(x, 1, out=tensor),
        lambda: torch.add(tensor, x),
    ):
        with pytest.raises(TypeError):
            call()


def test_the_producer_may_go_first(place):
    tensor = ramp(place, 1000)
    x = lw.from_dlpack(tensor)[10:]
    del tensor
    gc.collect()
    junk = torch.zeros(1000, device=place, dtype=torch.float64)
    assert x[:3].tolist() == [10, 11, 12]
    back = torch.from_dlpack(x * 2)
    del x, junk
    gc.collect()
    lw.zeros(990)
    assert back[:3].tolist() == [20, 22, 24]


def test_threads(place):
    wrong = []

    def work(number):
        try:
            _core.set_current_device(_core.device(place))
            for _ in range(100):
                tensor = torch.full((1000,), float(number), device=place)
                again = torch.from_dlpack(lw.from_dlpack(tensor) * 2 + 1)
                if not bool((again == 2 * number + 1).all()):
                    wrong.append(number)
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("first", ["torch", "lanewise"])
def test_both_compilers_live_in_one_process(run_python, tmp_path, first):
    """Each library has an LLVM of its own."""
    other = {"torch": "lanewise", "lanewise": "torch"}[first]
    finished = run_python(
        "-c",
        f"""
import {first}
import {other}
import lanewise as lw, torch

kernel = lw.RawKernel('extern "C" __global__ void f(float* a) {{ a[threadIdx.x] *= 3; }}', "f")
tensor = torch.ones(4)
lw.set_current_device(lw.device("cpu"))
kernel((1,), (4,), (tensor,))
assert tensor.tolist() == [3] * 4
assert float((lw.from_dlpack(tensor) * 2).sum()) == 24
assert float((tensor @ torch.ones(4)) * 2) == 24
print("done")
""",
        env={"LANEWISE_CACHE_DIR": str(tmp_path)},
    )
    assert (finished.stdout, finished.returncode) == ("done\n", 0), finished.stderr
