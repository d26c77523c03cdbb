"""CUDA C++ text to modules."""

import os
import warnings

import numpy as np
import pytest

from lanewise.compat.pycuda import compiler
from lanewise.compat.pycuda import driver as cuda
from lanewise.compat.pycuda.compiler import SourceModule

ONE = "__global__ void put(int *x) { *x = VALUE; }"


def value_of(module, name="put"):
    out = np.zeros(1, np.int32)
    module.get_function(name)(cuda.Out(out), block=(1, 1, 1))
    return int(out[0])


def test_options(device):
    assert value_of(SourceModule(ONE, options=["-DVALUE=5"])) == 5
    assert value_of(SourceModule(ONE, options=["-D", "VALUE=6", "-O3", "-use_fast_math", "-lineinfo", "-w"])) == 6


def test_default_options(device, monkeypatch):
    monkeypatch.setattr(compiler, "DEFAULT_NVCC_FLAGS", ["-DVALUE=8"])
    assert value_of(SourceModule(ONE)) == 8
    with pytest.raises(cuda.CompileError):
        SourceModule(ONE, options=[])


def test_include_folders(device, tmp_path):
    (tmp_path / "value.h").write_text("#define VALUE 11\n")
    source = '#include "value.h"\n' + ONE
    assert value_of(SourceModule(source, include_dirs=[str(tmp_path)])) == 11
    (tmp_path / "value.h").write_text("#define VALUE 12\n")
    assert value_of(SourceModule(source, options=[f"-I{tmp_path}"])) == 12


def test_extern_c(device):
    source = 'extern "C" __global__ void plain(int *x) { *x = 1; }\n'
    source += "template <int N> __device__ int get() { return N; }\n"
    source += "__global__ void mangled(int *x) { *x = get<2>(); }"
    module = SourceModule(source, no_extern_c=True)
    assert value_of(module, "plain") == 1
    assert value_of(module, "_Z7mangledPi") == 2


def test_printf_headers(device):
    assert value_of(SourceModule("#include <stdio.h>\n#include <math.h>\n" + ONE, options=["-DVALUE=1"])) == 1


def test_pycudas_headers(device):
    source = """
#include <pycuda-complex.hpp>
#include <pycuda-helpers.hpp>
typedef pycuda::complex<float> number;
extern "C" __global__ void multiply(number *x, number y) { x[threadIdx.x] = x[threadIdx.x] * y + number(1); }
"""
    x = (np.arange(8) + 1j).astype(np.complex64)
    expected = x * np.complex64(2 - 3j) + 1
    multiply = SourceModule(source, no_extern_c=True).get_function("multiply")
    multiply(cuda.InOut(x), np.complex64(2 - 3j), block=(8, 1, 1))
    assert np.allclose(x, expected)


def test_compile_errors(device):
    with pytest.raises(cuda.CompileError) as caught:
        SourceModule("__global__ void bad(int *x) { *x = undeclared_name; }", options=["-DSOME=1"])
    error = caught.value
    assert "kernel.cu failed" in error.msg
    assert "-DSOME=1" in error.command_line
    assert "undeclared_name" in error.stderr and error.stdout == ""
    assert "undeclared_name" in str(error) and "[command: " in str(error) and "[stderr:\n" in str(error)


def test_options_that_no_compiler_has(device):
    with pytest.raises(cuda.CompileError, match="-no-such-option"):
        SourceModule("", options=["-no-such-option"])


def test_warnings_on_success(device):
    source = "__global__ void put(int *x) {\n#warning this is said\n*x = 3; }"
    with pytest.warns(UserWarning, match=r"(?s)compiler succeeded, but said the following:.*this is said") as caught:
        module = SourceModule(source, cache_dir=False)
    assert caught[0].filename == __file__
    assert value_of(module) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SourceModule("__global__ void put(int *x) { *x = 3; }")


def test_keeping_files(device, capsys, monkeypatch, tmp_path):
    if device != "cpu":
        pytest.skip("needs nvcc on CUDA devices")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    SourceModule("__global__ void put(int *x) { *x = 3; }", keep=True)
    folder = capsys.readouterr().err.strip().rpartition(" ")[2]
    with open(f"{folder}/kernel.cu") as file:
        assert file.read() == 'extern "C" {\n__global__ void put(int *x) { *x = 3; }\n}\n'


