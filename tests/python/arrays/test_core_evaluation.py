"""Pending values and everything that waits for, reads or writes memory."""

import gc
import threading

import numpy as np
import pytest

from lanewise import _core, cuda

from .core_arrays import check, functions, on_device

A = np.arange(64.0)


def pending(array=A):
    x = on_device(array - 1) + 1
    assert x.pending
    return x


@cuda.jit
def double(source, target):
    i = cuda.grid(1)
    if i < source.size:
        target[i] = 2 * source[i]


DOUBLE = 'extern "C" __global__ void twice(double* x, int n) { int i = threadIdx.x; if (i < n) x[i] *= 2; }'


def test_values_are_computed_when_asked_for(device):
    before = functions.engine_statistics()
    x = on_device(A)
    y = (x * 2 + 1) / 3 - x
    assert functions.engine_statistics()["launches"] == before["launches"]
    assert functions.engine_statistics()["nodes"] == before["nodes"] + 4
    check(y, (A * 2 + 1) / 3 - A)
    assert functions.engine_statistics()["launches"] == before["launches"] + 1
    assert not y.pending


def test_evaluate(device):
    x, y = pending(), pending()
    functions.evaluate(x)
    assert not x.pending
    assert y.pending
    functions.evaluate(y.stream)
    assert not y.pending
    z = pending()
    functions.evaluate()
    assert not z.pending


def test_dropped_values_are_never_computed(device):
    functions.evaluate()
    before = functions.engine_statistics()["launches"]
    x = on_device(A)
    for _ in range(10):
        x * 2  # noqa: B018
    gc.collect()
    functions.evaluate()
    assert functions.engine_statistics()["launches"] == before
    assert functions.engine_statistics()["pending"] == 0


def test_eager(device):
    with functions.Eager():
        assert not (on_device(A) + 1).pending
        with functions.Eager():
            pass
        assert not (on_device(A) + 1).pending
    assert (on_device(A) + 1).pending


def test_kernels_take_and_change_pending_arrays(device):
    x, target = pending(), functions.empty(64)
    doubled = target  # the memory that the kernel writes
    double[1, 64](x, target)
    check(doubled, A * 2)
    y = target + x  # recorded before the kernel writes again
    double[1, 64](target, target)
    check(y, A * 3)
    check(target, A * 4)


def test_cuda_cpp_kernels_take_pending_arrays(device):
    kernel = _core.RawKernel(DOUBLE, "twice")
    x = pending()
    before = x + 0
    kernel((1,), (64,), (x, np.int32(64)))
    check(x, A * 2)
    check(before, A)


@pytest.mark.parametrize(
    "wait",
    [
        lambda x: x.stream.synchronize(),
        lambda x: x.stream.query(),
        lambda x: x.stream.record(),
        lambda x: x.stream.host_call(lambda: None),
        lambda x: x.device.synchronize(),
        lambda x: x.pointer,
        lambda x: x.buffer,
        lambda x: x.to_host(),
        lambda x: x.__dlpack__(),
        lambda x: x.__cuda_array_interface__,
        lambda x: x[3].item(),
    ],
)
def test_what_makes_values_be_computed(device, wait):
    x = pending()
    wait(x)
    if wait.__code__.co_names[-1] != "item":
        assert not x.pending


def test_events_stand_behind_recorded_operations(device):
    stream = _core.current_device().create_stream()
    x = functions.full(1000, 2.0, stream=stream)
    y = x * 3
    event = stream.record()
    event.synchronize()
    assert not y.pending
    check(y, np.full(1000, 6.0))


