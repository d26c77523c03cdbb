// CUDA C++: barriers, warp functions, atomics, special registers, the device's run time.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

TEST(CudaThreads, BarriersInAllForms) {
    Program program(CudaText{R"(
extern "C" __global__ void votes(const int* x, int* out) {
    int t = threadIdx.x, v = x[t];
    out[t] = __syncthreads_count(v > 3) * 100 + (__syncthreads_and(v >= 0) ? 10 : 0) + (__syncthreads_or(v > 8) ? 1 : 0);
}
extern "C" __global__ void guarded(int* x, int n) {
    __shared__ int s[128];
    int i = threadIdx.x;
    if (i >= n) return;
    s[i] = x[i];
    __syncthreads();
    x[i] = s[n - 1 - i];
}
extern "C" __global__ void warps(int* x) {
    __shared__ int s[128];
    int t = threadIdx.x, lane = t & 31;
    s[t] = t;
    __syncwarp();
    int v = s[t ^ 1];
    __syncwarp();
    if (lane < 16) { s[t] = v + 1; __syncwarp(0x0000ffff); v = s[t ^ 2]; } else { s[t] = v + 2; __syncwarp(0xffff0000u); v = s[t ^ 4]; }
    x[t] = v;
}
extern "C" __global__ void named(int* x) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        x[t] = s[63 - t];
    } else {
        asm volatile("barrier.sync %0, %1;" :: "r"(2), "r"(64) : "memory");
        x[t] = s[191 - t];
    }
    asm volatile("bar.sync 0;" ::: "memory");
    int count;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 5; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(t) : "memory");
    x[t] += count * 1000;
}
extern "C" __global__ void fences(int* x) {
    __threadfence_block(); __threadfence(); __threadfence_system();
    asm volatile("fence.acq_rel.gpu; membar.gl; fence.proxy.async;" ::: "memory");
    x[threadIdx.x] = 1;
}
extern "C" __global__ void mismatched(int* x) {
    if (threadIdx.x < 32) asm volatile("bar.sync 3, 64;" ::: "memory");
    x[threadIdx.x] = 2;
})"});
    const std::vector<int> x = {1, 2, 3, 4, 5, 6, 7, 0};
    std::vector<int> out(128);
    program.launch("votes", {1}, {8}, 0, x.data(), out.data());
    for (int t = 0; t < 8; ++t) EXPECT_EQ(out[t], 410);
    std::vector<int> values(128);
    std::iota(values.begin(), values.end(), 0);
    program.launch("guarded", {1}, {128}, 0, values.data(), 101);
    for (int i = 0; i < 128; ++i) ASSERT_EQ(values[i], i < 101 ? 100 - i : i);
    program.launch("warps", {1}, {128}, 0, out.data());
    for (int t = 0; t < 128; ++t) {
        const int other = (t & 31) < 16 ? t ^ 2 : t ^ 4;
        ASSERT_EQ(out[t], (other ^ 1) + ((t & 31) < 16 ? 1 : 2)) << t;
    }
    program.launch("named", {1}, {128}, 0, out.data());
    for (int t = 0; t < 128; ++t) ASSERT_EQ(out[t], (t < 64 ? 63 - t : 191 - t) + 5000) << t;
    program.launch("fences", {1}, {8}, 0, out.data());
    EXPECT_EQ(out[7], 1);
    program.launch("mismatched", {1}, {128}, 0, out.data());
    EXPECT_TRUE(program.barrier_mismatch());
}

