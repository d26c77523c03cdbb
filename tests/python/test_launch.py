"""Launch configurations and arguments."""

import numpy as np
import pytest

from lanewise import cuda
from lanewise.errors import UnsupportedError


@cuda.jit
def count(out):
    cuda.atomic.add(out, 0, 1)


@cuda.jit
def extents(out):
    if cuda.grid(1) == 0:
        out[0] = cuda.gridDim.x
        out[1] = cuda.gridDim.y
        out[2] = cuda.gridDim.z
        out[3] = cuda.blockDim.x
        out[4] = cuda.blockDim.y
        out[5] = cuda.blockDim.z


def threads(configuration):
    out = cuda.to_device(np.zeros(1, np.int64))
    count[configuration](out)
    return int(out.copy_to_host()[0])


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ((2, 32), 64),
        (((2,), (32,)), 64),
        (((2, 3), (4, 5)), 120),
        (((2, 3, 2), (2, 2, 2)), 96),
        ((np.int64(2), np.int32(3)), 6),
        (([2, 2], [4]), 16),
        (((2, 1, 1), 32, 0), 64),
        ((2, 32, 0, 128), 64),
        ((2, 32, None), 64),
    ],
    ids=str,
)
def test_configurations(device, configuration, expected):
    assert threads(configuration) == expected


def test_kernels_see_the_configuration(device):
    out = cuda.to_device(np.zeros(6, np.int64))
    extents[(2, 3, 4), (5, 6, 7)](out)
    assert out.copy_to_host().tolist() == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("configuration", "expected", "text"),
    [
        (1, ValueError, r"kernel\[grid, block\].*got 1 item"),
        ((1,), ValueError, "got 1 item"),
        ((1, 2, 0, 0, 1, 1), ValueError, "got 6 items"),
        ((1.5, 32), TypeError, "grid.*got 1.5"),
        ((1, "32"), TypeError, "block.*got '32'"),
        (((1, 2, 3, 4), 32), ValueError, "3"),
        (((), 32), ValueError, ""),
        (((1, 1.0), 32), TypeError, "grid.*1.0"),
        ((1, 32, "stream"), TypeError, "stream"),
    ],
    ids=str,
)
def test_refused_configurations(configuration, expected, text):
    with pytest.raises(expected, match=text):
        count[configuration]


@pytest.mark.parametrize("configuration", [(0, 32), (1, 0), (1, 100_000), ((1, 2**20), 1), (1, (32, 64))], ids=str)
def test_configurations_that_no_device_takes(device, configuration):
    out = cuda.to_device(np.zeros(1, np.int64))
    with pytest.raises(ValueError, match=r"\d"):
        count[configuration](out)


def test_blocks_beyond_the_launch_bounds_are_refused(device):
    @cuda.jit(launch_bounds=(96, 1))
    def bounded(out):
        i = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
        out[i] = i

    out = cuda.to_device(np.zeros(96, np.int32))
    for block in (97, (16, 8), (8, 8, 2), 1024):
        with pytest.raises(ValueError, match="this kernel allows at most 96 threads per block"):
            bounded[1, block](out)
    bounded[1, (12, 8)](out)
    assert out.copy_to_host().tolist() == list(range(96))
    bounded.forall(96)(out)
    assert bounded.specializations()[0].max_threads_per_block == 96


def test_a_configuration_is_reusable(device):
    out = cuda.to_device(np.zeros(1, np.int64))
    launcher = count[3, 5]
    launcher(out)
    launcher(out)
    assert out.copy_to_host()[0] == 30
    assert (launcher.griddim, launcher.blockdim, launcher.sharedmem) == ((3, 1, 1), (5, 1, 1), 0)
    assert launcher.dispatcher is count
    assert count.configure(3, 5).griddim == (3, 1, 1)


def test_calling_without_configuration():
    with pytest.raises(ValueError, match=r"count\[") as caught:
        count(np.zeros(1))
    assert "configuration" in str(caught.value)


@cuda.jit
def store(out, value):
    out[0] = value


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (3, np.int64),
        (-(2**63), np.int64),
        (2**64 - 1, np.uint64),
        (True, np.bool_),
        (2.5, np.float64),
        (float("nan"), np.float64),
        (np.float32(0.1), np.float32),
        (np.int8(-5), np.int8),
        (np.uint16(65535), np.uint16),
        (np.bool_(True), np.bool_),
        (np.uint64(2**63 + 1), np.uint64),
    ],
    ids=repr,
)
def test_scalar_arguments_arrive_unchanged(device, value, dtype):
    out = np.zeros(1, dtype)
    store[1, 1](out, value)
    np.testing.assert_array_equal(out[0], dtype(value))


def test_integers_beyond_64_bits(device):
    with pytest.raises((ValueError, OverflowError), match="64"):
        store[1, 1](np.zeros(1), 2**64)


@pytest.mark.parametrize("value", ["text", object(), {}, [1, 2]], ids=lambda value: type(value).__name__)
def test_arguments_that_kernels_do_not_take(device, value):
    with pytest.raises((TypeError, NotImplementedError, ValueError), match=type(value).__name__):
        store[1, 1](np.zeros(1), value)


