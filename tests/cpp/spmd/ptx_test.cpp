// Inline PTX: instructions by table, statements and registers, memory, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "harness.h"
#include "ptx_cases.h"

namespace lanewise::cpu::testing {
namespace {

TEST(Ptx, IntegerArithmetic) {
    check(arithmetic_cases());
}

TEST(Ptx, BitsAndSelections) {
    check(bit_cases());
}

TEST(Ptx, FloatingPoint) {
    check(float_cases());
}

TEST(Ptx, Conversions) {
    check(conversion_cases());
}

std::string kernel_with(const std::string& assembly) {
    return fmt::format("define ptx_kernel void @k() {{\n call void asm sideeffect \"{}\", \"\"()\n ret void\n}}\n",
                       assembly);
}

void refuse(const std::string& ir, const std::string& what) {
    try {
        Program compiled(ir);
        ADD_FAILURE() << ir;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("'k'"), std::string::npos) << error.what();
    }
}

TEST(Ptx, WhatIsRefusedNamesTheInstructionAndTheReason) {
    refuse(kernel_with("frobnicate.b32;"), "no translation of 'frobnicate'");
    refuse(kernel_with("LOOP: bra LOOP;"), "labels ('LOOP:') and branches are not supported");
    refuse(kernel_with("bra LOOP;"), "branches and calls inside inline PTX are not supported");
    refuse(kernel_with("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a}, {b}, {c}, {d};"), "tensor-core");
    refuse(kernel_with("{ .reg .u32 t; mov.u32 t, %nonsense; }"), "no special register %nonsense");
    refuse(kernel_with("{ .reg .u32 t; mov.u32 t, unknown; }"), "'unknown' is neither declared");
    refuse(kernel_with("{ .reg .u32 t; add.u32 t, t; }"), "it has 2 operands; more are needed");
    refuse(kernel_with("{ .reg .u32 t; ld.param.u32 t, [t]; }"), ".param is not accessible");
    refuse(kernel_with("{ .reg .texref t; }"), "registers of type .texref");
    refuse(
        "define ptx_kernel void @k() {\n callbr void asm sideeffect \"bra $0;\", \"!i\"() to label %a [label %b]\n"
        "a:\n ret void\nb:\n ret void\n}\n",
        "assembly with jumps to labels of the program");
    refuse(
        "define ptx_kernel void @k(ptr %p) {\n call void asm sideeffect \"st.u32 $0, 1;\", \"=*m\"(ptr "
        "elementtype(i32) %p)\n ret void\n}\n",
        "its operand constraint \"m\" is not supported");
    refuse(kernel_with(".shared .b32 x;"), "the directive '.shared .b32 x;' is not supported");
    refuse(kernel_with("add.u32 ,;"), "a name is expected");
    refuse(kernel_with("{ .reg .u32 t; lop3.b32 t, t, t, t, %tid.x;}"), "operand 5 must be a constant");
}

TEST(Ptx, LoadsStoresAndAtomicsOfAllKinds) {
    Program program(CudaText{R"(
__device__ int variable = 40;
extern "C" __global__ void loads(const float4* in, const signed char* bytes, float4* out, int* ints) {
    int t = threadIdx.x;
    float4 v;
    asm volatile("prefetch.global.L2 [%0];" :: "l"(in));
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(in + t));
    asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" :: "l"(out + t), "f"(v.w), "f"(v.z) : "memory");
    asm volatile("st.wt.v2.b32 [%0+8], {%1, %2};" :: "l"(out + t), "f"(v.y), "f"(v.x) : "memory");
    int s, u, w;
    unsigned long long pair;
    asm volatile("ld.volatile.global.s8 %0, [%1];" : "=r"(s) : "l"(bytes + t));
    asm volatile("ld.relaxed.gpu.global.u8 %0, [%1 + 1];" : "=r"(u) : "l"(bytes + t));
    asm volatile("ld.global.cv.s16 %0, [%1];" : "=r"(w) : "l"(bytes + 2 * t));
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(pair) : "l"(in + t));
    ints[4 * t] = s; ints[4 * t + 1] = u; ints[4 * t + 2] = w; ints[4 * t + 3] = (int)(pair >> 32);
    if (t == 0) asm volatile("st.release.gpu.b16 [%0], %1;" :: "l"(ints + 40), "h"((short)-2) : "memory");
    if (t == 0) asm volatile("{ .reg .u64 a; .reg .u32 r; mov.u64 a, variable; ld.global.u32 r, [a]; add.u32 r, r, 2; st.global.u32 [variable], r; }" ::: "memory");
}
extern "C" __global__ void spaces(int* out) {
    __shared__ int s[4];
    int local = 1, r[3];
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(r[0]) : "l"(s));
    asm("{ .reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(r[1]) : "l"(out));
    asm("{ .reg .pred p; isspacep.local p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(r[2]) : "l"(&local));
    out[0] = r[0] + r[1] * 2 + r[2] * 4;
}
extern "C" __global__ void atomics(unsigned* u, unsigned long long* l, double* d, unsigned* before) {
    unsigned r;
    asm volatile("atom.global.inc.u32 %0, [%1], 4;" : "=r"(r) : "l"(u) : "memory");
    asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(before[threadIdx.x]) : "l"(u + 1), "r"(threadIdx.x + 1) : "memory");
    asm volatile("red.relaxed.sys.global.or.b64 [%0], %1;" :: "l"(l), "l"(1ull << threadIdx.x) : "memory");
    asm volatile("red.add.f64 [%0], 0d3FE0000000000000;" :: "l"(d) : "memory");
    __shared__ unsigned s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    asm volatile("red.shared.max.u32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(&s)), "r"(threadIdx.x * 3) : "memory");
    __syncthreads();
    u[2] = s;
})"});
    std::vector<float> in(40), out(40);
    std::iota(in.begin(), in.end(), 1.0f);
    std::vector<std::int8_t> bytes(24);
    std::iota(bytes.begin(), bytes.end(), std::int8_t{-5});
    std::vector<int> ints(41, 0x11111111);
    program.launch("loads", {1}, {10}, 0, in.data(), bytes.data(), out.data(), ints.data());
    for (int t = 0; t < 10; ++t) {
        for (int k = 0; k < 4; ++k) ASSERT_EQ(out[4 * t + k], in[4 * t + 3 - k]) << t;
        ASSERT_EQ(ints[4 * t], bytes[t]);
        ASSERT_EQ(ints[4 * t + 1], std::uint8_t(bytes[t + 1]));
        ASSERT_EQ(ints[4 * t + 2], std::int16_t(std::uint8_t(bytes[2 * t]) | std::uint8_t(bytes[2 * t + 1]) << 8));
        ASSERT_EQ(ints[4 * t + 3], std::bit_cast<int>(in[4 * t + 1]));
    }
    EXPECT_EQ(ints[40], 0x1111fffe);
    EXPECT_EQ(*static_cast<int*>(program.symbol("variable")), 42);
    program.launch("spaces", {1}, {1}, 0, ints.data());
    EXPECT_EQ(ints[0], 7);
    std::vector<unsigned> u(3), before(20);
    std::uint64_t bits = 0;
    double sum = 0;
    program.launch("atomics", {1}, {20}, 0, u.data(), &bits, &sum, before.data());
    EXPECT_EQ(u[0], 20u % 5);
    EXPECT_EQ(u[2], 57u);
    EXPECT_EQ(std::accumulate(before.begin(), before.end(), 0u) + u[1], 210u);
    EXPECT_EQ(bits, (1u << 20) - 1);
    EXPECT_EQ(sum, 10.0);
}

TEST(Ptx, InstructionsThatEndThreadsOrConcernTheWarp) {
    Program program(CudaText{R"(
extern "C" __global__ void ends(int* x) {
    x[threadIdx.x] = 1;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 3; @p exit; }" :: "r"(threadIdx.x));
    asm volatile("nanosleep.u32 10; brkpt; pmevent 1;");
    x[threadIdx.x] = 2;
    __syncthreads();
    x[threadIdx.x] += 1;
}
extern "C" __global__ void traps(int* x) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 5; @!p trap; }" :: "r"(threadIdx.x));
    x[threadIdx.x] = 4;
}
extern "C" __global__ void warps(const int* x, unsigned* out) {
    int t = threadIdx.x;
    unsigned leader, leads, all, any, uni, same, what;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(leads));
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(all) : "r"(x[t]));
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0; vote.sync.any.pred q, !p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(any) : "r"(x[t]));
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 1; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(uni) : "r"(x[t]));
    asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %2, -1; selp.u32 %1, 1, 0, q; }" : "=r"(what), "=r"(same) : "r"(x[t] / 10));
    out[t] = leader * 100000 + leads * 10000 + all * 1000 + any * 100 + uni * 10 + same + (what == ~0u ? 0 : 1000000);
})"});
    std::vector<int> x(32);
    program.launch("ends", {1}, {32}, 0, x.data());
    for (int t = 0; t < 32; ++t) EXPECT_EQ(x[t], t == 3 ? 1 : 3);
    program.launch("traps", {1}, {32}, 0, x.data());
    EXPECT_EQ(program.error().site, trap_site);
    EXPECT_EQ(program.error().thread[0], 5u);
    for (int t = 0; t < 32; ++t) EXPECT_EQ(x[t], t == 5 ? 3 : 4);
    for (int t = 0; t < 32; ++t) x[t] = 1 + t % 2;
    std::vector<unsigned> out(32);
    program.launch("warps", {1}, {32}, 0, x.data(), out.data());
    for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t == 0 ? 10000 : 0) + 1000u + 1) << t;
}

TEST(Ptx, RefusalsShowTheLineOfTheProgram) {
    try {
        Program compiled(CudaText{R"(
__device__ void f(int* p) {
    asm volatile("{ .reg .u32 t;\n\t"
                 "mov.u32 t, 0;\n\t"
                 "nothing.u32 t; }" ::: "memory");
}
extern "C" __global__ void k(int* p) { f(p); }
)"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_STREQ(error.what(),
                     "'k' cannot run the inline PTX \"nothing.u32 t\" on the cpu device: there is no translation of "
                     "'nothing'\n"
                     "  kernel.cu:5:19\n"
                     "                     \"nothing.u32 t; }\" ::: \"memory\");\n"
                     "                      ^");
    }
}

}  // namespace
}  // namespace lanewise::cpu::testing
