"""RawModule and RawKernel as objects: names, variables, attributes, what they are made of, pickling, lifetimes."""

import copy
import gc
import io
import pickle
import weakref

import numpy as np
import pytest

import lanewise
from lanewise import RawKernel, RawModule, _core

SCALE = """
template <class T, int N> __global__ void scale(T *x) { x[threadIdx.x] *= N; }
namespace ns {
__device__ float table[3] = {1, 2, 3};
__global__ void add(float *x, float y) { x[threadIdx.x] += y; }
}
__constant__ int offset;
__device__ int counter = 5;
__global__ void shift(int *x) { x[threadIdx.x] += offset; }
__global__ void overloaded(int *x) { x[0] = 1; }
__global__ void overloaded(float *x) { x[0] = 2; }
extern "C" __global__ void count(int *x) { x[0] = counter++; }
__global__ void tabulate(float *x) { x[threadIdx.x] = ns::table[threadIdx.x]; }
"""
EXPRESSIONS = ("scale<float, 3>", "scale<int,2>", "&ns::table", "(void (*)(float *))overloaded")


@pytest.fixture
def module(device):
    return RawModule(SCALE, name_expressions=EXPRESSIONS)


def ran(kernel, value, dtype=np.float32, *more):
    x = _core.Array.from_host(np.array(value, dtype))
    kernel(1, len(value), (x, *more))
    return list(x.to_host())


# Names.


def test_kernels_by_name_expression(module):
    assert ran(module.get_function("scale<float, 3>"), [1, 2]) == [3, 6]
    assert ran(module.get_function("scale<float,3>"), [1, 2]) == [3, 6]
    assert ran(module.get_function("scale<int,2>"), [1, 2], np.int32) == [2, 4]
    assert set(module.symbols) == set(EXPRESSIONS)


def test_kernels_by_symbol_and_by_plain_name(module):
    symbol = module.symbols["scale<float, 3>"]
    assert symbol in module.kernels
    assert ran(module.get_function(symbol), [1, 2]) == [3, 6]
    assert module.get_function(symbol).symbol == symbol
    assert ran(module.get_function("count"), [0], np.int32) == [5]
    assert ran(module.get_function("ns::add"), [1, 2], np.float32, 3) == [4, 5]
    assert ran(module.get_function("shift"), [1], np.int32) == [1]


def test_overloads_are_told_apart(module):
    with pytest.raises(ValueError, match="'overloaded' is the name of 2 kernels of the module; ask for"):
        module.get_function("overloaded")
    assert ran(module.get_function("(void (*)(float *))overloaded"), [0]) == [2]
    assert ran(module.get_function("_Z10overloadedPi"), [0], np.int32) == [1]


def test_a_missing_kernel_is_answered_with_the_names_there_are(module):
    with pytest.raises(ValueError) as error:
        module.get_function("conut")
    text = str(error.value)
    assert text.startswith("there is no kernel 'conut' in the module; did you mean 'count'? It has: ")
    for name in ("count", "scale<float, 3>", "ns::add", "shift"):
        assert name in text
    with pytest.raises(ValueError, match="exists when name_expressions asks for it"):
        module.get_function("scale<double, 3>")


def test_a_module_without_kernels(device):
    for code in ("__device__ int x;", "", "// nothing\n", 'extern "C" __device__ void f() {}'):
        with pytest.raises(ValueError, match="no kernel 'f' in the module"):
            RawModule(code).get_function("f")
    # NVRTC refuses functions of the host; clang passes over them.
    with pytest.raises(ValueError, match="no kernel 'f' in the module"):
        RawModule("void f() {}", backend="clang").get_function("f")


def test_a_kernel_may_be_an_instance_of_a_template(device):
    kernel = RawKernel(SCALE, "scale<float, 7>")
    assert ran(kernel, [2]) == [14]
    assert kernel.name == "scale<float, 7>"
    assert RawKernel(SCALE, "missing").name == "missing"
    with pytest.raises(ValueError, match="there is no kernel 'missing'"):
        RawKernel(SCALE, "missing")(1, 1)
    with pytest.raises(ValueError, match="there is no kernel 'missing'"):
        RawKernel(SCALE, "missing").compile()


# Variables.


def test_variables_are_memory_that_kernels_see(module):
    offset = module.get_global("offset")
    assert (offset.size, offset.device) == (4, _core.current_device())
    offset.array(np.int32).copy_from(np.array([10], np.int32))
    assert ran(module.get_function("shift"), [1, 2], np.int32) == [11, 12]


