"""Graphs: captured work, what it keeps, and what cannot be captured."""

import gc
import threading

import numpy as np
import pytest

import lanewise as lw
from lanewise import ElementwiseKernel, _core, cuda
from lanewise.errors import DriverError

N = 4096
A = np.arange(float(N))
THRICE = 'extern "C" __global__ void thrice(double* x) { x[blockIdx.x * 64 + threadIdx.x] *= 3; }'


@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def new_stream():
    return _core.current_device().create_stream(blocking=False)


def settled(x):
    """The array, with nothing left to do for it."""
    lw.evaluate()
    _core.current_device().synchronize()
    return x


def test_array_operations_are_replayed(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        y = lw.sqrt(x) * 2 + 1
        total = y.sum()
    assert len(graph) > 0
    for step in range(3):
        x[...] = A + step
        graph.launch()
        np.testing.assert_allclose(y.get(), np.sqrt(A + step) * 2 + 1)
        np.testing.assert_allclose(float(total), (np.sqrt(A + step) * 2 + 1).sum())


def test_nothing_runs_while_it_is_captured(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        x += 1
        increment[N // 64, 64](x)
    assert (x.get() == A).all()
    graph.launch()
    graph.launch()
    assert (x.get() == A + 4).all()


def test_kernels_of_all_kinds_are_captured(device):
    # Their first launch, so that they are compiled and loaded during the capture.
    @cuda.jit
    def fresh(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] -= 2

    x = settled(lw.asarray(A))
    thrice = _core.RawKernel(THRICE, "thrice")
    twice = ElementwiseKernel("T x", "T y", "y = 2 * x")
    with cuda.graph() as graph:
        fresh[N // 64, 64](x)
        thrice((N // 64,), (64,), (x,))
        y = twice(x)
        z = x[::-1].reshape(64, 64) @ x.reshape(64, 64)
    for step in range(2):
        x[...] = A + step
        graph.launch()
        expected = (A + step - 2) * 3
        np.testing.assert_array_equal(x.get(), expected)
        np.testing.assert_array_equal(y.get(), expected * 2)
        np.testing.assert_allclose(z.get(), expected[::-1].reshape(64, 64) @ expected.reshape(64, 64))


@pytest.mark.parametrize("mode", ["relaxed", "thread_local", "global", 0, 1, 2])
def test_modes(device, mode):
    x = settled(lw.asarray(A))
    with cuda.graph(mode=mode) as graph:
        y = (x * 5).cumsum() - x[lw.asarray([0, 1])].sum()
    graph.launch()
    np.testing.assert_allclose(y.get(), (A * 5).cumsum() - 1)


def test_what_is_pending_before_is_no_part_of_the_capture(device):
    x = settled(lw.asarray(A))
    before = x + 1
    with cuda.graph() as graph:
        assert not before.pending
        after = before * 2
    x[...] = 0
    graph.launch()
    assert (before.get() == A + 1).all()
    assert (after.get() == (A + 1) * 2).all()


def test_what_is_pending_reads_before_a_graph_writes(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        x += 1
    y = x * 2
    graph.launch()
    assert (y.get() == A * 2).all()
    assert (x.get() == A + 1).all()


def test_memory_of_a_graph_is_nobody_elses(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        y = lw.asarray(np.zeros(N))
        for step in range(20):
            y = lw.cumsum(y + x * step) % 1000
    others = [lw.full(N, -1.0) for _ in range(200)]
    lw.evaluate()
    expected = np.zeros(N)
    for step in range(20):
        expected = np.cumsum(expected + A * step) % 1000
    for _ in range(2):
        graph.launch()
        np.testing.assert_allclose(y.get(), expected)
    for other in others:
        assert (other.get() == -1).all()


def test_temporaries_are_reused_within_a_capture_and_given_back_with_the_graph(device):
    pool, big = _core.current_device(), 1 << 20
    x = settled(lw.asarray(np.ones(big)))
    before = settled(pool).pool_statistics()["used_bytes"]
    with cuda.graph() as graph:
        y = x
        for _ in range(50):
            y = lw.cumsum(y) / big
    held = pool.pool_statistics()["used_bytes"] - before
    assert 8 * big <= held < 8 * 8 * big
    graph.launch()
    expected = np.ones(big)
    for _ in range(50):
        expected = np.cumsum(expected) / big
    np.testing.assert_allclose(y.get(), expected)
    del graph, y
    gc.collect()
    pool.synchronize()
    assert pool.pool_statistics()["used_bytes"] <= before


def test_results_outlive_the_graph(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        y = x * 2
    graph.launch()
    del graph, x
    gc.collect()
    rest = [lw.full(N, 5.0) for _ in range(50)]
    lw.evaluate()
    assert (y.get() == A * 2).all()
    assert all((other.get() == 5).all() for other in rest)


def test_operands_live_as_long_as_the_graph(device):
    x, y = settled(lw.asarray(A)), settled(lw.asarray(A * 0))
    with cuda.graph() as graph:
        y += x
    del x
    gc.collect()
    rest = [lw.full(N, 5.0) for _ in range(50)]
    lw.evaluate()
    for _ in range(3):
        graph.launch()
    assert (y.get() == A * 3).all()
    del rest


def test_launches_on_several_streams_follow_each_other(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        x += 1
    streams = [new_stream() for _ in range(3)]
    for launch in range(30):
        graph.launch(streams[launch % 3])
    assert (x.get() == A + 30).all()


def test_streams_join_by_events(device):
    x = settled(lw.asarray(A))
    other = new_stream()
    with cuda.graph() as graph:
        here = _core.current_stream()
        y = x + 1
        other.wait(here.record())
        assert other.is_capturing()
        with other:
            z = y * 2
        here.wait(other.record())
        total = y + z
    assert not other.is_capturing()
    graph.launch()
    assert (total.get() == (A + 1) * 3).all()
    with other:
        assert (x + 1).get()[0] == 1


def test_graphs_become_parts_of_graphs(device):
    x = settled(lw.asarray(A))
    with cuda.graph() as inner:
        y = x * 2
        x += 1
    with cuda.graph() as outer:
        inner.launch()
        z = x + y
        inner.launch()
    del inner
    gc.collect()
    outer.launch()
    assert (x.get() == A + 2).all()
    assert (z.get() == A + 1 + A * 2).all()
    assert (y.get() == (A + 1) * 2).all()


def test_parts_have_parts_and_may_be_empty(device):
    x, seen = settled(lw.asarray(A)), []
    with cuda.graph() as empty:
        pass
    with cuda.graph() as small:
        x *= 2
        _core.current_stream().host_call(lambda: seen.append(len(seen)))
    with cuda.graph() as middle:
        empty.launch()
        x += 1
        small.launch()
        x += 1
    with cuda.graph() as whole:
        x -= 3
        middle.launch()
        small.launch()
        x -= 5
    del empty, small, middle
    gc.collect()
    expected = A
    for _ in range(2):
        whole.launch()
        expected = ((expected - 3 + 1) * 2 + 1) * 2 - 5
        np.testing.assert_array_equal(x.get(), expected)
    assert seen == [0, 1, 2, 3]
    del whole
    gc.collect()


def test_launches_of_a_part_on_several_streams_follow_each_other(device):
    x, other = settled(lw.zeros(1 << 20)), new_stream()
    with cuda.graph() as part:
        for step in range(4):
            x += step
    with cuda.graph() as whole:
        here = _core.current_stream()
        other.wait(here.record())
        for _ in range(4):
            part.launch()
            part.launch(other)
        here.wait(other.record())
    for _ in range(5):
        whole.launch()
    assert (x.get() == 5 * 4 * 2 * 6).all()


def test_pinned_memory_is_read_and_written_at_each_launch(device):
    source = _core.Buffer.allocate_host(8 * N).numpy(N, np.float64)
    target = _core.Buffer.allocate_host(8 * N).numpy(N, np.float64)
    x = settled(lw.zeros(N))
    with cuda.graph() as graph:
        x.set(source)
        (x * 2).get(out=target)
    for step in range(3):
        source[:] = A + step
        graph.launch()
        _core.current_device().synchronize()
        assert (target == (A + step) * 2).all()


@pytest.mark.parametrize("count", [4, 100_000])
def test_ordinary_memory_is_copied_as_it_was_when_captured(device, count):
    source = np.arange(float(count))
    x = settled(lw.zeros(count))
    with cuda.graph() as graph:
        x.set(source)
        y = x + lw.asarray(source)
    source[:] = -1
    for _ in range(2):
        x[...] = 0
        graph.launch()
        assert (y.get() == np.arange(float(count)) * 2).all()


def test_host_functions_are_called_at_each_launch(device):
    seen = []
    with cuda.graph() as graph:
        _core.current_stream().host_call(lambda: seen.append(len(seen)))
    assert seen == []
    for _ in range(3):
        graph.launch()
    _core.current_stream().synchronize()
    assert seen == [0, 1, 2]
    del graph
    gc.collect()


def test_what_kernels_raise_is_reported_after_the_launch(device):
    indices, values = settled(lw.asarray(np.array([1, 5]))), settled(lw.arange(10.0))
    with cuda.graph() as graph:
        picked = values[indices]
    graph.launch()
    assert picked.get().tolist() == [1, 5]
    indices[1] = 99
    graph.launch()
    with pytest.raises(IndexError, match="index 99 is out of bounds"):
        _core.current_stream().synchronize()
    indices[1] = 2
    graph.launch()
    _core.current_stream().synchronize()
    assert picked.get().tolist() == [1, 2]


REFUSED = {
    "read": (lambda x: x.get(), 900, "copy to the host"),
    "float": (lambda x: float(x[0]), 900, "copy to the host"),
    "synchronize": (lambda x: _core.current_stream().synchronize(), 900, "is being captured"),
    "query": (lambda x: _core.current_stream().query(), 900, "is being captured"),
    "event": (lambda x: _core.current_stream().record().synchronize(), 907, "captured"),
    "event query": (lambda x: _core.current_stream().record().query(), 907, "captured"),
}


@pytest.mark.parametrize("which", REFUSED)
def test_what_cannot_be_captured_fails_and_leaves_the_stream_usable(device, which):
    call, code, text = REFUSED[which]
    x, stream = settled(lw.asarray(A)), new_stream()
    with pytest.raises(DriverError, match=text) as error, cuda.graph(stream):
        call(x)
    assert error.value.code == code
    assert not stream.is_capturing()
    with stream:
        assert (x + 1).get()[1] == 2
    stream.begin_capture()
    with stream, pytest.raises(DriverError):
        call(x)
    with pytest.raises(DriverError, match="cannot be captured") as error:
        stream.end_capture()
    assert error.value.code == 901
    with cuda.graph(stream) as graph:
        y = x * 2
    graph.launch()
    assert (y.get() == A * 2).all()


def test_the_default_stream_is_not_captured(device):
    with pytest.raises(DriverError, match="default stream cannot be captured"):
        _core.current_device().default_stream.begin_capture()
    stream = _core.current_device().create_stream()
    x = settled(lw.asarray(A))
    stream.begin_capture()
    with pytest.raises(DriverError) as error:
        x += 1
        lw.evaluate(x)
        _core.current_stream().synchronize()
    assert error.value.code in (900, 906)
    with pytest.raises(DriverError):
        stream.end_capture()
    assert (x * 2).get()[1] in (2, 4)


def test_captures_begin_and_end_on_one_stream(device):
    stream, other = new_stream(), new_stream()
    with pytest.raises(DriverError, match="begin_capture\\(\\) comes first"):
        stream.end_capture()
    stream.begin_capture()
    with pytest.raises(DriverError, match="captured already"):
        stream.begin_capture()
    other.wait(stream.record())
    with pytest.raises(DriverError, match="began on another stream"):
        other.end_capture()
    graph = stream.end_capture()
    assert len(graph) == 0
    graph.launch(other)
    other.synchronize()


def test_other_streams_must_come_back(device):
    stream, other, x = new_stream(), new_stream(), settled(lw.asarray(A))
    stream.begin_capture()
    other.wait(stream.record())
    with other:
        x += 1
    other.record()
    with pytest.raises(DriverError, match="end_capture: another stream takes part") as error:
        stream.end_capture()
    assert error.value.code == 904
    assert not other.is_capturing()
    assert (x.get() == A).all()


def test_events_from_outside_are_refused(device):
    stream, event = new_stream(), _core.current_stream().record()
    stream.begin_capture()
    with pytest.raises(DriverError, match="outside of the capture"):
        stream.wait(event)
    with pytest.raises(DriverError):
        stream.end_capture()
    assert stream.query() in (True, False)


def test_an_empty_graph_cannot_be_launched(device):
    graph = cuda.Graph()
    assert "empty" in repr(graph)
    with pytest.raises(ValueError, match="the graph is empty"):
        graph.launch()
    with pytest.raises(ValueError, match='expected "relaxed"'):
        new_stream().begin_capture("eager")


def test_a_block_that_raises_ends_the_capture(device):
    stream = new_stream()
    with pytest.raises(KeyError), cuda.graph(stream):
        raise KeyError
    assert not stream.is_capturing()


def test_a_thread_computes_while_another_captures(device):
    here, done, results = _core.current_device(), threading.Event(), []

    def work():
        _core.set_current_device(here)
        with new_stream() as stream:
            for step in range(20):
                results.append((lw.asarray(A) * step + lw.ones(N)).get(stream=stream))
        done.set()

    x = settled(lw.asarray(A))
    with cuda.graph() as graph:
        thread = threading.Thread(target=work)
        thread.start()
        y = x * 2
        thread.join()
        z = lw.cumsum(y)
    assert done.is_set()
    for step, result in enumerate(results):
        assert (result == A * step + 1).all()
    graph.launch()
    assert (z.get() == np.cumsum(A * 2)).all()


def test_a_stream_that_goes_away_while_captured_is_no_harm(device):
    stream = new_stream()
    stream.begin_capture()
    del stream
    gc.collect()
    x = lw.asarray(A) + 1
    assert (x.get() == A + 1).all()
    _core.current_device().synchronize()
