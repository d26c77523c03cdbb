// CUDA C++: control flow around barriers and warp functions, classes that use them, unusual types.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

TEST(CudaPrograms, BarriersInSwitchesGotosAndEndlessLoops) {
    Program program(CudaText{R"(
__device__ int scan(int* s, int t, int n) {
    for (int d = 1; d < n; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
        if (n > 1000) return -1;
    }
    return s[t];
}
extern "C" __global__ void modes(int* x, int mode) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    switch (mode) {
        case 0: x[t] = scan(s, t, 64); break;
        case 1: s[t] *= 2; __syncthreads(); x[t] = s[63 - t]; break;
        default:
            for (int i = 0;; ++i) {
                __syncthreads();
                if (i == mode) break;
                if (i & 1) continue;
                s[t] += i;
            }
            x[t] = s[t];
    }
}
extern "C" __global__ void rounds(int* x, int n) {
    __shared__ int s[64];
    __shared__ int go;
    int t = threadIdx.x, count = 0;
    s[t] = x[t];
again:
    __syncthreads();
    if (t == 0) go = 0;
    __syncthreads();
    if (s[t] > n) { s[t] -= n; go = 1; }
    __syncthreads();
    ++count;
    if (go) goto again;
    x[t] = s[t] * 100 + count;
})"});
    const auto values = [] {
        std::vector<int> x(64);
        std::iota(x.begin(), x.end(), 0);
        return x;
    };
    std::vector<int> x = values();
    program.launch("modes", {1}, {64}, 0, x.data(), 0);
    for (int t = 0; t < 64; ++t) ASSERT_EQ(x[t], t * (t + 1) / 2);
    x = values();
    program.launch("modes", {1}, {64}, 0, x.data(), 1);
    for (int t = 0; t < 64; ++t) ASSERT_EQ(x[t], 2 * (63 - t));
    x = values();
    program.launch("modes", {1}, {64}, 0, x.data(), 5);
    for (int t = 0; t < 64; ++t) ASSERT_EQ(x[t], t + 0 + 2 + 4);
    x = values();
    program.launch("rounds", {1}, {64}, 0, x.data(), 9);
    for (int t = 0; t < 64; ++t) {
        int rest = t;
        while (rest > 9) rest -= 9;
        ASSERT_EQ(x[t], rest * 100 + 7);  // 63 loses 9 six times
    }
}