def test_variables_keep_what_kernels_write(module):
    counter = module.get_global("counter").array(np.int32)
    kernel = module.get_function("count")
    assert [ran(kernel, [0], np.int32)[0] for _ in range(3)] == [5, 6, 7]
    assert counter.item(0) == 8


def test_every_module_has_its_own_variables_and_kernels_of_one_text_share_them(device):
    modules = RawModule(SCALE), RawModule(SCALE)
    assert [ran(m.get_function("count"), [0], np.int32)[0] for m in modules] == [5, 5]
    text = SCALE + "// shared"
    first, second = RawKernel(text, "count"), RawKernel(text, "count")
    assert [ran(k, [0], np.int32)[0] for k in (first, second)] == [5, 6]


def test_variables_in_namespaces_go_by_name_expression(module):
    for name in ("&ns::table", "ns::table", module.symbols["&ns::table"]):
        assert list(module.get_global(name).array(np.float32).to_host()) == [1, 2, 3]


def test_a_missing_variable_is_an_error(module):
    with pytest.raises(ValueError, match="no global variable 'nothing'"):
        module.get_global("nothing")


# Lifetimes.


def test_kernels_and_variables_keep_their_module(device):
    module = RawModule(SCALE)
    kernel, counter = module.get_function("count"), module.get_global("counter")
    gone = weakref.ref(module)
    del module
    gc.collect()
    assert gone() is None
    assert ran(kernel, [0], np.int32) == [5]
    array = counter.array(np.int32)
    del kernel, counter
    gc.collect()
    assert array.item(0) == 6


def test_kernels_are_no_garbage(device):
    kernel = RawKernel(SCALE, "count")
    gone = weakref.ref(kernel)
    launcher = kernel[1, 1]
    launcher(_core.Array.empty(1, np.int32))
    del kernel
    assert gone() is not None
    del launcher
    gc.collect()
    assert gone() is None


# Attributes.


def test_attributes_have_cupys_names(device):
    code = 'extern "C" __global__ void f(int *x) { __shared__ int s[100]; s[threadIdx.x] = x[0]; x[1] = s[1]; }'
    kernel = RawKernel(code, "f")
    assert set(kernel.attributes) == {
        "max_threads_per_block",
        "shared_size_bytes",
        "const_size_bytes",
        "local_size_bytes",
        "num_regs",
        "ptx_version",
        "binary_version",
        "cache_mode_ca",
        "max_dynamic_shared_size_bytes",
        "preferred_shared_memory_carveout",
    }
    for name, value in kernel.attributes.items():
        assert getattr(kernel, name) == value
    assert kernel.shared_size_bytes == 400
    assert kernel.max_threads_per_block == 1024
    assert kernel.num_regs > 0
    assert kernel.cache_mode_ca == 0
    assert kernel.max_active_blocks(128) >= 1
    block, grid = kernel.suggested_block_and_grid()
    assert block >= 32
    assert grid >= 1


def test_settable_attributes(device):
    kernel = RawKernel('extern "C" __global__ void f() { }', "f")
    kernel.preferred_shared_memory_carveout = 50
    assert kernel.preferred_shared_memory_carveout == 50
    kernel.max_dynamic_shared_size_bytes = 1000
    assert kernel.max_dynamic_shared_size_bytes == 1000
    with pytest.raises(ValueError, match="percentage from 0 to 100"):
        kernel.preferred_shared_memory_carveout = 101
    with pytest.raises(AttributeError):
        kernel.num_regs = 1


def test_the_signature_is_what_the_source_declares(device):
    kernel = RawKernel(
        'struct S { int a[3]; }; extern "C" __global__ void f(const float *__restrict__ x, S s, unsigned n, double) {}',
        "f",
    )
    assert [name for name, _ in kernel.parameters] == ["x", "s", "n", ""]
    assert kernel.parameter_layout == ((0, 8), (8, 12), (20, 4), (24, 8))
    assert kernel.parameter_bytes == 32
    assert kernel.signature.startswith("void f(const float *")
    assert kernel.signature.endswith("S s, unsigned int n, double)")


