// CUDA C++ as clang leaves it, unoptimised: parameters, functions, classes, local memory.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

TEST(CudaKernels, ParametersOfManyTypesAndAlignments) {
    Program program(CudaText{R"(
struct Small { char c; short s; };
struct alignas(16) Wide { float x, y, z, w; };
struct Big { double m[9]; int n; char tail; };
union Either { int i; float f; };
enum class Mode : unsigned char { off, on };
extern "C" __global__ void k(bool b, char c, unsigned short s, Small small, float4 v, const __grid_constant__ Wide w,
                             Big big, Either e, Mode mode, long long l, double* out) {
    big.m[4] += threadIdx.x;
    double* row = out + threadIdx.x * 12;
    row[0] = b; row[1] = c; row[2] = s; row[3] = small.c; row[4] = small.s;
    row[5] = v.x + v.y * 10 + v.z * 100 + v.w * 1000; row[6] = w.x + w.w;
    row[7] = big.m[4]; row[8] = big.n + big.tail; row[9] = e.f; row[10] = mode == Mode::on; row[11] = l;
})"});
    struct Small {
        signed char c;
        short s;
    };
    struct alignas(16) Wide {
        float x, y, z, w;
    };
    struct Big {
        double m[9];
        int n;
        char tail;
    };
    Big big{};
    big.m[4] = 2.5;
    big.n = 7;
    big.tail = 3;
    std::vector<double> out(24);
    program.launch("k", {1}, {2}, 0, true, static_cast<signed char>(-2), static_cast<unsigned short>(60000),
                   Small{5, -6}, Wide{1, 2, 3, 4}, Wide{10, 0, 0, 40}, big, 0.5f, static_cast<unsigned char>(1),
                   static_cast<long long>(-9), out.data());
    for (int t = 0; t < 2; ++t) {
        const std::array<double, 12> expected = {1, -2, 60000, 5, -6, 4321, 50, 2.5 + t, 10, 0.5, 1, -9};
        for (int i = 0; i < 12; ++i) EXPECT_EQ(out[t * 12 + i], expected[i]) << t << ' ' << i;
    }
    // As the C++ ABI lays out a struct of these members.
    EXPECT_EQ(program.entry("k").parameter_offsets,
              (std::vector<std::uint32_t>{0, 1, 2, 4, 16, 32, 48, 128, 132, 136, 144}));
    EXPECT_EQ(program.entry("k").parameter_sizes, (std::vector<std::uint32_t>{1, 1, 2, 4, 16, 16, 80, 4, 1, 8, 8}));
}

TEST(CudaKernels, SeveralInAModuleOfTemplatesAndLaunchBounds) {
    Program program(CudaText{R"(
template <typename T, int N> __device__ T power(T x) { return x * power<T, N - 1>(x); }
template <> __device__ int power<int, 0>(int) { return 1; }
template <> __device__ double power<double, 0>(double) { return 1; }
template <typename T, int N> __global__ void __launch_bounds__(128, 2) raise(const T* x, T* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = power<T, N>(x[i]);
}
template __global__ void raise<int, 3>(const int*, int*, int);
template __global__ void raise<double, 2>(const double*, double*, int);
namespace ns { extern "C" __global__ void plain(int* x) { x[threadIdx.x] += 1; } }
)"});
    ASSERT_EQ(program.image().entries.size(), 3u);
    std::vector<int> x(100), y(100);
    std::iota(x.begin(), x.end(), -50);
    program.launch("_Z5raiseIiLi3EEvPKT_PS0_i", {2}, {64}, 0, x.data(), y.data(), 90);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(y[i], i < 90 ? x[i] * x[i] * x[i] : 0);
    std::vector<double> u(10, 1.5), v(10);
    program.launch("_Z5raiseIdLi2EEvPKT_PS0_i", {1}, {10}, 0, u.data(), v.data(), 10);
    EXPECT_EQ(v, std::vector<double>(10, 2.25));
    program.launch("plain", {1}, {100}, 0, x.data());
    EXPECT_EQ(x[0], -49);
}

TEST(CudaKernels, VirtualFunctionsLambdasAndFunctionPointers) {
    Program program(CudaText{R"(
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape { float a; __device__ Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
struct Disc : Shape { float r; __device__ Disc(float r) : r(r) {} __device__ float area() const override { return 3 * r * r + blockIdx.x; } };
extern "C" __global__ void areas(float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Square square(i); Disc disc(i);
    const Shape* shape = i % 2 ? (const Shape*)&disc : (const Shape*)&square;
    out[i] = shape->area();
}
extern "C" __global__ void on_the_heap(float* out) {
    Shape* shape = threadIdx.x % 2 ? (Shape*)new Disc(threadIdx.x) : (Shape*)new Square(threadIdx.x);
    out[threadIdx.x] = shape->area();
    delete shape;
}
template <typename F> __device__ int apply(F f, int x) { return f(f(x)); }
extern "C" __global__ void lambdas(int* out, int k) {
    int t = threadIdx.x;
    auto add = [=](int x) { return x + k + t; };
    auto count = [&t](int x) mutable { ++t; return x * 2; };
    out[threadIdx.x] = apply(add, 1) * 1000 + apply(count, 3) + t;
}
typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation chosen = times;
__device__ Operation table[2] = {plus, times};
extern "C" __global__ void pointers(int* out) {
    out[threadIdx.x] = table[threadIdx.x % 2](threadIdx.x, 3) * 100 + chosen(threadIdx.x, 2);
}
__device__ int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ bool is_even(int n);
__device__ bool is_odd(int n) { return n == 0 ? false : is_even(n - 1); }
__device__ bool is_even(int n) { return n == 0 ? true : is_odd(n - 1); }
extern "C" __global__ void recursive(int* out) {
    out[threadIdx.x] = ackermann(2, threadIdx.x % 5) * 10 + is_even(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] += out[0] >= 0;
})"});
    std::vector<float> areas(20);
    program.launch("areas", {2}, {10}, 0, areas.data());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(areas[i], i % 2 ? 3 * i * i + i / 10 : i * i) << i;
    program.launch("on_the_heap", {1}, {10}, 0, areas.data());
    for (int i = 0; i < 10; ++i) EXPECT_EQ(areas[i], i % 2 ? 3 * i * i : i * i) << i;
    std::vector<int> out(16);
    program.launch("lambdas", {1}, {16}, 0, out.data(), 5);
    for (int t = 0; t < 16; ++t) EXPECT_EQ(out[t], (1 + 2 * (5 + t)) * 1000 + 12 + t + 2) << t;
    program.launch("pointers", {1}, {16}, 0, out.data());
    for (int t = 0; t < 16; ++t) EXPECT_EQ(out[t], (t % 2 ? t * 3 : t + 3) * 100 + t * 2) << t;
    program.launch("recursive", {1}, {16}, 0, out.data());
    for (int t = 0; t < 16; ++t) EXPECT_EQ(out[t], (2 * (t % 5) + 3) * 10 + (t % 2 == 0) + 1) << t;
}

TEST(CudaKernels, LocalMemoryOfAllShapes) {
    Program program(CudaText{R"(
struct Node { int value; int next; };
struct Matrix { float m[4][4]; };
__device__ Matrix multiply(Matrix a, const Matrix& b) {
    Matrix c;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            c.m[i][j] = 0;
            for (int k = 0; k < 4; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    return c;
}
extern "C" __global__ void matrices(const Matrix* a, const Matrix* b, Matrix* c) {
    c[threadIdx.x] = multiply(a[threadIdx.x], b[threadIdx.x]);
}
extern "C" __global__ void list(int* out) {
    Node nodes[8];
    for (int i = 0; i < 8; ++i) nodes[i] = Node{i * (int)threadIdx.x, (i * 3 + 1) % 8};
    int at = threadIdx.x % 8, sum = 0;
    for (int i = 0; i < 8; ++i) { sum += nodes[at].value; at = nodes[at].next; }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void punned(float* x, unsigned* out) {
    union { float f; unsigned u; unsigned char bytes[4]; } v;
    v.f = x[threadIdx.x];
    v.bytes[3] ^= 0x80;
    out[threadIdx.x] = v.u;
}
extern "C" __global__ void sort(int* x, int n) {
    int own[32];
    for (int i = 0; i < n; ++i) own[i] = x[threadIdx.x * n + i];
    for (int i = 1; i < n; ++i) {
        int v = own[i], j = i - 1;
        while (j >= 0 && own[j] > v) { own[j + 1] = own[j]; --j; }
        own[j + 1] = v;
    }
    __syncthreads();
    for (int i = 0; i < n; ++i) x[threadIdx.x * n + i] = own[i];
}
extern "C" __global__ void switched(int* out) {
    int t = threadIdx.x, r = 0;
    switch (t % 7) {
        case 0: r = 10; break;
        case 1: r = 20;
        case 2: r += 1; break;
        case 5: return;
        default: r = -1;
    }
again:
    if (r > 5 && r % 2 == 0) { r /= 2; goto again; }
    out[t] = r;
}
)"});
    struct Matrix {
        float m[4][4];
    };
    std::vector<Matrix> a(3), b(3), c(3);
    for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 16; ++i) a[t].m[i / 4][i % 4] = float(i + t), b[t].m[i / 4][i % 4] = float(i * t - 3);
    program.launch("matrices", {1}, {3}, 0, a.data(), b.data(), c.data());
    for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                float sum = 0;
                for (int k = 0; k < 4; ++k) sum += a[t].m[i][k] * b[t].m[k][j];
                ASSERT_EQ(c[t].m[i][j], sum);
            }
    std::vector<int> out(40);
    program.launch("list", {1}, {40}, 0, out.data());
    for (int t = 0; t < 40; ++t) {
        int at = t % 8, sum = 0;
        for (int i = 0; i < 8; ++i) sum += at * t, at = (at * 3 + 1) % 8;
        ASSERT_EQ(out[t], sum);
    }
    std::vector<float> x = {1.5f, -2.0f, 0.0f};
    std::vector<unsigned> bits(3);
    program.launch("punned", {1}, {3}, 0, x.data(), bits.data());
    EXPECT_EQ(bits, (std::vector<unsigned>{0xbfc00000, 0x40000000, 0x80000000}));
    std::vector<int> values(50 * 20), sorted;
    for (int i = 0; i < 1000; ++i) values[i] = i * 7919 % 1009;
    sorted = values;
    for (int t = 0; t < 50; ++t) std::sort(sorted.begin() + t * 20, sorted.begin() + (t + 1) * 20);
    program.launch("sort", {1}, {50}, 0, values.data(), 20);
    EXPECT_EQ(values, sorted);
    std::vector<int> results(14, 99);
    program.launch("switched", {1}, {14}, 0, results.data());
    EXPECT_EQ(results, (std::vector{5, 21, 1, -1, -1, 99, -1, 5, 21, 1, -1, -1, 99, -1}));
}

TEST(CudaKernels, DivisionsWithoutDefinedResultsDoNotTrap) {
    Program program(CudaText{R"(
extern "C" __global__ void k(const int* a, const int* b, int* q, int* r, const unsigned long long* u, unsigned long long* v) {
    int t = threadIdx.x;
    q[t] = a[t] / b[t];
    r[t] = a[t] % b[t];
    v[t] = u[t] / u[t + 4];
})"});
    const std::vector<int> a = {7, -7, INT32_MIN, 5}, b = {2, 0, -1, -1};
    const std::vector<unsigned long long> u = {9, 9, 0, 100, 2, 0, 0, 7};
    std::vector<int> q(4), r(4);
    std::vector<unsigned long long> v(4);
    program.launch("k", {1}, {4}, 0, a.data(), b.data(), q.data(), r.data(), u.data(), v.data());
    EXPECT_EQ(q, (std::vector{3, -1, INT32_MIN, -5}));
    EXPECT_EQ(r, (std::vector{1, -1, 0, 0}));
    EXPECT_EQ(v, (std::vector<unsigned long long>{4, ~0ull, ~0ull, 14}));
}

TEST(CudaKernels, GridStrideLoopsOfAllIndexTypes) {
    for (const char* type : {"int", "unsigned", "long long", "size_t"}) {
        Program program(CudaText{std::string("typedef ") + type + R"( Index;
extern "C" __global__ void scale(const float* x, float* y, Index n) {
    for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] * 2 + i;
}
extern "C" __global__ void offset(const float* x, float* y, Index n, Index first) {
    Index i = blockIdx.x * 64 + threadIdx.x + first;
    if (i < n) y[i] = x[i] - 1;
})"});
        for (const int n : {0, 1, 999, 1000}) {
            std::vector<float> x(1000), y(1000, -1.0f), z(1000, -1.0f);
            std::iota(x.begin(), x.end(), 0.0f);
            const bool wide = std::string(type) != "int" && std::string(type) != "unsigned";
            const auto launch = [&](auto count, auto first) {
                program.launch("scale", {3}, {50}, 0, x.data(), y.data(), count);
                program.launch("offset", {16}, {64}, 0, x.data(), z.data(), count, first);
            };
            wide ? launch(std::int64_t(n), std::int64_t(7)) : launch(n, 7);
            for (int i = 0; i < 1000; ++i) {
                ASSERT_EQ(y[i], i < n ? 3.0f * i : -1.0f) << type << ' ' << n << ' ' << i;
                ASSERT_EQ(z[i], i >= 7 && i < n ? i - 1.0f : -1.0f) << type << ' ' << n << ' ' << i;
            }
        }
    }
}

TEST(CudaKernels, GridsTooLargeForTheirIndicesAreReported) {
    Program program(CudaText{R"(
extern "C" __global__ void narrow(char* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
extern "C" __global__ void wide(char* x) { if (blockIdx.x * (long long)blockDim.x + threadIdx.x == 5) *x = 1; })"});
    char x = 0;
    program.launch("narrow", {1u << 21}, {1024}, 0, &x);
    EXPECT_EQ(program.error().site, index_site);
    EXPECT_EQ(program.error().values[0], std::int64_t(1) << 31);
    EXPECT_EQ(x, 0);
    program.launch("wide", {1u << 21}, {1024}, 0, &x);
    EXPECT_EQ(program.error().claimed, 0u);
    EXPECT_EQ(x, 1);
}

TEST(CudaKernels, BarriersInRecursiveFunctionsAreRefused) {
    try {
        Program program(CudaText{R"(
__device__ int sum(int n) { __syncthreads(); return n == 0 ? 0 : n + sum(n - 1); }
extern "C" __global__ void k(int* out) { out[threadIdx.x] = sum(threadIdx.x); })"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_NE(std::string(error.what()).find("'sum(int)' is recursive"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lanewise::cpu::testing
