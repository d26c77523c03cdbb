// CUDA C++: variables of the module, constant tables, shared memory.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

TEST(CudaMemory, VariablesAreSeenFromOutsideAndShared) {
    Program program(CudaText{R"(
extern "C" {
__device__ int counter = 3;
__device__ float zeroed[5];
__constant__ float weights[4] = {1, 2, 3, 4};
__device__ int unused[7] = {1, 2, 3};
__device__ int* where = &counter;
__managed__ int managed = 11;
}
namespace ns { __device__ double scaled = 0.5; }
template <typename T> __device__ T variable = T(5);
static const int table[4] = {1, 10, 100, 1000};
__device__ const char* const words[2] = {"zero", "one"};
extern "C" __global__ void use(int* out) {
    out[0] = counter; out[1] = (int)(weights[2] * 10); out[2] = *where; out[3] = (int)(ns::scaled * 10);
    out[4] = variable<int>; out[5] = table[out[4] % 4]; out[6] = words[out[0] & 1][0]; out[7] = managed;
}
extern "C" __global__ void change() { atomicAdd(&counter, 1); zeroed[threadIdx.x] = threadIdx.x; variable<int> = 6; }
)"});
    const auto variable = [&](const char* name) { return program.symbol(name); };
    for (const char* name :
         {"counter", "zeroed", "weights", "unused", "where", "managed", "_ZN2ns6scaledE", "_Z8variableIiE"}) {
        ASSERT_NE(variable(name), nullptr) << name;
    }
    EXPECT_EQ(static_cast<int*>(variable("unused"))[2], 3);
    std::vector<int> out(8);
    program.launch("use", {1}, {1}, 0, out.data());
    EXPECT_EQ(out, (std::vector<int>{3, 30, 3, 5, 5, 10, 'o', 11}));
    program.launch("change", {1}, {5}, 0);
    EXPECT_EQ(*static_cast<int*>(variable("counter")), 8);
    EXPECT_EQ(static_cast<float*>(variable("zeroed"))[4], 4.0f);
    // Constants are the program's to set between launches.
    static_cast<float*>(variable("weights"))[2] = 7.5f;
    *static_cast<double*>(variable("_ZN2ns6scaledE")) = 0.25;
    *static_cast<int**>(variable("where")) = static_cast<int*>(variable("unused"));
    program.launch("use", {1}, {1}, 0, out.data());
    EXPECT_EQ(out, (std::vector<int>{8, 75, 1, 2, 6, 100, 'z', 11}));
}

TEST(CudaMemory, StaticSharedMemory) {
    Program program(CudaText{R"(
struct Pair { float key; int index; };
template <int N> struct Tile { Pair pairs[N]; union { int count; float weight; }; };
__device__ int block_sum(int v) {
    __shared__ int partial[64];
    partial[threadIdx.x] = v;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < (int)blockDim.x; ++i) sum += partial[i];
    __syncthreads();
    return sum;
}
extern "C" __global__ void tiles(const float* keys, int* out) {
    __shared__ Tile<32> tile;
    __shared__ __align__(16) float4 wide[32];
    __shared__ unsigned char flags[3];
    __shared__ int last;
    int t = threadIdx.x;
    if (t < 3) flags[t] = t + 1;
    if (t == 0) tile.count = 0, last = 31;
    __syncthreads();
    tile.pairs[t] = Pair{keys[t], t};
    wide[t] = make_float4(t, t + 1, t + 2, t + 3);
    atomicAdd(&tile.count, t);
    __syncthreads();
    const Pair other = tile.pairs[last - t];
    float4 w = wide[t ^ 1];
    out[t] = other.index + 100 * (int)other.key + (tile.count == 31 * 16) * 10000 + (int)w.w * 100000 + flags[t % 3] * 10000000;
    out[t] += block_sum(1) + block_sum(t);
}
extern "C" __global__ void aligned(unsigned long long* out) {
    __shared__ char odd[3];
    __shared__ float4 v[2];
    odd[0] = 1;
    v[0].x = odd[0];
    out[0] = (unsigned long long)&v % 16;
    out[1] = v[0].x;
}
)"});
    std::vector<float> keys(32);
    std::iota(keys.begin(), keys.end(), 1.0f);
    std::vector<int> out(32);
    program.launch("tiles", {1}, {32}, 0, keys.data(), out.data());
    for (int t = 0; t < 32; ++t) {
        const int other = 31 - t;
        ASSERT_EQ(out[t],
                  other + 100 * (other + 1) + 10000 + ((t ^ 1) + 3) * 100000 + (t % 3 + 1) * 10000000 + 32 + 496);
    }
    std::vector<unsigned long long> words(2);
    program.launch("aligned", {1}, {1}, 0, words.data());
    EXPECT_EQ(words, (std::vector<unsigned long long>{0, 1}));
}

TEST(CudaMemory, DynamicSharedMemoryUnderSeveralNames) {
    Program program(CudaText{R"(
extern __shared__ int numbers[];
extern __shared__ float4 vectors[];
extern __shared__ __align__(16) unsigned char raw[];
extern "C" __global__ void k(int* out, int n) {
    __shared__ int before[3];
    before[threadIdx.x % 3] = 1;
    extern __shared__ double values[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) numbers[i] = i * 3;
    __syncthreads();
    if (threadIdx.x == 0) {
        values[0] = 1.5;
        out[n] = numbers[1];
        numbers[1] = 0x40100000;
        out[n + 1] = (int)values[0];
        out[n + 2] = raw[4] + 256 * raw[7];
        out[n + 3] = __float_as_int(vectors[0].y);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = numbers[i];
}
template <typename T> struct Shared { __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; } };
template <typename T> __global__ void reverse(T* x, int n) {
    T* s = Shared<T>();
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
template __global__ void reverse(double*, int);
template __global__ void reverse(char*, int);
)"});
    const int n = 100;
    std::vector<int> out(n + 4);
    EXPECT_TRUE(program.entry("k").uses_dynamic_shared);
    program.launch("k", {1}, {32}, n * 4, out.data(), n);
    for (int i = 2; i < n; ++i) ASSERT_EQ(out[i], i * 3);
    // 1.5 is 0x3ff80000'00000000, 4.0 in the high half 0x40100000.
    EXPECT_EQ(out[n], 0x3ff80000);
    EXPECT_EQ(out[n + 1], 4);
    EXPECT_EQ(out[n + 2], 256 * 0x40);
    EXPECT_EQ(out[n + 3], 0x40100000);
    std::vector<double> x(50);
    std::iota(x.begin(), x.end(), 0.0);
    program.launch("_Z7reverseIdEvPT_i", {1}, {50}, 400, x.data(), 50);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(x[i], 49 - i);
}

TEST(CudaMemory, SharedAddressesAsNumbers) {
    Program program(CudaText{R"(
extern "C" __global__ void k(int* out, const int* in) {
    __shared__ int a[64];
    __shared__ int b[64];
    int t = threadIdx.x;
    a[t] = in[t];
    unsigned at = (unsigned)__cvta_generic_to_shared(&a[t]);
    __syncthreads();
    int v;
    asm volatile("ld.shared.s32 %0, [%1 + 4];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(&a[t & ~1])));
    asm volatile("st.shared.s32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(b) + t * 4), "r"(v * 2) : "memory");
    asm volatile("{ .reg .u64 g; cvta.shared.u64 g, %1; st.u32 [g], %2; }" :: "r"(0), "l"((unsigned long long)at), "r"(v + 1) : "memory");
    __syncthreads();
    int* back = (int*)__cvta_shared_to_generic(at);
    out[t] = b[t] * 1000 + *back + (&a[t] == back ? 100000 : 0);
    out[64 + t] = (int)(at - (unsigned)__cvta_generic_to_shared(a)) + __isShared(back) + __isGlobal(out) * 2;
})"});
    std::vector<int> in(64), out(128);
    for (int i = 0; i < 64; ++i) in[i] = i * 5 % 17;
    program.launch("k", {1}, {64}, 0, out.data(), in.data());
    for (int t = 0; t < 64; ++t) {
        const int v = in[t | 1];
        ASSERT_EQ(out[t], v * 2000 + v + 1 + 100000) << t;
        ASSERT_EQ(out[64 + t], t * 4 + 3) << t;
    }
}

TEST(CudaMemory, AsynchronousCopies) {
    Program program(CudaText{R"(
extern "C" __global__ void k(const float* in, float* out, int n) {
    __shared__ __align__(16) float tile[128];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[t * 4]);
    int left = n - t * 4;
    int bytes = left <= 0 ? 0 : left >= 4 ? 16 : left * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" :: "r"(to), "l"(in + t * 4), "r"(bytes));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" :: "n"(0));
    __syncthreads();
    for (int i = t; i < 128; i += 32) out[i] = tile[i];
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(&tile[t])), "l"(in + 31 - t));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[128 + t] = tile[t];
})"});
    std::vector<float> in(128), out(160);
    std::iota(in.begin(), in.end(), 1.0f);
    program.launch("k", {1}, {32}, 0, in.data(), out.data(), 101);
    for (int i = 0; i < 128; ++i) ASSERT_EQ(out[i], i < 101 ? i + 1 : 0) << i;
    for (int i = 0; i < 32; ++i) ASSERT_EQ(out[128 + i], 32 - i) << i;
}

TEST(CudaMemory, TooMuchStaticSharedMemoryIsRefused) {
    try {
        Program program(CudaText{R"(
extern "C" __global__ void k(float* out) { __shared__ float s[12289]; s[threadIdx.x] = 1; out[0] = s[threadIdx.x]; })"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_NE(std::string(error.what()).find("'k' has 49156 bytes of static shared memory; at most 49152"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace lanewise::cpu::testing
