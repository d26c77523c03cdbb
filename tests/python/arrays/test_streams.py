"""Arrays and streams: what runs where, and what reads by the host, exports, imports and kernels wait for."""

import contextlib
import functools
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanewise import ElementwiseKernel, _core, cuda

from .core_arrays import check, functions, on_device

A = np.arange(64.0)
TWICE = 'extern "C" __global__ void twice(const double* x, double* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }'


@cuda.jit
def twice(x, y):
    i = cuda.grid(1)
    y[i] = 2 * x[i]


def new_stream():
    return _core.current_device().create_stream(blocking=False)


@contextlib.contextmanager
def current(stream):
    before = _core.set_current_stream(stream)
    try:
        yield stream
    finally:
        _core.set_current_stream(before)


@functools.cache
def load_kernels(device):
    """Launches what the tests compute behind gates once before: loading code waits for all work of a GPU."""
    x, evaluate = settled(), _core.current_stream().query
    y = x + 1
    x *= 2
    x[:3] = -1
    evaluate()
    for value in (x + 1, x + 0, y + 1):
        value.get()
    x *= 2
    evaluate()
    x += 1
    evaluate()
    y = x + 1
    x[...] = 7
    y.get()


@contextlib.contextmanager
def held_back(*streams):
    """Work put on the streams from now on begins when the event that this gives is set, or when the block ends."""
    load_kernels(_core.current_device().name)
    gate = threading.Event()
    for stream in streams:
        stream.host_call(lambda: gate.wait(20))
    try:
        yield gate
    finally:
        gate.set()


@contextlib.contextmanager
def opened_soon(gate):
    """Opens the gate while the block waits for what is behind it."""
    timer = threading.Timer(0.02, gate.set)
    timer.start()
    yield
    assert gate.is_set()
    timer.join()


def settled(array=A):
    """An array whose memory no stream works on."""
    x = on_device(array)
    _core.current_stream().synchronize()
    return x


def test_operations_run_on_the_current_stream(device):
    x, stream = settled(), new_stream()
    with held_back(stream) as gate, current(stream):
        y = x + 1
        x *= 2
        x[:3] = -1
        assert y.stream == stream
        assert not stream.query()
        with current(_core.current_device().default_stream):
            assert _core.current_stream().query()
        gate.set()
        check(y, A + 1)
        check(x, np.where(np.arange(64) < 3, -1, A * 2))


def test_an_array_made_on_a_stream_is_used_on_the_current_one(device):
    stream = new_stream()
    x = functions.full(64, 2.0, stream=stream)
    assert x.stream == stream
    y = x + 1
    assert y.stream == _core.current_stream() != stream
    check(y, np.full(64, 3.0))


@pytest.mark.parametrize(
    "read",
    [
        lambda x: x.get(),
        lambda x: x.to_host(),
        lambda x: np.array([v.item() for v in x[:2]] + list(x.tolist()[2:])),
        lambda x: np.frombuffer(x.tobytes()),
        lambda x: np.full(64, float(x[0])),
        lambda x: x.__reduce__()[1][0],
    ],
    ids=["get", "to_host", "items", "tobytes", "float", "pickle"],
)
def test_reads_by_the_host_follow_other_streams(device, read):
    x, stream = settled(), new_stream()
    with held_back(stream) as gate:
        with current(stream):
            x[...] = 7
            stream.query()
        with opened_soon(gate):
            assert (read(x) == 7).all()


def test_reads_on_a_given_stream_follow_other_streams(device):
    x, first, second = settled(), new_stream(), new_stream()
    with held_back(first) as gate:
        with current(first):
            x += 1
            first.query()
        with opened_soon(gate):
            assert (x.get(stream=second) == A + 1).all()


def test_copies_into_an_array_follow_reads_of_other_streams(device):
    x, first, second = settled(), new_stream(), new_stream()
    with held_back(first) as gate:
        with current(first):
            y = x + 1
            first.query()
        with opened_soon(gate):
            x.set(np.zeros(64), stream=second)
            check(y, A + 1)
            check(x, np.zeros(64))


def test_numpy_views_of_the_cpu_device_follow_other_streams():
    before = _core.set_current_device(_core.device("cpu"))
    try:
        for view in (np.asarray, np.from_dlpack):
            x, stream = settled(), new_stream()
            with held_back(stream) as gate:
                with current(stream):
                    x *= 2
                    stream.query()
                with opened_soon(gate):
                    assert (view(x) == A * 2).all()
    finally:
        _core.set_current_device(before)


def test_exports_to_a_stream_of_a_gpu_follow_other_streams(gpu):
    x, first, second = settled(), new_stream(), new_stream()
    with held_back(first) as gate:
        with current(first):
            x *= 2
            first.query()
        capsule = x.__dlpack__(stream=second.handle)
        assert not second.query()
        gate.set()
    del capsule


def test_the_array_interface_names_a_stream_that_follows_all_uses(device):
    x, first, second = settled(), new_stream(), new_stream()
    with held_back(first) as gate:
        with current(first):
            x *= 2
            first.query()
        with current(second):
            assert x.__cuda_array_interface__["stream"] == second.handle
        assert not second.query()
        gate.set()