def test_exported_memory_is_read_at_once(device):
    x = on_device(A)
    shared = _core.ndarray.from_interface(x.__cuda_array_interface__, owner=x)
    y = x + 1
    assert not y.pending
    shared[...] = 0
    check(y, A + 1)
    check(x, A * 0)


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x + 1,
        lambda x: x == -1,
        lambda x: x < 300,
        lambda x: x > np.uint64(2),
        lambda x: x.imag,
        lambda x: x[[0, 1]],
        lambda x: x[x > 2],
        lambda x: x[True],
        lambda x: x.sum(),
        lambda x: x.cumsum(),
        lambda x: x.copy("F"),
        lambda x: x.repeat(2),
        lambda x: x.var(),
    ],
)
def test_memory_of_no_stream(device, operation):
    a = np.arange(6, dtype="uint8")
    owner = on_device(a)
    x = _core.ndarray.from_interface(owner.__cuda_array_interface__, owner=owner)
    check(operation(x), operation(a))


def test_other_arrays_of_the_core_are_operands(device):
    plain = _core.Array.from_host(A)
    y = on_device(A) + plain
    plain.fill(0)
    check(y, A * 2)
    z = _core.ufuncs["negative"](plain)
    plain.copy_from(np.ones(64))
    check(z, -A * 0)


def test_index_errors_come_when_the_stream_is_waited_for(device):
    x = pending()
    taken = x[on_device(np.array([1, 99]))]
    with pytest.raises(IndexError, match="index 99 is out of bounds for axis 0 with size 64"):
        taken.stream.synchronize()
    with pytest.raises(IndexError):
        x[on_device(np.array([-65]))].get()
    with pytest.raises(IndexError):
        x[on_device(np.array([64]))] = 1
        x.get()
    check(x, A)


def test_threads_share_arrays(device):
    x = pending()
    results = [None] * 8

    def work(i):
        y = x
        for _ in range(20):
            y = y + i
        results[i] = y.get()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, result in enumerate(results):
        assert (result == A + 20 * i).all()


def test_threads_run_while_kernels_are_compiled(device):
    # Each thread compiles kernels of its own while the others record, compile and wait.
    failures = []

    def work(i):
        x = on_device(A)
        for k in range(3):
            y = x
            for _ in range(i + 1):
                y = y * 2 + k
            expected = A
            for _ in range(i + 1):
                expected = expected * 2 + k
            if not np.array_equal(y.get(), expected) or y.sum().item() != expected.sum():
                failures.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_fork_while_threads_compute_does_not_hang(run_python):
    program = """
import os, threading
import numpy as np
from lanewise import _core
_core.set_current_device(_core.device("cpu"))
f = _core.functions
def work(n):
    x = f.arange(100.0)
    for i in range(n):
        x = x * 1.5 + i
        x.get()
threads = [threading.Thread(target=work, args=(n,)) for n in (20, 30, 40)]
for t in threads: t.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        try:
            right = f.arange(10).sum().item() == 45
        except _core.DriverError as error:  # the stream had commands that run in the parent
            right = "when the process forked" in str(error)
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
for t in threads: t.join()
print("done")
"""
    result = run_python("-c", program)
    assert result.stdout == "done\n", result.stderr


def test_long_chains(device):
    x = on_device(A)
    for _ in range(1000):
        x = x * 1.0 + 1
    check(x, A + 1000)


def test_arrays_of_two_devices_do_not_mix(gpu):
    with pytest.raises(ValueError, match="copy one of them first"):
        on_device(A) + functions.arange(64, device="cpu")
    x = on_device(A)
    x[...] = functions.arange(64, device="cpu")
    check(x, A)


def test_copies_on_another_stream_follow_the_work_on_the_array(device):
    here = _core.current_stream()
    stream = _core.current_device().create_stream(blocking=False)
    source = _core.Buffer.allocate_host(8 * 100_000).numpy(100_000, np.float64)
    target = _core.Buffer.allocate_host(8 * 100_000).numpy(100_000, np.float64)
    x = on_device(np.zeros(100_000))
    for step in range(30):
        source[:] = step
        x.set(source, stream=stream)
        here.wait(stream.record())
        x += 0.5
        x.get(stream=stream, out=target)
        here.wait(stream.record())
        x *= 3
        stream.synchronize()
        assert (target == step + 0.5).all()
    check(x, np.full(100_000, 29.5 * 3))