TEST(CudaThreads, BarriersThatThreadsArriveAtWithoutWaiting) {
    Program program(CudaText{R"(
// One warp fills a buffer, the others use it up, in rounds.
extern "C" __global__ void named(int* out, int rounds) {
    __shared__ int buffer[32];
    int t = threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        if (t < 32) {
            if (i > 0) asm volatile("bar.sync 2, 96;" ::: "memory");
            buffer[t] = i * 100 + t;
            asm volatile("bar.arrive 1, 96;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 96;" ::: "memory");
            out[i * 64 + t - 32] = buffer[95 - t & 31];
            if (i + 1 < rounds) asm volatile("bar.arrive 2, 96;" ::: "memory");
        }
    }
}
__device__ void wait(unsigned barrier, int parity) {
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
}
extern "C" __global__ void in_memory(const int* in, int* out, int rounds) {
    __shared__ __align__(16) int buffer[64];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    unsigned f = (unsigned)__cvta_generic_to_shared(&full), e = (unsigned)__cvta_generic_to_shared(&empty);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; mbarrier.init.shared::cta.b64 [%1], 64;" :: "r"(f), "r"(e));
    }
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        if (t == 64) {
            if (i > 0) wait(e, (i - 1) & 1);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(f) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         :: "r"((unsigned)__cvta_generic_to_shared(buffer)), "l"(in + i * 64), "r"(256), "r"(f) : "memory");
        } else if (t < 64) {
            wait(f, i & 1);
            out[i * 64 + t] = buffer[63 - t] + 1;
            asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(e) : "memory");
        }
    }
}
// The same by intrinsics: a state from the arrival, and a test of it.
extern "C" __global__ void by_state(int* out) {
    __shared__ long long barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) __nvvm_mbarrier_init(&barrier, 64);
    __syncthreads();
    s[t] = t;
    long long state = __nvvm_mbarrier_arrive(&barrier);
    while (!__nvvm_mbarrier_test_wait(&barrier, state)) {}
    out[t] = s[63 - t] + (__nvvm_mbarrier_pending_count(state) == 64 - t ? 100 : 0);
}
)"});
    std::vector<int> out(5 * 64), in(5 * 64);
    program.launch("named", {2}, {96}, 0, out.data(), 5);
    for (int i = 0; i < 5; ++i)
        for (int t = 0; t < 64; ++t) ASSERT_EQ(out[i * 64 + t], i * 100 + 31 - t % 32) << i << ' ' << t;
    std::iota(in.begin(), in.end(), 7);
    program.launch("in_memory", {1}, {96}, 0, in.data(), out.data(), 5);
    for (int i = 0; i < 5; ++i)
        for (int t = 0; t < 64; ++t) ASSERT_EQ(out[i * 64 + t], in[i * 64 + 63 - t] + 1) << i << ' ' << t;
    program.launch("by_state", {1}, {64}, 0, out.data());
    for (int t = 0; t < 64; ++t) ASSERT_EQ(out[t], 63 - t + 100);
}

TEST(CudaThreads, WarpFunctions) {
    Program program(CudaText{R"(
extern "C" __global__ void k(const int* x, const double* d, unsigned* out) {
    int t = threadIdx.x, n = blockDim.x, v = x[t];
    const unsigned full = 0xffffffffu;
    out[t] = __shfl_down_sync(full, v, 2);
    out[n + t] = __shfl_xor_sync(full, v, 5, 8);
    out[2 * n + t] = (unsigned)(long long)__shfl_sync(full, d[t] * 4, 3);
    out[3 * n + t] = __shfl_up_sync(full, (short)v, 1);
    out[4 * n + t] = __ballot_sync(full, v & 1);
    out[5 * n + t] = __any_sync(full, v == 5) + 2 * __all_sync(full, v >= 0);
    out[6 * n + t] = __match_any_sync(full, v % 3);
    int same;
    out[7 * n + t] = __match_all_sync(full, v / 1000, &same) + same;
    out[8 * n + t] = __reduce_add_sync(full, v);
    out[9 * n + t] = __reduce_max_sync(full, (unsigned)v) * 100 + __reduce_min_sync(full, v - 3) + 3;
    out[10 * n + t] = __reduce_or_sync(full, 1u << (v % 4)) * 10 + __reduce_and_sync(full, v | 8);
    unsigned lower, lane;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[11 * n + t] = __popc(lower) + lane * 100;
    if (v & 1) out[12 * n + t] = __activemask(); else out[12 * n + t] = 0;
    int r; unsigned b;
    asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %1, 16, 31, -1; @!p mov.s32 %0, -1; }" : "=r"(r) : "r"(v));
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(b) : "r"(v & 2));
    out[13 * n + t] = r;
    out[14 * n + t] = b;
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v - 2));
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(b) : "r"(v / 2));
    out[15 * n + t] = r;
    out[16 * n + t] = b;
})"});
    const int n = 64;
    std::vector<int> x(n);
    std::vector<double> d(n);
    for (int i = 0; i < n; ++i) x[i] = i * 7 % 11, d[i] = i + 0.25;
    std::vector<unsigned> out(17 * n);
    program.launch("k", {1}, {n}, 0, x.data(), d.data(), out.data());
    for (int t = 0; t < n; ++t) {
        const int warp = t & ~31, lane = t & 31, v = x[t];
        unsigned odd = 0, match3 = 0, match2 = 0, second = 0, bits = 0, all = ~0u;
        int sum = 0, least = 99, most = 0;
        bool five = false;
        for (int i = 0; i < 32; ++i) {
            const int w = x[warp + i];
            if (w & 1) odd |= 1u << i;
            if (w & 2) second |= 1u << i;
            if (w % 3 == v % 3) match3 |= 1u << i;
            if (w / 2 == v / 2) match2 |= 1u << i;
            five |= w == 5;
            sum += w, least = std::min(least, w), most = std::max(most, w);
            bits |= 1u << (w % 4), all &= unsigned(w | 8);
        }
        const unsigned expected[] = {
            unsigned(x[lane + 2 < 32 ? t + 2 : t]),
            unsigned(x[t ^ 5]),
            unsigned((warp + 3) * 4 + 1),
            unsigned(x[lane ? t - 1 : t]),
            odd,
            five + 2u,
            match3,
            0xffffffffu + 1,
            unsigned(sum),
            unsigned(most * 100 + least),
            bits * 10 + all,
            unsigned(lane + lane * 100),
            v & 1 ? odd : 0,
            unsigned(x[t ^ 16]),
            second,
            unsigned(least - 2),
            match2,
        };
        for (int k = 0; k < 17; ++k) ASSERT_EQ(out[k * n + t], expected[k]) << t << ' ' << k;
    }
}