TEST(CudaPrograms, ObjectsAndLambdasWithBarriers) {
    Program program(CudaText{R"(
struct Reducer {
    int* memory;
    __device__ Reducer(int* m) : memory(m) {}
    __device__ ~Reducer() { __syncthreads(); memory[threadIdx.x] = -1; }
    __device__ int sum(int v) {
        memory[threadIdx.x] = v;
        __syncthreads();
        int total = 0;
        for (int i = 0; i < 32; ++i) total += memory[i];
        return total;
    }
};
extern "C" __global__ void object(int* out) {
    __shared__ int m[32];
    int v;
    {
        Reducer reducer(m);
        v = reducer.sum(threadIdx.x);
    }
    __syncthreads();
    out[threadIdx.x] = v + m[31 - threadIdx.x];
}
extern "C" __global__ void lambda(int* out) {
    __shared__ int s[32];
    auto reverse = [&](int v) {
        s[threadIdx.x] = v;
        __syncthreads();
        int r = s[31 - threadIdx.x];
        __syncthreads();
        return r;
    };
    int a = reverse(threadIdx.x), b = reverse(a + 1);
    int c = blockIdx.x ? __shfl_sync(~0u, b, 3) : __shfl_down_sync(~0u, b, 1);
    out[blockIdx.x * 32 + threadIdx.x] = a * 10000 + b * 100 + c;
})"});
    std::vector<int> out(64);
    program.launch("object", {1}, {32}, 0, out.data());
    for (int t = 0; t < 32; ++t) ASSERT_EQ(out[t], 495);
    program.launch("lambda", {2}, {32}, 0, out.data());
    for (int i = 0; i < 64; ++i) {
        const int t = i % 32, a = 31 - t, b = t + 1;
        ASSERT_EQ(out[i], a * 10000 + b * 100 + (i < 32 ? std::min(b + 1, 32) : 4)) << i;
    }
}

TEST(CudaPrograms, WarpsThatIterateApart) {
    Program program(CudaText{R"(
extern "C" __global__ void k(float* x, int limit) {
    float v = x[threadIdx.x];
    int i = 0;
    while (true) {
        float m = v;
        for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
        if (m < 1.0f || i > limit) break;
        if (v == m) v *= 0.25f;
        ++i;
    }
    x[threadIdx.x] = v + i * 1000;
})"});
    std::vector<float> x(64), expected(64);
    for (int i = 0; i < 64; ++i) x[i] = float(i * 37 % 64) / (i < 32 ? 40.0f : 5.0f);
    for (int warp = 0; warp < 64; warp += 32) {
        std::vector<float> v(x.begin() + warp, x.begin() + warp + 32);
        int i = 0;
        for (;; ++i) {
            const float most = *std::max_element(v.begin(), v.end());
            if (most < 1 || i > 20) break;
            for (float& each : v) each *= each == most ? 0.25f : 1.0f;
        }
        for (int lane = 0; lane < 32; ++lane) expected[warp + lane] = v[lane] + float(i * 1000);
    }
    program.launch("k", {1}, {64}, 0, x.data(), 20);
    EXPECT_EQ(x, expected);
}

TEST(CudaPrograms, IntegersOf128Bits) {
    Program program(CudaText{R"(
extern "C" __global__ void k(const unsigned long long* a, unsigned long long* out) {
    unsigned __int128 x = ((unsigned __int128)a[0] << 64) | a[1], y = a[2];
    unsigned __int128 q = x / y, r = x % y, p = x * y;
    __int128 s = -(__int128)x / (__int128)y;
    out[0] = q; out[1] = q >> 64; out[2] = r; out[3] = s; out[4] = p >> 64; out[5] = (unsigned long long)((double)x / 1e10);
})"});
    __extension__ using Wide = unsigned __int128;
    const std::vector<std::uint64_t> a = {123456789, 987654321987654321, 1000003};
    std::vector<std::uint64_t> out(6);
    program.launch("k", {1}, {1}, 0, a.data(), out.data());
    const Wide x = Wide(a[0]) << 64 | a[1], y = a[2];
    EXPECT_EQ(out, (std::vector<std::uint64_t>{std::uint64_t(x / y), std::uint64_t(x / y >> 64), std::uint64_t(x % y),
                                               0 - std::uint64_t(x / y), std::uint64_t(x * y >> 64),
                                               std::uint64_t(double(x) / 1e10)}));
}

TEST(CudaPrograms, StaticsBitFieldsMembersAndBuiltins) {
    Program program(CudaText{R"(
__device__ int next() { static int counter = 5; return atomicAdd(&counter, 1); }
struct Bits { unsigned a : 3; int b : 7; unsigned long long c : 40; };
struct Pair { int a; __device__ int plus(int x) { return a + x; } __device__ int times(int x) { return a * x; } };
extern "C" __global__ void statics(int* out) { out[threadIdx.x] = next(); }
extern "C" __global__ void bits(const int* x, long long* out) {
    Bits b;
    b.a = x[threadIdx.x]; b.b = x[threadIdx.x]; b.c = (long long)x[threadIdx.x] * x[threadIdx.x];
    out[threadIdx.x] = b.a + b.b * 10 + (long long)b.c * 1000;
}
extern "C" __global__ void members(int* out) {
    Pair p{3};
    int (Pair::*f)(int) = threadIdx.x & 1 ? &Pair::plus : &Pair::times;
    out[threadIdx.x] = (p.*f)(threadIdx.x);
}
extern "C" __global__ void builtins(int* a, int* out) {
    __atomic_fetch_add(a, 2, __ATOMIC_RELAXED);
    __atomic_store_n(out + threadIdx.x, __atomic_load_n(a, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    __builtin_assume(a != nullptr);
    if (__builtin_expect(a == out, 0)) __builtin_unreachable();
    __sync_fetch_and_add(a + 1, 1);
})"});
    std::vector<int> out(8), a(2);
    program.launch("statics", {1}, {8}, 0, out.data());
    std::sort(out.begin(), out.end());
    for (int t = 0; t < 8; ++t) EXPECT_EQ(out[t], 5 + t);
    const std::vector<int> x = {1, -2, 63, 100};
    std::vector<long long> fields(4);
    program.launch("bits", {1}, {4}, 0, x.data(), fields.data());
    EXPECT_EQ(fields, (std::vector<long long>{1 + 10 + 1000, 6 - 20 + 4000, 7 + 630 + 3969000, 4 - 280 + 10000000}));
    program.launch("members", {1}, {8}, 0, out.data());
    for (int t = 0; t < 8; ++t) EXPECT_EQ(out[t], t & 1 ? t + 3 : 3 * t);
    program.launch("builtins", {1}, {4}, 0, a.data(), out.data());
    EXPECT_EQ(a, (std::vector{8, 4}));
    EXPECT_EQ(out[3], 8);
}

TEST(CudaPrograms, BlocksOfVariableSizeWithBarriersAreRefused) {
    try {
        Program program(CudaText{R"(
extern "C" __global__ void k(int* out, int n) {
    int* p = (int*)__builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; ++i) p[i] = i;
    __syncthreads();
    out[threadIdx.x] = p[n - 1];
})"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_NE(std::string(error.what()).find("kernel 'k' allocates stack memory of variable size"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace lanewise::cpu::testing
