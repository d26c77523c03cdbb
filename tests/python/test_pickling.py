"""Kernels and device functions pickle by name, or by value where there is no name."""

import pickle
import sys

import numpy as np

from lanewise import cuda


@cuda.jit
def by_name(x):
    x[0] += 1


@cuda.jit(device=True)
def helper(v):
    return v * 2


def test_a_kernel_of_a_module_pickles_by_name():
    assert pickle.loads(pickle.dumps(by_name)) is by_name
    assert pickle.loads(pickle.dumps(helper)) is helper


def test_a_closure_pickles_by_value(device):
    step = 3
    table = np.arange(4)

    @cuda.jit(fastmath=True)
    def kernel(x):
        x[0] += step + helper(table[1])

    again = pickle.loads(pickle.dumps(kernel))
    assert again is not kernel
    assert again.targetoptions["fastmath"] is True
    x = np.zeros(1)
    again[1, 1](x)
    assert x[0] == 5


def test_declared_signatures_survive(device):
    @cuda.jit("void(float64[:])")
    def kernel(x):
        cuda.atomic.add(x, 0, 1)

    again = pickle.loads(pickle.dumps(kernel))
    assert again.specialized
    assert again.signatures == kernel.signatures


def test_a_child_process_gets_a_kernel(device, tmp_path, run_python):
    program = tmp_path / "spawn.py"
    program.write_text(
        "import multiprocessing\n"
        "import numpy as np\n"
        "from lanewise import cuda\n"
        "def make(step):\n"
        "    @cuda.jit\n"
        "    def kernel(x):\n"
        "        x[0] += step\n"
        "    return kernel\n"
        "def work(kernel):\n"
        "    x = np.zeros(1)\n"
        "    kernel[1, 1](x)\n"
        "    return float(x[0])\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [make(1), make(2)]))\n"
    )
    result = run_python(program, env={"LANEWISE_DEVICE": device})
    assert result.stdout == "[1.0, 2.0]\n", result.stderr


def test_copies_are_kernels(device):
    import copy

    assert copy.copy(by_name) is by_name
    assert sys.modules[by_name.__module__].by_name is by_name