def test_imports_follow_the_stream_of_the_producer(device):
    x, producer, consumer = settled(), new_stream(), new_stream()
    with held_back(producer) as gate:
        with current(producer):
            x *= 2
            interface = x.__cuda_array_interface__
        with current(consumer):
            y = _core.ndarray.from_interface(interface, owner=x)
            assert not consumer.query()
            gate.set()
            check(y + 1, A * 2 + 1)


raw_twice = _core.RawKernel(TWICE, "twice")
expression_twice = ElementwiseKernel("T x", "T y", "y = 2 * x")
LAUNCHES = {
    "python": lambda x, y, stream: twice[1, 64, stream](x, y),
    "cuda": lambda x, y, stream: raw_twice((1,), (64,), (x, y), stream=stream),
    "elementwise": lambda x, y, stream: expression_twice(x, y, stream=stream),
}


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
def test_kernels_follow_what_is_pending_on_another_stream(device, launch):
    x, y = settled(), settled(A * 0)
    launch(x, y, None)  # compiled and loaded by now
    check(y, A * 2)
    first, second = new_stream(), new_stream()
    with held_back(first) as gate:
        with current(first):
            pending = x + 1
            reader = y + 0
        launch(pending, y, second)
        assert not second.query()
        gate.set()
        check(reader, A * 2)
        check(y, A * 2 + 2)


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
def test_kernels_run_on_the_current_stream(device, launch):
    x, y, stream = settled(), settled(A * 0), new_stream()
    launch(x, y, None)
    y[...] = 0
    _core.current_stream().synchronize()
    with held_back(stream) as gate, current(stream):
        launch(x, y, None)
        assert not stream.query()
        gate.set()
        check(y, A * 2)


@pytest.mark.parametrize("ask", ["record", "wait", "query", "synchronize", "host_call"])
def test_what_asks_for_a_streams_work_launches_what_is_pending(device, ask):
    stream, other = new_stream(), new_stream()
    with current(stream):
        x = settled() + 1
    y = settled() + 1
    arguments = {"wait": (other.record(),), "host_call": (lambda: None,)}.get(ask, ())
    getattr(stream, ask)(*arguments)
    assert not x.pending
    assert y.pending


@pytest.mark.parametrize("asked", ["default_stream", "per_thread_stream", "blocking"])
def test_the_legacy_default_stream_includes_blocking_streams_and_they_it(device, asked):
    here = _core.current_device()
    blocking = here.create_stream()
    stream = blocking if asked == "blocking" else getattr(here, asked)
    with current(blocking):
        x = settled() + 1
    with current(here.default_stream):
        y = settled() + 1
    stream.synchronize()
    assert not x.pending
    assert not y.pending


def test_threads_have_streams_of_their_own(device):
    here, x, seen = _core.current_device(), settled(), {}

    def work(i):
        _core.set_current_device(here)
        assert _core.current_stream() == here.default_stream
        with current(new_stream()) as stream:
            y = x
            for k in range(20):
                y = y + i * k
            seen[i] = y.stream == stream, y.get()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, (own, value) in seen.items():
        assert own
        assert (value == A + 190 * i).all()


OPERATIONS = {
    "add": (lambda x, y: x + y, lambda x, y: x + y),
    "in place": (lambda x, y: x.__iadd__(y), lambda x, y: x.__iadd__(y)),
    "assign": (lambda x, y: x.__setitem__(slice(0, 32), y[32:]), lambda x, y: x.__setitem__(slice(0, 32), y[32:])),
    "cumsum": (lambda x, y: x.cumsum() % 17, lambda x, y: x.cumsum() % 17),
    "sum": (lambda x, y: x - y.sum() % 5, lambda x, y: x - y.sum() % 5),
    "gather": (lambda x, y: x[::-1][y.astype("int64") % 64], lambda x, y: x[::-1][y.astype("int64") % 64]),
    "kernel": (lambda x, y: twice[1, 64](x, y), lambda x, y: np.multiply(x, 2, out=y)),
    "read": (lambda x, y: float(x[3]), lambda x, y: None),
}


@pytest.mark.parametrize("eager", [False, True])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)),
        max_size=12,
    )
)
def test_programs_that_order_their_streams_give_what_numpy_gives(device, eager, program):
    host = [A + i for i in range(4)]
    arrays = [on_device(x) for x in host]
    streams = [_core.current_device().default_stream, new_stream(), _core.current_device().create_stream()]
    last = [_core.current_stream().record()] * 4  # after the work on each array
    with functions.Eager() if eager else contextlib.nullcontext():
        for name, i, j, k in program:
            on_arrays, on_host = OPERATIONS[name]
            for event in (last[i], last[j]):
                streams[k].wait(event)
            with current(streams[k]):
                result, expected = on_arrays(arrays[i], arrays[j]), on_host(host[i], host[j])
            if name in ("add", "cumsum", "sum", "gather"):
                arrays[i], host[i] = result, expected
            last[i] = last[j] = streams[k].record()
    for got, expected in zip(arrays, host, strict=True):
        check(got, expected)
