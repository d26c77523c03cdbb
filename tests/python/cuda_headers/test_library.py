"""The standard library's functions, atomics and memory functions within kernels."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

from .evaluate import evaluate

pytestmark = pytest.mark.usefixtures("device")


def run(body, count, dtype="int32", before="", threads=1, start=0):
    """The array `out` of `count` elements after `body` ran with `t` as its thread's number."""
    element = {"int32": "int", "float32": "float", "float64": "double", "uint32": "unsigned"}[dtype]
    code = f"""{before}
extern "C" __global__ void kernel({element}* out) {{ const int t = threadIdx.x + blockIdx.x * blockDim.x; {body} }}"""
    out = _core.Array.from_host(np.full(count, start, dtype))
    RawKernel(code, "kernel", backend="clang")((threads + 63) // 64, min(threads, 64), (out,))
    return out.to_host()


VALUES = "int v[12] = {5, 2, 9, 2, 7, 1, 8, 3, 9, 0, 4, 6};"
SORTED = [0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 9]


@pytest.mark.parametrize("namespace", ["std", "cuda::std"])
def test_algorithms(namespace):
    include = (
        "#include <cuda/std/algorithm>\n#include <cuda/std/numeric>\n"
        if namespace != "std"
        else ("#include <algorithm>\n#include <numeric>\n")
    )
    before = include + f"namespace s = {namespace};\n"
    copied = "for (int i = 0; i < 12; ++i) out[i] = v[i];"
    np.testing.assert_array_equal(run(f"{VALUES} s::sort(v, v + 12); {copied}", 12, before=before), SORTED)
    got = run(f"{VALUES} s::sort(v, v + 12, s::greater<int>()); {copied}", 12, before=before)
    np.testing.assert_array_equal(got, SORTED[::-1])
    got = run(
        f"""{VALUES}
        out[0] = *s::max_element(v, v + 12); out[1] = s::min_element(v, v + 12) - v;
        out[2] = s::count(v, v + 12, 9); out[3] = s::find(v, v + 12, 7) - v;
        out[4] = s::accumulate(v, v + 12, 0); out[5] = s::clamp(12, 0, 7);
        out[6] = s::gcd(84, 36); out[7] = s::lcm(4, 6);
        s::reverse(v, v + 12); out[8] = v[0]; s::fill(v, v + 12, 3); out[9] = v[11];
        int a = 1, b = 2; s::swap(a, b); out[10] = a; out[11] = s::min({{4, 2, 8}});""",
        12,
        before=before,
    )
    np.testing.assert_array_equal(got, [9, 9, 2, 4, 56, 7, 12, 12, 6, 3, 2, 2])


def test_bounds_of_sorted_ranges():
    body = "int v[6] = {1, 3, 3, 5, 7, 7};"
    body += "out[0] = std::lower_bound(v, v + 6, 3) - v; out[1] = std::upper_bound(v, v + 6, 3) - v;"
    body += "out[2] = std::binary_search(v, v + 6, 5); out[3] = std::binary_search(v, v + 6, 4);"
    np.testing.assert_array_equal(run(body, 4, before="#include <algorithm>\n"), [1, 3, 1, 0])


def test_tuples_pairs_and_arrays():
    body = """
    auto made = std::make_tuple(1, 2.5f, 'a');
    int i; float f; char c;
    std::tie(i, f, c) = made;
    out[0] = i; out[1] = int(f * 2); out[2] = c;
    std::array<int, 3> a = {{4, 5, 6}};
    for (int x : a) out[3] += x;
    out[4] = std::get<1>(a); out[5] = a.size();
    auto p = std::make_pair(7, 8L);
    out[6] = p.first; out[7] = std::get<1>(p);
    out[8] = std::apply([](int x, float y, char z) { return x + int(y) + z; }, made);
    auto [first, second] = p;
    out[9] = first + second;
    out[10] = made == std::make_tuple(1, 2.5f, 'a');
    """
    got = run(body, 11, before="#include <array>\n#include <tuple>\n")
    np.testing.assert_array_equal(got, [1, 5, 97, 15, 5, 3, 7, 8, 100, 15, 1])


def test_bits():
    x = np.array([0, 1, 2, 3, 64, 0x80000000, 0xFFFFFFFF], np.uint32)
    for name, wanted in {
        "popcount": [0, 1, 1, 2, 1, 1, 32],
        "countl_zero": [32, 31, 30, 30, 25, 0, 0],
        "countr_zero": [32, 0, 1, 0, 6, 31, 0],
        "bit_width": [0, 1, 2, 2, 7, 32, 32],
    }.items():
        got = evaluate(f"std::{name}(a)", "i4", x, before="#include <bit>\n")
        np.testing.assert_array_equal(got, wanted)
    assert evaluate("std::rotl(a, 4)", "u4", np.array([0x80000001], np.uint32), before="#include <bit>\n")[0] == 0x18
    assert evaluate("std::bit_cast<unsigned>(a)", "u4", np.ones(1, "f4"), before="#include <bit>\n")[0] == 0x3F800000


def test_strings_and_memory():
    body = """
    char text[16] = "hello", other[16];
    out[0] = strlen(text); out[1] = strcmp(text, "help") < 0; out[2] = strncmp(text, "help", 3);
    strcpy(other, text); strcat(other, "!"); out[3] = strlen(other); out[4] = *strchr(other, '!');
    memmove(text + 1, text, 5); out[5] = text[1]; memset(text, 7, 3); out[6] = text[2];
    out[7] = memcmp(text, other, 1) < 0;
    """
    np.testing.assert_array_equal(run(body, 8, before="#include <cstring>\n"), [5, 1, 0, 6, 33, 104, 7, 1])


def test_memory_of_the_heap():
    body = """
    int* kept = new int[4]; double* one = new double(2.5); float4* v = new float4{1, 2, 3, 4};
    for (int i = 0; i < 4; ++i) kept[i] = i * i;
    out[0] = kept[3]; out[1] = int(*one * 2); out[2] = int(v->w);
    alignas(8) char place[8]; long long* in = new (place) long long(9); out[3] = int(*in);
    void* raw = malloc(100); out[4] = raw != nullptr;
    struct alignas(128) Wide { int x; };
    Wide* wide = new Wide{8}; Wide* more = new Wide[3]; out[5] = wide->x; out[6] = (size_t(wide) | size_t(more)) % 128;
    free(raw); delete[] kept; delete one; delete v; delete wide; delete[] more;
    """
    np.testing.assert_array_equal(run(body, 7), [9, 5, 4, 9, 1, 8, 0])


OPERATIONS = {
    # the update by thread t of 256, the start and the end
    "atomicAdd(out, t)": (0, 256 * 255 // 2),
    "atomicSub(out, 1)": (300, 44),
    "atomicMax(out, t * 37 % 256)": (-5, 255),
    "atomicMin(out, t * 37 % 256 - 100)": (50, -100),
    "atomicOr(out, 1 << (t % 20))": (0, 2**20 - 1),
    "atomicAnd(out, ~(1 << (t % 8)))": (0xFFFF, 0xFF00),
    "atomicXor(out, t)": (0, 0),
    "atomicAdd_block(out, 2)": (0, 512),
    "atomicAdd_system(out, 2)": (0, 512),
    "atomicMax_system(out, t)": (0, 255),
    "cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(3)": (0, 768),
    "cuda::atomic_ref<int>(*out).fetch_max(t, cuda::memory_order_relaxed)": (0, 255),
    "++cuda::atomic_ref<int>(*out)": (0, 256),
    "cuda::std::atomic_ref<int>(*out) |= 1 << (t % 10)": (0, 1023),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_atomics_lose_no_update(operation):
    start, end = OPERATIONS[operation]
    before = "#include <cuda/atomic>\n#include <cuda/std/atomic>\n"
    assert run(operation + ";", 1, before=before, threads=256, start=start)[0] == end


@pytest.mark.parametrize(
    "operation, start, end",
    [
        ("atomicInc(out, 99u)", 0, 256 % 100),
        ("atomicDec(out, 99u)", 10, (10 - 256) % 100),
        ("atomicInc_system(out, 99u)", 0, 256 % 100),
        ("atomicDec_system(out, 99u)", 10, (10 - 256) % 100),
        ("atomicMin_system(out, 5u + t)", 4000000000, 5),
        ("atomicMax_system(out, 3000000000u + t)", 7, 3000000255),
    ],
)
def test_unsigned_atomics(operation, start, end):
    assert run(operation + ";", 1, "uint32", threads=256, start=start)[0] == end


@pytest.mark.parametrize(
    "operation, end",
    [
        ("atomicAdd(out, 0.5f)", 128),
        ("atomicAdd_system(out, 0.5f)", 128),
        ("cuda::atomic_ref<float>(*out).fetch_add(0.5f)", 128),
        ("cuda::atomic_ref<float>(*out).fetch_max(float(t))", 255),
        ("atomicAdd((float2*)out, make_float2(1, 2))", 256),
        ("float old = *out, seen; do { seen = old; old = __int_as_float(atomicCAS((int*)out, __float_as_int(seen), "
         "__float_as_int(seen + 2))); } while (__float_as_int(seen) != __float_as_int(old))", 512),
    ],
)  # fmt: skip
def test_floating_point_atomics(operation, end):
    assert run(operation + ";", 2, "float32", before="#include <cuda/atomic>\n", threads=256)[0] == end


@pytest.mark.parametrize("name", ["half", "bfloat16"])
def test_atomic_additions_of_16_bits(name):
    include, type_name = {"half": ("fp16", "half2"), "bfloat16": ("bf16", "nv_bfloat162")}[name]
    body = f"""__shared__ {type_name} sum;
    if (t == 0) sum = __float2{name}2_rn(0.0f);
    __syncthreads();
    atomicAdd(&sum, __floats2{name}2_rn(1.0f, 2.0f));
    atomicAdd(&sum.x, __float2{name}(1.0f));
    __syncthreads();
    if (t == 0) {{ out[0] = __low2float(sum); out[1] = __high2float(sum); }}"""
    got = run(body, 2, "float32", before=f"#include <cuda_{include}.h>\n", threads=64)
    np.testing.assert_array_equal(got, [128, 128])


def test_loads_and_stores_with_hints():
    body = """
    const float4* from = (const float4*)out;
    float4 v = __ldg(from);
    __stcg((float4*)out + 1, v); __stwt((float4*)out + 2, __ldcg(from)); __stcs(out + 12, __ldcs(out + 3));
    __stwb(out + 13, __ldca(out) + __ldlu(out + 1) + __ldcv(out + 2));
    """
    np.testing.assert_array_equal(run(body, 14, "float32", start=3), [3.0] * 13 + [9])


def test_a_program_s_own_functions_take_the_place_of_cudas():
    before = """
__device__ int min(int a, int b) { return 1000; }
__host__ __device__ int max(int a, int b) { return 2000; }
__device__ float fminf(float a, float b) { return 3000; }
static inline __device__ float max(float a, float b) { return 4000; }
__device__ double atomicAdd(double* p, double v) { return 5000; }
__device__ float rsqrt(float x) { return 6000; }
"""
    body = """double d;
    out[0] = min(1, 2); out[1] = max(3, 4); out[2] = fminf(1, 2); out[3] = max(1.0f, 2.0f);
    out[4] = atomicAdd(&d, 1.0); out[5] = rsqrt(2.0f); out[6] = min(3u, 4u); out[7] = max(3.0, 4.0);"""
    got = run(body, 8, "float32", before=before)
    np.testing.assert_array_equal(got, [1000, 2000, 3000, 4000, 5000, 6000, 3, 4])