TEST(CudaThreads, Atomics) {
    Program program(CudaText{R"(
#include <cuda_fp16.h>
extern "C" __global__ void k(int* i, unsigned* u, unsigned long long* l, float* f, double* d, __half* h, unsigned short* s) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], t); atomicSub(&i[1], 2); atomicMin(&i[2], -t); atomicMax(&i[3], t);
    atomicAnd(&u[0], ~(1u << t % 32)); atomicOr(&u[1], 1u << t % 32); atomicXor(&u[2], t);
    atomicInc(&u[3], 6); atomicDec(&u[4], 6); atomicMin(&u[5], (unsigned)t);
    atomicAdd(&l[0], 1ull << 33); atomicMax(&l[1], (unsigned long long)t << 40);
    atomicAdd(&f[0], 0.5f); atomicAdd(&d[0], 0.25); atomicAdd(&h[0], __float2half(0.5f));
    atomicAdd_block(&i[4], 1); atomicAdd_system(&i[5], 1);
    unsigned old = u[6], seen;
    do { seen = old; old = atomicCAS(&u[6], seen, seen + 3); } while (old != seen);
    unsigned short was = s[0], expected;
    do { expected = was; was = atomicCAS(&s[0], expected, (unsigned short)(expected + 1)); } while (was != expected);
    atomicExch(&i[6], 77);
    asm volatile("red.global.add.u32 [%0], %1;" :: "l"(&u[7]), "r"(2) : "memory");
    int before;
    asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(before) : "l"(&i[7]), "r"(t) : "memory");
    asm volatile("atom.relaxed.gpu.global.add.f32 %0, [%1], %2;" : "=f"(f[2 + t]) : "l"(&f[1]), "f"(1.0f) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(before) : "l"(&u[8]), "r"(0), "r"(5) : "memory");
}
extern "C" __global__ void locked(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *(volatile int*)sum = *(volatile int*)sum + 1;
    __threadfence();
    atomicExch(lock, 0);
}
extern "C" __global__ void tickets(unsigned* next, unsigned* mine) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    mine[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&count, 1) + atomicAdd(next, 1) * 1000;
})"});
    const int n = 300;
    std::vector<int> i(8), sum(1), lock(1);
    std::vector<unsigned> u = {~0u, 0, 0, 0, 0, 999, 0, 0, 0};
    std::vector<unsigned long long> l(2);
    std::vector<float> f(2 + n);
    double d = 0;
    std::uint16_t h = 0, s = 0;
    program.launch("k", {10}, {30}, 0, i.data(), u.data(), l.data(), f.data(), &d, &h, &s);
    unsigned exclusive = 0;
    for (int t = 0; t < n; ++t) exclusive ^= unsigned(t);
    EXPECT_EQ(i, (std::vector<int>{n * (n - 1) / 2, -2 * n, -(n - 1), n - 1, n, n, 77, n - 1}));
    EXPECT_EQ(u, (std::vector<unsigned>{0, ~0u, exclusive, n % 7, (7 - n % 7) % 7, 0, 3 * n, 2 * n, 5}));
    EXPECT_EQ(l, (std::vector<unsigned long long>{(1ull << 33) * n, (n - 1ull) << 40}));
    EXPECT_EQ(f[0], 150.0f);
    EXPECT_EQ(d, 75.0);
    EXPECT_EQ(h, 0x58b0);  // 150
    EXPECT_EQ(s, n);
    EXPECT_EQ(f[1], 300.0f);
    std::set<float> seen(f.begin() + 2, f.end());
    EXPECT_EQ(seen.size(), std::size_t(n));
    program.launch("locked", {10}, {30}, 0, lock.data(), sum.data());
    EXPECT_EQ(sum[0], n);
    std::vector<unsigned> mine(n), next(1);
    program.launch("tickets", {10}, {30}, 0, next.data(), mine.data());
    std::set<unsigned> all;
    for (const unsigned ticket : mine) {
        all.insert(ticket / 1000);
        EXPECT_LT(ticket % 1000, 30u);
    }
    EXPECT_EQ(all.size(), std::size_t(n));
}

