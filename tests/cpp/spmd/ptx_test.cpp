// Inline PTX: instructions by table, statements and registers, memory, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

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
    refuse(kernel_with(".shared .b32 x;"), "the directive '.shared .b32 x;' is not supported");
    refuse(kernel_with("add.u32 ,;"), "a name is expected");
    refuse(kernel_with("{ .reg .u32 t; lop3.b32 t, t, t, t, %tid.x;}"), "operand 5 must be a constant");
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
