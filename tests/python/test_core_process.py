"""What happens around processes: the disk cache between them, fork, exit with pending work."""

import textwrap

import pytest

PROGRAM = """
import numpy as np
from lanewise import _core, cuda

def kernel(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * np.float64({factor})

x = _core.Array.from_host(np.ones(8))
k = _core.KernelFunction(kernel)
k[1, 8](x)
assert x.to_host().tolist() == [{factor}] * 8
s = _core.statistics()
print(int(k.specializations()[0].from_disk), int(s["compiles"]), int(s["disk_stores"]), int(s["corrupt_entries"]))
"""


@pytest.fixture
def run_kernel(run_python, tmp_path):
    """Runs the program and gives (from disk, compiles, stores, corrupt entries)."""

    def run(factor=2.0, **env):
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.format(factor=factor))
        done = run_python(path, env={"LANEWISE_CACHE_DIR": str(tmp_path / "cache"), **env})
        assert done.returncode == 0, done.stderr
        return tuple(int(word) for word in done.stdout.split())

    return run


def entries(tmp_path):
    return sorted(tmp_path.glob("cache/*/*.lwk"))


def test_the_next_process_finds_the_kernel(run_kernel, tmp_path):
    assert run_kernel() == (0, 1, 1, 0)
    assert run_kernel() == (1, 0, 0, 0)
    assert len(entries(tmp_path)) == 1


def test_another_constant_is_another_kernel(run_kernel, tmp_path):
    run_kernel(2.0)
    assert run_kernel(3.0) == (0, 1, 1, 0)
    assert len(entries(tmp_path)) == 2


def test_a_damaged_entry_is_compiled_again(run_kernel, tmp_path):
    run_kernel()
    (entry,) = entries(tmp_path)
    entry.write_bytes(entry.read_bytes()[:-5])
    assert run_kernel() == (0, 1, 1, 1)
    assert run_kernel() == (1, 0, 0, 0)


def test_the_cache_can_be_off(run_kernel, tmp_path):
    assert run_kernel(LANEWISE_CACHE="0") == (0, 1, 0, 0)
    assert entries(tmp_path) == []


def test_a_cache_that_cannot_be_written_is_no_error(run_kernel, tmp_path):
    (tmp_path / "file").write_text("")
    assert run_kernel(LANEWISE_CACHE_DIR=str(tmp_path / "file" / "cache")) == (0, 1, 0, 0)


def test_the_size_is_bounded(run_kernel, tmp_path):
    run_kernel(1.0)
    size = entries(tmp_path)[0].stat().st_size
    for factor in (2.0, 3.0, 4.0):
        run_kernel(factor, LANEWISE_CACHE_SIZE=str(2 * size + size // 2))
    assert sum(entry.stat().st_size for entry in entries(tmp_path)) <= 2 * size + size // 2


def test_children_of_fork_launch_and_compile(run_python, tmp_path):
    program = """
        import os, sys
        import numpy as np
        from lanewise import _core, cuda

        def one(x):
            x[0] = 1
        def two(x):
            x[0] = 2
        first, second = _core.KernelFunction(one), _core.KernelFunction(two)
        def check(k, value):
            x = _core.Array.from_host(np.zeros(1), device="cpu")
            k[1, 1, x.stream](x)
            assert x.item(0) == value
        check(first, 1)
        child = os.fork()
        check(first, 1)
        check(second, 2)
        if child == 0:
            sys.stdout.flush()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        print("done")
    """
    path = tmp_path / "forks.py"
    path.write_text(textwrap.dedent(program))
    done = run_python(path, env={"LANEWISE_DEVICE": "cpu"})
    assert done.stdout == "done\n", done.stderr


@pytest.mark.parametrize(
    "ending", ["", "raise SystemExit(0)", "import threading; threading.Thread(target=lambda: None).start()"]
)
def test_exit_with_pending_work_is_quiet(run_python, tmp_path, ending):
    program = f"""
        import numpy as np
        from lanewise import _core, cuda

        def slow(x):
            for i in range(20_000_000):
                x[0] = x[0] + i

        _core.set_current_device(_core.device("cpu"))
        k = _core.KernelFunction(slow, options=_core.Options(warn_float64=False))
        x = _core.Array.from_host(np.zeros(1), device="cpu")
        stream = _core.device("cpu").create_stream()
        k[1, 1, stream](x)
        stream.host_call(lambda: None)
        view = _core.Array.from_interface(x)
        {ending}
    """
    path = tmp_path / "pending.py"
    path.write_text(textwrap.dedent(program))
    done = run_python(path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_importing_loads_no_compiler(run_python):
    code = "import lanewise.cuda, sys; print('liblanewise_compiler' in open('/proc/self/maps').read())"
    assert run_python("-c", code).stdout == "False\n"