TEST(CudaThreads, SpecialRegistersAndTime) {
    Program program(CudaText{R"(
__device__ unsigned reg_x() { unsigned r; asm("mov.u32 %0, %%tid.x;" : "=r"(r)); return r; }
extern "C" __global__ void k(unsigned* out, long long* times) {
    unsigned r[8];
    asm("mov.u32 %0, %%ntid.x; mov.u32 %1, %%ctaid.x;\n\t mov.u32 %2, %%nctaid.y;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]));
    asm("mov.u32 %0, %%warpid;" : "=r"(r[3]));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(r[4]));
    asm("mov.u32 %0, %%nsmid;" : "=r"(r[5]));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r[6]));
    asm("mov.u32 %0, %%smid;" : "=r"(r[7]));
    int t = threadIdx.x + blockIdx.x * blockDim.x;
    for (int i = 0; i < 8; ++i) out[t * 9 + i] = r[i];
    out[t * 9 + 8] = reg_x() + warpSize;
    long long start = clock64(), clock, timer;
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    times[t * 2] = clock - start;
    times[t * 2 + 1] = timer;
})"});
    std::vector<unsigned> out(80 * 9);
    std::vector<long long> times(160);
    program.launch("k", {2, 3}, {40}, 64, out.data(), times.data());
    for (unsigned t = 0; t < 80; ++t) {
        const unsigned x = t % 40;
        const unsigned expected[] = {40, t / 40, 3, x / 32, 64, 1, ~0u << (x & 31), 0, x + 32};
        for (int i = 0; i < 9; ++i) ASSERT_EQ(out[t * 9 + i], expected[i]) << t << ' ' << i;
        EXPECT_GT(times[t * 2], 0);
        EXPECT_GT(times[t * 2 + 1], 0);
    }
}

