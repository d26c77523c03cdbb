"""Kernels as objects: what they compiled, and what can be asked about it."""

import io
import sys

import numpy as np
import pytest

from lanewise import cuda
from lanewise.cuda import float32, float64, int32, int64, void


@pytest.fixture
def kernel():
    @cuda.jit
    def add(x, value):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += value

    return add


def test_one_compile_for_each_combination_of_types(device, kernel):
    kernel[1, 4](np.zeros(4), 1.0)
    kernel[1, 4](np.zeros(40), 2.0)
    assert kernel.signatures == [(float64[::1], float64)]
    kernel[1, 4](np.zeros(4, np.float32), 1)
    kernel[1, 4](np.zeros(4), np.float32(1))
    assert kernel.signatures[1:] == [(float32[::1], int64), (float64[::1], float32)]
    assert len(kernel.nopython_signatures) == 3
    assert kernel.nopython_signatures[0] == void(float64[::1], float64)


def test_compile(device, kernel):
    compiled = kernel.compile((float32[:], int32))
    assert compiled.argument_types == (float32[:], int32)
    assert kernel.compile("void(float32[:], int32)").argument_types == compiled.argument_types
    assert list(kernel.overloads) == [(float32[:], int32)]
    assert not compiled.cooperative
    with pytest.raises(TypeError, match="void"):
        kernel.compile("int32(float32[:], int32)")


def test_specialize(device, kernel):
    x = cuda.to_device(np.zeros(4, np.float32))
    special = kernel.specialize(x, 2.0)
    assert special.specialized and not kernel.specialized
    assert kernel.specialize(x, 3.0) is special
    special[1, 4](x, 2.0)
    assert x.copy_to_host().tolist() == [2] * 4
    assert special.signatures == [(float32[::1], float64)]
    with pytest.raises(RuntimeError, match="already specialized"):
        special.specialize(x, 2.0)


def test_facts_about_compiled_kernels(device, kernel):
    kernel[1, 4](np.zeros(4), 1.0)
    signature = (float64[::1], float64)
    for query in (
        kernel.get_regs_per_thread,
        kernel.get_const_mem_size,
        kernel.get_shared_mem_per_block,
        kernel.get_max_threads_per_block,
        kernel.get_local_mem_per_thread,
    ):
        assert isinstance(query(signature), int)
        assert query() == {signature: query(signature)}
    assert kernel.get_max_threads_per_block(signature) >= 32
    special = cuda.jit("void(float64[::1], float64)")(kernel.py_func)
    assert isinstance(special.get_shared_mem_per_block(), int)


def test_registers_on_a_gpu(gpu, kernel):
    kernel[1, 4](np.zeros(4), 1.0)
    assert kernel.get_regs_per_thread((float64[::1], float64)) > 0


def test_static_shared_memory(device):
    @cuda.jit
    def kernel(x):
        buffer = cuda.shared.array(100, float32)
        buffer[cuda.threadIdx.x] = x[0]
        cuda.syncthreads()
        x[0] = buffer[0]

    kernel[1, 1](np.zeros(1))
    assert kernel.get_shared_mem_per_block((float64[::1],)) >= 400


def test_inspection(device, kernel):
    kernel[1, 4](np.zeros(4), 1.0)
    signature = (float64[::1], float64)
    assert "define" in kernel.inspect_llvm(signature)
    assert list(kernel.inspect_llvm()) == [signature]
    assembly = kernel.inspect_asm(signature)
    assert (".visible .entry" in assembly) == (device != "cpu")
    assert kernel.inspect_asm()[signature] == assembly
    text = io.StringIO()
    kernel.inspect_types(file=text)
    assert "x[i] += value" in text.getvalue()
    assert "int64" in text.getvalue()
    with pytest.raises(KeyError, match="not compiled for"):
        kernel.inspect_llvm((int32,))


def test_sass(device, kernel, monkeypatch):
    kernel[1, 4](np.zeros(4), 1.0)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CUDA_HOME", "/nowhere")
    with pytest.raises(RuntimeError, match="inspect_asm" if device == "cpu" else "nvdisasm"):
        kernel.inspect_sass()


def test_stats(device, kernel):
    kernel[1, 4](np.zeros(4), 1.0)
    stats = kernel.stats
    assert stats.cache_path
    assert sum(stats.cache_hits.values()) + sum(stats.cache_misses.values()) == 1


def test_recompile_reads_globals_again(device):
    global_value = {"step": 1}
    namespace = {"cuda": cuda, "STEP": 1}

    def make():
        step = global_value["step"]

        @cuda.jit
        def kernel(x):
            x[0] += step

        return kernel

    first = make()
    global_value["step"] = 5
    second = make()
    x = np.zeros(1)
    first[1, 1](x)
    second[1, 1](x)
    assert x[0] == 6
    assert namespace["STEP"] == 1


def test_recompile_sees_changed_globals(device, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "with_global", raising=False)
    (tmp_path / "with_global.py").write_text(
        "from lanewise import cuda\nSTEP = 1\n@cuda.jit\ndef kernel(x):\n    x[0] += STEP\n"
    )
    import with_global

    x = np.zeros(1)
    with_global.kernel[1, 1](x)
    with_global.STEP = 10
    with_global.kernel[1, 1](x)
    assert x[0] == 2
    with_global.kernel.recompile()
    with_global.kernel[1, 1](x)
    assert x[0] == 12


def test_max_cooperative_grid_blocks(device, kernel):
    compiled = kernel.compile((float64[::1], float64))
    assert compiled.max_cooperative_grid_blocks(32) >= 1
    assert compiled.max_cooperative_grid_blocks((8, 4)) == compiled.max_cooperative_grid_blocks(32)


def test_compile_device(device):
    @cuda.jit(device=True)
    def ratio(a, b):
        return a / b

    assert ratio.compile_device((int32, int32)) == float64
    assert ratio.compile_device((float32, float32)) == float32


def test_extensions_prepare_arguments(device):
    class Wrapped:
        def __init__(self, array):
            self.array = array

    class Unwrap:
        def prepare_args(self, ty, val, stream, retr):
            if isinstance(val, Wrapped):
                retr.append(lambda: done.append(True))
                return None, val.array
            return ty, val

    done = []

    @cuda.jit(extensions=[Unwrap()])
    def kernel(x):
        x[0] = 7

    x = cuda.to_device(np.zeros(1))
    kernel[1, 1](Wrapped(x))
    assert x.copy_to_host()[0] == 7
    assert done == [True]