def test_what_they_are_made_of(device):
    kernel = RawKernel(SCALE, "count", ("-DX=1",), "clang")
    assert (kernel.name, kernel.code, kernel.options, kernel.backend) == ("count", SCALE, ("-DX=1",), "clang")
    assert kernel.file_path is None
    assert not kernel.cooperative
    assert not kernel.lenient
    assert kernel.kernel is kernel
    module = RawModule(SCALE, options=["-w"], backend="auto", name_expressions=["scale<float, 3>"])
    assert (module.code, module.options, module.backend) == (SCALE, ("-w",), "auto")
    assert module.name_expressions == ("scale<float, 3>",)
    assert module.file_path is None
    assert module.module is module
    assert module.compiler in ("clang", "nvrtc")
    assert module.get_function("count").raw_module.code == SCALE
    assert repr(kernel) == "<CUDA C++ kernel 'count'>"


# Construction.


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: RawModule(), TypeError, "one of code .*none was given"),
        (lambda: RawModule("", path="x"), TypeError, "one of code .*2 were given"),
        (
            lambda: RawModule(code="", options="-O3"),
            TypeError,
            r"options is a tuple of .* write \('-O3',\)",
        ),
        (lambda: RawModule(code="", options=5), TypeError, "options is a tuple of strings, not a int"),
        (lambda: RawModule(code="", options=(5,)), TypeError, "it has 5 of type int"),
        (lambda: RawModule(code="", name_expressions="f<int>"), TypeError, "name_expressions is a tuple of strings"),
        (lambda: RawModule(path="x", name_expressions=("f",)), TypeError, "name_expressions are for code"),
        (
            lambda: RawModule(code="", backend="gcc"),
            ValueError,
            "backend 'gcc': there are 'auto', 'nvrtc'",
        ),
        (lambda: RawModule(code=b"x"), TypeError, "the code is CUDA C\\+\\+ text, a str, not a bytes"),
        (lambda: RawModule(code="", jitify=True), NotImplementedError, "jitify=True is not supported"),
        (lambda: RawKernel(5, "f"), TypeError, "the code is CUDA C\\+\\+ text, a str, not a int"),
        (lambda: RawKernel("", 5), TypeError, "the name of the kernel is a str, not 5"),
        (lambda: RawKernel("", ""), TypeError, "the name of the kernel is a str, not ''"),
        (lambda: RawKernel("", "f", "-O3"), TypeError, "RawKernel: options is a tuple of strings"),
        (lambda: RawKernel("", "f", (), "gcc"), ValueError, "RawKernel: backend 'gcc'"),
        (lambda: RawKernel("", "f", jitify=True), NotImplementedError, "RawKernel: jitify=True"),
    ],
)
def test_refusals(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_nothing_is_compiled_before_it_is_used(device):
    kernel = RawKernel("this is no C++", "f")
    assert kernel.name == "f"
    assert RawModule("this is no C++").code == "this is no C++"
    with pytest.raises(lanewise.CompileError):
        kernel(1, 1)


def test_translate_cucomplex_is_taken(device):
    assert ran(RawKernel(SCALE, "ns::add", translate_cucomplex=True), [1], np.float32, 2) == [3]


# Compiling.


def test_compile_errors_have_the_log(device):
    code = 'extern "C" __global__ void f(int *x) {\n    *x = undeclared;\n}\n'
    with pytest.raises(lanewise.CompileError) as error:
        RawKernel(code, "f").compile()
    assert "undeclared" in str(error.value)
    assert "undeclared" in error.value.log
    assert "\x1b" not in str(error.value)
    assert isinstance(error.value, RuntimeError)


def test_a_failed_compile_is_tried_again(device, tmp_path):
    header = tmp_path / "value.h"
    kernel = RawKernel(
        '#include "value.h"\nextern "C" __global__ void f(int *x) { *x = VALUE; }', "f", (f"-I{tmp_path}",)
    )
    with pytest.raises(lanewise.CompileError, match=r"value\.h"):
        kernel.compile()
    header.write_text("#define VALUE 12\n")
    assert ran(kernel, [0], np.int32) == [12]


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_texts_as_editors_write_them(device, start, end):
    lines = [
        "// f\u00fcr \u2713",
        '\textern "C" __global__',
        "#define SUM 3 \\",
        "  + 4",
        "void f(int *x) { *x = SUM; }",
    ]
    assert ran(RawKernel(start + end.join(lines), "f"), [0], np.int32) == [7]
    lines[-1] = "void f(int *x) { *x = missing; }"
    with pytest.raises(lanewise.CompileError, match=r":5:|\(5\)"):
        RawKernel(start + end.join(lines), "f").compile()


def test_a_long_run_of_statements(device):
    count = 2000
    body = "".join(f"a = a * {1 + i % 7}u + {i}u; b ^= a >> {i % 13};\n" for i in range(count))
    code = f'extern "C" __global__ void f(unsigned *x) {{ unsigned a = *x, b = 0;\n{body}*x = b; }}'
    got = ran(RawKernel(code, "f", backend="clang"), [5], np.uint32)
    a, b = 5, 0
    for i in range(count):
        a = (a * (1 + i % 7) + i) & 0xFFFFFFFF
        b ^= a >> i % 13
    assert got == [b]


@pytest.mark.parametrize("arguments", [(None, "f"), (b"", "f"), ("", None), ("", b"f"), ("", "")])
def test_code_and_name_are_strings(arguments):
    with pytest.raises(TypeError, match=r"RawKernel: the (code|name)"):
        RawKernel(*arguments)


def test_what_the_compiler_says_goes_to_the_log_stream(device):
    log = io.StringIO()
    code = 'extern "C" __global__ void f(int *x) { int unused_thing = *x / 0; *x = unused_thing; }'
    RawKernel(code, "f").compile(log)
    assert "zero" in log.getvalue()
    log = io.StringIO()
    with pytest.raises(lanewise.CompileError):
        RawModule("nonsense;").compile(log_stream=log)
    assert "nonsense" in log.getvalue()


def test_what_the_compiler_says_is_a_warning(device):
    code = 'extern "C" __global__ void f(int *x) { int other_thing = *x / 0; *x = other_thing; }'
    with pytest.warns(lanewise.errors.CompilerWarning, match="zero"):
        RawKernel(code, "f").compile()


# Pickling.


def test_kernels_pickle_as_their_source(device):
    kernel = RawKernel(SCALE, "count", ("-w",), enable_cooperative_groups=True, lenient=True)
    for other in (pickle.loads(pickle.dumps(kernel)), copy.copy(kernel), copy.deepcopy(kernel)):
        assert (other.name, other.code, other.options) == ("count", SCALE, ("-w",))
        assert other.cooperative
        assert other.lenient
        assert other.parameters == (("x", "int *"),)


def test_modules_and_their_kernels_pickle(module):
    module = RawModule(SCALE, name_expressions=EXPRESSIONS, enable_cooperative_groups=True, extern_c=False)
    other = pickle.loads(pickle.dumps(module))
    assert (other.code, other.name_expressions, other.cooperative) == (SCALE, EXPRESSIONS, True)
    kernel = pickle.loads(pickle.dumps(module.get_function("scale<float, 3>", lenient=True)))
    assert kernel.cooperative
    assert kernel.lenient
    assert ran(kernel, [1, 2]) == [3, 6]
    assert pickle.loads(pickle.dumps(RawModule(path="some/file"))).file_path == "some/file"


# Code from elsewhere.

PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .global .u32 variable = 9;
.visible .entry store(.param .u64 out, .param .u32 value)
{
    .reg .b64 %l<2>; .reg .b32 %r;
    ld.param.u64 %l0, [out]; cvta.to.global.u64 %l1, %l0; ld.param.u32 %r, [value]; st.global.u32 [%l1], %r;
    ret;
}
"""


def test_ptx_from_a_file_and_from_memory(gpu, tmp_path):
    path = tmp_path / "module.ptx"
    path.write_text(PTX)
    for module in (RawModule(path=path), RawModule(path=str(path)), RawModule(image=PTX.encode())):
        assert ran(module.get_function("store"), [0], np.int32, 7) == [7]
        assert module.get_global("variable").array(np.int32).item(0) == 9
        with pytest.raises(ValueError, match="no kernel 'stroe' in the module; it has: store"):
            module.get_function("stroe")
        assert module.compiler is None
        assert module.symbols == {}


def test_ptx_does_not_run_on_the_cpu_device(device):
    if device != "cpu":
        pytest.skip("about the cpu device")
    with pytest.raises(ValueError, match="cpu"):
        RawModule(image=PTX.encode()).get_function("store")


def test_files_that_are_missing_or_no_device_code(device, tmp_path):
    with pytest.raises(ValueError, match=r"missing\.cubin"):
        RawModule(path=tmp_path / "missing.cubin").compile()
    path = tmp_path / "text.txt"
    path.write_text("this is no code")
    with pytest.raises(ValueError, match="neither PTX nor a cubin nor a fatbin"):
        RawModule(path=path).compile()
    with pytest.raises(TypeError):
        RawModule(path=5)
    with pytest.raises(TypeError):
        RawModule(image=5.0)