def test_tuples_as_arguments(device):
    @cuda.jit
    def kernel(out, pair, nested):
        out[0] = pair[0] + pair[1]
        out[1] = nested[0][0] * nested[1]

    out = np.zeros(2)
    kernel[1, 1](out, (1, 2.5), ((3, 4), 5))
    assert out.tolist() == [3.5, 15.0]


def test_too_few_and_too_many_arguments(device):
    with pytest.raises(TypeError, match="value"):
        store[1, 1](np.zeros(1))
    with pytest.raises(TypeError, match="store"):
        store[1, 1](np.zeros(1), 1, 2)


def test_default_and_keyword_arguments(device):
    @cuda.jit
    def kernel(out, a, b=10):
        out[0] = a - b

    out = np.zeros(1)
    kernel[1, 1](out, 3)
    assert out[0] == -7
    kernel[1, 1](out, b=1, a=2)
    assert out[0] == 1


def test_host_arrays_are_copied_in_and_back(device):
    x = np.arange(10, dtype=np.float32)
    y = np.asfortranarray(np.arange(12.0).reshape(3, 4))

    @cuda.jit
    def kernel(x, y):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = -x[i]
        if i < y.shape[0]:
            y[i, 1] = 100

    kernel[1, 16](x, y)
    assert x.tolist() == [-v for v in range(10)]
    assert (y[:, 1] == 100).all() and y[0, 0] == 0 and y[2, 3] == 11


def test_non_contiguous_host_arrays(device):
    base = np.zeros(10, np.int64)

    @cuda.jit
    def kernel(x):
        x[cuda.grid(1)] = cuda.grid(1) + 1

    kernel[1, 5](base[::2])
    assert base.tolist() == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0]


def test_directions_of_host_arrays(device):
    @cuda.jit
    def kernel(source, target, both):
        i = cuda.grid(1)
        target[i] = source[i] + both[i]
        both[i] = -1
        source[i] = 99

    source, target, both = np.arange(4.0), np.empty(4), np.full(4, 10.0)
    kernel[1, 4](cuda.In(source), cuda.Out(target), cuda.InOut(both))
    assert target.tolist() == [10, 11, 12, 13]
    assert both.tolist() == [-1] * 4
    if device != "cpu":
        assert source.tolist() == [0, 1, 2, 3]


def test_empty_arrays(device):
    empty = cuda.device_array((0, 3), np.float32)

    @cuda.jit
    def kernel(x, out):
        out[0] = x.size
        out[1] = x.shape[1]

    out = np.zeros(2, np.int64)
    kernel[1, 1](empty, out)
    assert out.tolist() == [0, 3]


def test_launches_on_a_stream_keep_their_order(device):
    stream = cuda.stream()
    x = cuda.to_device(np.ones(1, np.int64), stream=stream)

    @cuda.jit
    def affine(x):
        x[0] = 3 * x[0] + 1

    expected = 1
    for _ in range(10):
        affine[1, 1, stream](x)
        expected = 3 * expected + 1
    assert x.copy_to_host(stream=stream)[0] == expected


def test_dynamic_shared_memory(device):
    @cuda.jit
    def reverse(x):
        buffer = cuda.shared.array(0, cuda.float32)
        i = cuda.threadIdx.x
        buffer[i] = x[i]
        cuda.syncthreads()
        x[i] = buffer[x.size - 1 - i]

    x = np.arange(64, dtype=np.float32)
    reverse[1, 64, 0, 64 * 4](x)
    assert x.tolist() == list(range(63, -1, -1))


def test_forall(device):
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += i

    x = np.zeros(1001)
    kernel.forall(x.size)(x)
    assert x.tolist() == list(range(1001))
    kernel.forall(x.size, tpb=32, stream=cuda.default_stream())(x)
    assert x[1000] == 2000
    kernel.forall(0)(x)
    assert x[1000] == 2000
    with pytest.raises(ValueError, match="negative task count: -1"):
        kernel.forall(-1)


def test_launch_from_many_threads(device):
    import threading

    totals = cuda.to_device(np.zeros(1, np.int64))
    failures = []

    def work():
        try:
            cuda.select_device(device)
            for _ in range(20):
                count[2, 8](totals)
            cuda.synchronize()
        except Exception as error:
            failures.append(error)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert totals.copy_to_host()[0] == 8 * 20 * 16


def test_other_libraries_device_arrays(device):
    array = cuda.to_device(np.arange(8, dtype=np.float32))

    class Foreign:
        __cuda_array_interface__ = array.__cuda_array_interface__

    @cuda.jit
    def double(x):
        x[cuda.grid(1)] *= 2

    double[1, 8](Foreign())
    assert array.copy_to_host().tolist() == [0, 2, 4, 6, 8, 10, 12, 14]


@pytest.mark.parametrize("star", ["*args", "**kwargs"])
def test_kernels_with_star_parameters_are_refused(star):
    import linecache

    text = f"def kernel(out, {star}):\n    out[0] = 1\n"
    linecache.cache["<star>"] = (len(text), None, text.splitlines(keepends=True), "<star>")
    namespace = {}
    exec(compile(text, "<star>", "exec"), namespace)
    with pytest.raises(UnsupportedError, match="name its parameters"):
        cuda.jit(namespace["kernel"])[1, 1](np.zeros(1))