TEST(CudaThreads, PrintAssertTrapAndMemory) {
    Program program(CudaText{R"(
#include <cstdio>
#include <assert.h>
struct Cell { int value; Cell* next; __device__ Cell(int v, Cell* n) : value(v), next(n) {} };
__device__ Cell* stack;
extern "C" __global__ void print(int n) {
    if (threadIdx.x < n) printf("thread %d of %s: %5.2f %c %llx %u %hd %e|%-4d|%%\n", threadIdx.x, "a block", threadIdx.x * 1.5f,
                                (char)('a' + threadIdx.x), 1ull << 40, 4000000000u, (short)-3, 1e10, 7);
    if (threadIdx.x == n) printf("no arguments\n");
}
extern "C" __global__ void checked(const int* x) { int i = threadIdx.x; assert(x[i] < 10 && "too large"); }
extern "C" __global__ void trapped(int* x) { x[threadIdx.x] = 1; if (threadIdx.x == 3) __trap(); x[threadIdx.x] = 2; }
extern "C" __global__ void push() {
    Cell* cell = new Cell(threadIdx.x, nullptr);
    do { cell->next = *(Cell* volatile*)&stack; }
    while (atomicCAS((unsigned long long*)&stack, (unsigned long long)cell->next, (unsigned long long)cell) != (unsigned long long)cell->next);
}
extern "C" __global__ void pop(int* sum) {
    while (Cell* cell = stack) { *sum += cell->value; stack = cell->next; delete cell; }
    int* array = (int*)malloc(100 * sizeof(int));
    memset(array, 0, 100 * sizeof(int));
    array[7] = 5;
    int copy[8];
    memcpy(copy, array, sizeof(copy));
    *sum += copy[7] * 10000 + copy[6];
    free(array);
})"});
    program.launch("print", {1}, {8}, 0, 2);
    EXPECT_EQ(program.printed(),
              "thread 0 of a block:  0.00 a 10000000000 4000000000 -3 1.000000e+10|7   |%\n"
              "thread 1 of a block:  1.50 b 10000000000 4000000000 -3 1.000000e+10|7   |%\n"
              "no arguments\n");
    std::vector<int> x(8, 5);
    program.launch("checked", {1}, {8}, 0, x.data());
    EXPECT_EQ(program.error().claimed, 0u);
    x[6] = 10;
    program.launch("checked", {1}, {8}, 0, x.data());
    EXPECT_EQ(program.error().site, assert_site);
    EXPECT_EQ(program.error().thread[0], 6u);
    const auto text = [&](int i) { return std::string(reinterpret_cast<const char*>(program.error().values[i])); };
    EXPECT_EQ(text(0), "x[i] < 10 && \"too large\"");
    EXPECT_EQ(text(1), "kernel.cu");
    EXPECT_NE(text(2).find("checked"), std::string::npos);
    EXPECT_EQ(program.error().values[3], 11);
    program.launch("trapped", {1}, {8}, 0, x.data());
    EXPECT_EQ(program.error().site, trap_site);
    EXPECT_EQ(x, (std::vector{2, 2, 2, 1, 2, 2, 2, 2}));
    program.launch("push", {4}, {25}, 0);
    int sum = 0;
    program.launch("pop", {1}, {1}, 0, &sum);
    EXPECT_EQ(sum, 4 * 300 + 50000);
}

TEST(CudaThreads, ArithmeticIntrinsics) {
    Program program(CudaText{R"(
extern "C" __global__ void k(const int* a, const int* b, const float* x, long long* out, float* f) {
    int t = threadIdx.x, p = a[t], q = b[t];
    long long* o = out + t * 12;
    o[0] = __mulhi(p, q); o[1] = __umulhi(p, q); o[2] = __sad(p, q, 7); o[3] = __byte_perm(p, q, 0x5140);
    o[4] = __funnelshift_l(p, q, t); o[5] = __funnelshift_rc(p, q, 40); o[6] = __dp4a(p, q, 3); o[7] = __brev(p);
    o[8] = __popcll(((long long)p << 32) | (unsigned)q); o[9] = __clz(p); o[10] = __ffs(q); o[11] = max(min(p, q), -5);
    f[t * 6] = __fadd_rz(x[t], 1e-8f); f[t * 6 + 1] = __fmaf_rn(x[t], x[t], 1); f[t * 6 + 2] = __frcp_rn(x[t]);
    f[t * 6 + 3] = fminf(x[t], 0.5f); f[t * 6 + 4] = __saturatef(x[t]); f[t * 6 + 5] = __ldg(&x[t]) + __int_as_float(p & 0x3fffffff) * 0;
})"});
    const std::vector<int> a = {1, -5, 123456789, INT32_MIN}, b = {3, 77, -987654321, 0x7f80ff01};
    const std::vector<float> x = {0.25f, 1.0f, -3.0f, 2.5f};
    std::vector<long long> out(48);
    std::vector<float> f(24);
    program.launch("k", {1}, {4}, 0, a.data(), b.data(), x.data(), out.data(), f.data());
    for (int t = 0; t < 4; ++t) {
        const long long p = a[t], q = b[t];
        const auto up = unsigned(a[t]), uq = unsigned(b[t]);
        int dot = 3;
        for (int i = 0; i < 4; ++i) dot += int(std::int8_t(up >> 8 * i)) * int(std::int8_t(uq >> 8 * i));
        unsigned reversed = 0;
        for (int i = 0; i < 32; ++i) reversed |= (up >> i & 1) << (31 - i);
        const unsigned long long pair = std::uint64_t(uq) << 32 | up;
        const long long expected[] = {
            p * q >> 32,
            (long long)(std::uint64_t(up) * uq >> 32),
            (long long)(unsigned)(std::abs(p - q) + 7),
            (long long)((up & 0xff) | (uq & 0xff) << 8 | (up >> 8 & 0xff) << 16 | (uq >> 8 & 0xff) << 24),
            (long long)(unsigned)(pair << t >> 32),
            (long long)uq,
            dot,
            reversed,
            std::popcount(up) + std::popcount(uq),
            std::countl_zero(up),
            std::countr_zero(uq) + 1,
            std::max(std::min(p, q), -5ll)};
        for (int i = 0; i < 12; ++i) EXPECT_EQ(out[t * 12 + i], expected[i]) << t << ' ' << i;
        const float rounded = x[t] < 0 ? std::nextafter(x[t], 0.0f) : x[t];
        const float floats[] = {
            rounded, std::fma(x[t], x[t], 1.0f), 1 / x[t], std::min(x[t], 0.5f), std::min(std::max(x[t], 0.0f), 1.0f),
            x[t]};
        for (int i = 0; i < 6; ++i) EXPECT_EQ(f[t * 6 + i], floats[i]) << t << ' ' << i;
    }
}

TEST(CudaThreads, ConversionsOfClangsBuiltins) {
    Program program(CudaText{R"(
template <typename T> __device__ unsigned bits(T value) { unsigned r; memcpy(&r, &value, 4); return r; }
extern "C" __global__ void k(const float* x, unsigned* out) {
    float a = x[2 * threadIdx.x], b = x[2 * threadIdx.x + 1];
    unsigned* o = out + threadIdx.x * 4;
    o[0] = __nvvm_f2tf32_rna(a);
    o[1] = bits(__nvvm_ff2bf16x2_rz(a, b));
    o[2] = bits(__nvvm_ff2bf16x2_rn_relu(a, b));
    o[3] = bits(__nvvm_ff2f16x2_rz(a, b));
})"});
    const auto value = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    // Halfway cases of tf32 and bfloat16; halves that nearest would round up, and beyond the largest.
    const std::vector<float> x = {value(0x3f801000), value(0xbf808000), value(0x3f818000), 70000.0f, 1.9999f, -2049.5f};
    std::vector<unsigned> out(12);
    program.launch("k", {1}, {3}, 0, x.data(), out.data());
    EXPECT_EQ(out, (std::vector<unsigned>{
                       0x3f802000,
                       0x3f80bf80,
                       0x3f800000,
                       0x3c00bc04,  //
                       0x3f818000,
                       0x3f814788,
                       0x3f824789,
                       0x3c0c7bff,  //
                       0x40000000,
                       0x3fffc500,
                       0x40000000,
                       0x3fffe800,
                   }));
}

TEST(CudaThreads, CarriesPassBetweenStatementsOfFunctions) {
    Program program(CudaText{R"(
__device__ unsigned add_cc(unsigned a, unsigned b) { unsigned r; asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ unsigned addc_cc(unsigned a, unsigned b) { unsigned r; asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ unsigned addc(unsigned a, unsigned b) { unsigned r; asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
extern "C" __global__ void k(const unsigned* a, const unsigned* b, unsigned* c) {
    int t = threadIdx.x * 4;
    c[t] = add_cc(a[t], b[t]);
    c[t + 1] = addc_cc(a[t + 1], b[t + 1]);
    c[t + 2] = addc_cc(a[t + 2], b[t + 2]);
    c[t + 3] = addc(a[t + 3], b[t + 3]);
}
extern "C" __global__ void swap(int* x, int* y) {
    asm("{ .reg .s32 t; mov.s32 t, %0; mov.s32 %0, %1; mov.s32 %1, t; }" : "+r"(x[threadIdx.x]), "+r"(y[threadIdx.x]));
})"});
    std::vector<unsigned> a(400), b(400), c(400);
    for (int i = 0; i < 400; ++i)
        a[i] = i % 3 ? ~0u - unsigned(i % 2) : unsigned(i) * 2654435761u, b[i] = unsigned(i % 5);
    program.launch("k", {1}, {100}, 0, a.data(), b.data(), c.data());
    for (int t = 0; t < 400; t += 4) {
        std::uint64_t carry = 0;
        for (int i = t; i < t + 4; ++i) {
            carry += std::uint64_t(a[i]) + b[i];
            ASSERT_EQ(c[i], unsigned(carry)) << i;
            carry >>= 32;
        }
    }
    std::vector<int> x = {1, 2, 3}, y = {4, 5, 6};
    program.launch("swap", {1}, {3}, 0, x.data(), y.data());
    EXPECT_EQ(x, (std::vector{4, 5, 6}));
    EXPECT_EQ(y, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace lanewise::cpu::testing
