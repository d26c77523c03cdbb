"""Exchanges in large numbers leave nothing behind, errors in the middle included."""

import gc
import os
import threading

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core

from .dlpack_structs import Foreign


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def cpu():
    """The cpu device as the current one."""
    before = _core.set_current_device(_core.device("cpu"))
    yield
    _core.set_current_device(before)


class Refusing(Foreign):
    def __dlpack__(self, **kwargs):
        raise BufferError("no")


def attempt(call, *args):
    try:
        call(*args)
    except (BufferError, TypeError, ValueError, IndexError):
        pass


def steps():
    """Every way in and out once, and what goes wrong on the way."""
    x = lw.arange(1000.0, device="cpu")
    host = np.arange(1000.0)
    owner = type("Owner", (), {"__cuda_array_interface__": _core.Array.__cuda_array_interface__.__get__(x)})()
    refusing, malformed = Refusing(host[:4]), {**owner.__cuda_array_interface__, "data": (0, False)}

    def once():
        lw.from_dlpack(host)[1:]
        np.from_dlpack(x)
        x.__dlpack__()
        x.__dlpack__(max_version=(1, 0), copy=True)
        np.asarray(x[5:])
        memoryview(np.asarray(x))
        lw.asarray(owner)
        _core.Array.__cuda_array_interface__.__get__(x)
        x[1:][::2].reshape(2, 250)
        attempt(lw.from_dlpack, refusing)
        attempt(lw.from_dlpack, Foreign(host[:4], code=3))
        attempt(_core.Array.from_interface, malformed)
        attempt(memoryview, x)
        attempt(x.__dlpack__, 3)
        attempt(lambda: x[2000])

    return once


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_does_not_grow(cpu):
    once = steps()
    pool = _core.device("cpu").pool_statistics
    for _ in range(300):
        once()
    gc.collect()
    memory, used = resident_bytes(), pool()["used_bytes"]
    for _ in range(1500):
        once()
    gc.collect()
    assert pool()["used_bytes"] <= used
    # A page an exchange would be 100 MB.
    assert resident_bytes() - memory < 8 << 20


def test_threads_exchange():
    wrong = []

    def work(number):
        try:
            for i in range(200):
                host = np.full(1000, float(number))
                x = lw.from_dlpack(host) * 2 + i
                back = np.from_dlpack(x)
                if back[0] != 2 * number + i or back[-1] != 2 * number + i:
                    wrong.append((number, i, back[0]))
                view = np.asarray(x)
                del x, back
                if view[999] != 2 * number + i:
                    wrong.append((number, i, view[999]))
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_view_let_go_in_another_thread_is_given_back():
    foreign = Foreign(np.arange(4.0))
    held = [lw.from_dlpack(foreign)]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert foreign.deleted == 1


def test_views_alive_at_exit_do_no_harm(run_python):
    finished = run_python(
        "-c",
        """
import numpy as np
import lanewise as lw

host = np.arange(1000.0)
x = lw.from_dlpack(host)
capsule = x.__dlpack__()
view = memoryview(np.asarray(lw.arange(5.0, device="cpu")))
y = lw.from_dlpack(np.arange(10.0)) * 2
keep = [np.from_dlpack(y)]
""",
    )
    assert (finished.returncode, finished.stderr) == (0, "")
