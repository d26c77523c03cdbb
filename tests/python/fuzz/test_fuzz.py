"""Differential fuzzing: random kernels against CPython, random programs of arrays against NumPy. LANEWISE_FUZZ=N runs N
programs of each kind (default 60; half as many of arrays)."""

import importlib.util
import os
import random

import numpy as np
import pytest

import lanewise as lw
from lanewise import _core, cuda

from . import array_programs, barrier_programs, scalar_programs

COUNT = int(os.environ.get("LANEWISE_FUZZ", "60"))


def module_from(tmp_path, source, name):
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(COUNT))
def test_scalar_function_computes_what_cpython_does(seed, tmp_path, device):
    program = scalar_programs.Program(seed)
    f = module_from(tmp_path, program.source, f"scalar_{seed}").f
    rng = np.random.default_rng(seed)
    n = 40
    ints = rng.integers(-1000, 1000, (n, 3))
    floats = np.round(rng.uniform(-50, 50, (n, 3)), 3)
    device_f = cuda.jit(device=True)(f)

    @cuda.jit
    def kernel(ints, floats, out_int, out_float):
        i = cuda.grid(1)
        if i < out_int.size:
            r, s = device_f(ints[i, 0], ints[i, 1], ints[i, 2], floats[i, 0], floats[i, 1], floats[i, 2])
            out_int[i] = r
            out_float[i] = s

    out_int, out_float = cuda.to_device(np.zeros(n, np.int64)), cuda.to_device(np.zeros(n))
    kernel[2, 32](cuda.to_device(ints), cuda.to_device(floats), out_int, out_float)
    expected = [f(*map(int, a), *map(float, x)) for a, x in zip(ints, floats)]
    message = program.source
    # A comparison on a value that differs in its last bit may take the other branch; contraction is such a difference,
    # so a few rows may differ and no more.
    got_int, got_float = out_int.copy_to_host(), out_float.copy_to_host()
    bad = [
        i
        for i, (r, s) in enumerate(expected)
        if got_int[i] != r or not np.isclose(got_float[i], s, rtol=1e-9, atol=1e-7, equal_nan=True)
    ]
    assert len(bad) <= n // 20, (
        message,
        [(i, ints[i], floats[i], expected[i], got_int[i], got_float[i]) for i in bad[:3]],
    )


@pytest.mark.parametrize("seed", range(COUNT))
def test_barrier_kernel_computes_what_lock_step_threads_do(seed, tmp_path, device):
    threads = (32, 64, 33, 96, 50, 128, 7, 1)[seed % 8]
    blocks = 4
    program = barrier_programs.Program(seed, threads)
    module = module_from(tmp_path, program.source, f"barrier_{seed}")
    data = np.random.default_rng(seed).integers(-500, 500, blocks * threads)
    for limit in (2, 5):
        expected = np.zeros(blocks * threads, np.int64)
        barrier_programs.run_model(module.model, data.tolist(), expected, limit, blocks, threads)
        out = cuda.to_device(np.zeros(blocks * threads, np.int64))
        module.kernel[blocks, program.block](cuda.to_device(data), out, limit)
        np.testing.assert_array_equal(out.copy_to_host(), expected, err_msg=program.source)


def refuses(statement):
    """Errors of index arrays come when the device is waited for, and only of values that somebody still holds."""
    with pytest.raises(array_programs.REFUSED):
        result = statement()
        lw.evaluate()
        _core.current_stream().synchronize()
        del result


@pytest.mark.parametrize("seed", range(COUNT // 2))
def test_array_program_computes_what_numpy_does(seed, device):
    program = array_programs.Program(seed)
    names = {"xp": lw, "np": np, "asarray": lambda x, dtype=None: lw.asarray(np.array(x, dtype)), "refuses": refuses}
    if seed % 4 == 0:
        with lw.eager():
            exec(program.source, names)
    else:
        exec(program.source, names)
    order = list(program.arrays)
    random.Random(seed).shuffle(order)
    for name in order:
        expected = program.names[name]
        assert names[name].dtype == expected.dtype, f"{name} of\n{program.source}"
        np.testing.assert_array_equal(names[name].get(), expected, f"{name} of\n{program.source}")