def test_nvcc_where_it_is_asked_for(gpu, capsys, monkeypatch, tmp_path):
    import shutil

    if shutil.which("nvcc") is None:
        pytest.skip("needs nvcc")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    source = "__global__ void put(int *x) { *x = 3; }"
    assert value_of(SourceModule(source, keep=True)) == 3
    folder = capsys.readouterr().err.strip().rpartition(" ")[2]
    assert {"kernel.cu", "kernel.ptx"} <= set(os.listdir(folder))
    assert value_of(SourceModule(source, nvcc=shutil.which("nvcc"))) == 3


def test_dynamic_parallelism(gpu):
    source = """
    __global__ void child(int *x) { x[threadIdx.x] = threadIdx.x + 1; }
    __global__ void put(int *x) { child<<<1, 1>>>(x); }
    """
    try:
        module = compiler.DynamicSourceModule(source)
    except cuda.CompileError as error:
        assert "cudadevrt" in str(error)
        pytest.skip("needs cudadevrt")
    assert value_of(module) == 1


def test_a_named_nvcc(device):
    with pytest.raises((cuda.CompileError, cuda.Error), match=r"nvcc|no/such"):
        SourceModule("__global__ void put(int *x) { *x = 3; }", nvcc="/no/such/nvcc")


def test_mirrored_members(device):
    module = SourceModule("__device__ int value = 4; __global__ void put(int *x) { *x = value; }")
    assert isinstance(module.module, cuda.Module)
    assert module.get_global("value") == module.module.get_global("value")
    assert not isinstance(module, cuda.Module)


def test_compile_and_load(device):
    image = compiler.compile("__global__ void put(int *x) { *x = 21; }")
    assert isinstance(image, bytes)
    assert value_of(cuda.module_from_buffer(image)) == 21
    plain = compiler.compile_plain('extern "C" __global__ void put(int *x) { *x = 22; }', [], False, "nvcc", None)
    assert value_of(cuda.module_from_buffer(plain)) == 22


def test_load_from_a_file(device, tmp_path):
    path = tmp_path / "module.cubin"
    path.write_bytes(compiler.compile("__global__ void put(int *x) { *x = 23; }"))
    assert value_of(cuda.module_from_file(str(path))) == 23
    with pytest.raises(cuda.RuntimeError, match="cuModuleLoad failed: file not found"):
        cuda.module_from_file(str(tmp_path / "missing"))


def test_ptx(device):
    ptx = compiler.compile("__global__ void put(int *x) { *x = 24; }", target="ptx", arch="sm_75")
    assert b".version" in ptx and b".target sm_75" in ptx and b".entry put" in ptx
    with pytest.raises(NotImplementedError, match="fatbin"):
        compiler.compile("", target="fatbin")
    with pytest.raises(ValueError, match="target"):
        compiler.compile("", target="exe")


def test_ptx_is_loaded_on_gpus(gpu):
    messages = []
    ptx = compiler.compile("__global__ void put(int *x) { *x = 25; }", target="ptx")
    module = cuda.module_from_buffer(ptx, [(cuda.jit_option.MAX_REGISTERS, 32)], lambda *said: messages.append(said))
    assert value_of(module) == 25
    assert messages[0][0] is True
    linker = cuda.Linker()
    linker.add_data(ptx, cuda.jit_input_type.PTX, "put.ptx")
    assert value_of(linker.link_module()) == 25


def test_bytes_that_are_no_module(device):
    with pytest.raises((cuda.LogicError, cuda.RuntimeError), match="cuModuleLoadDataEx failed"):
        cuda.module_from_buffer(b"nonsense")


def test_gpu_code_on_the_cpu_device(device):
    if device != "cpu":
        pytest.skip("about the cpu device")
    with pytest.raises(cuda.RuntimeError, match="no kernel image is available"):
        cuda.module_from_buffer(b"\x7fELF")
    for make in (cuda.Linker, compiler.DynamicModule, lambda: compiler.DynamicSourceModule("")):
        with pytest.raises(cuda.RuntimeError, match="cuLinkCreate failed"):
            make()


def test_nvcc_that_is_not_there():
    with pytest.raises(OSError, match="not found"):
        compiler.get_nvcc_version("/no/such/nvcc")
    with pytest.raises(OSError, match="not found"):
        compiler.preprocess_source("int x;", [], "/no/such/nvcc")
