// Kernels whose threads never meet: thread coordinates, parameters, memory, atomics.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

constexpr const char* saxpy = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define ptx_kernel void @saxpy(float %a, ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = zext i32 %ctaid to i64
  %d = zext i32 %ntid to i64
  %t = zext i32 %tid to i64
  %m = mul i64 %b, %d
  %i = add i64 %m, %t
  %in = icmp slt i64 %i, %n
  br i1 %in, label %body, label %end
body:
  %px = getelementptr float, ptr addrspace(1) %x, i64 %i
  %py = getelementptr float, ptr addrspace(1) %y, i64 %i
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %p = fmul contract float %a, %vx
  %s = fadd contract float %p, %vy
  store float %s, ptr addrspace(1) %py
  br label %end
end:
  ret void
}
)";

TEST(Parallel, GuardedElementwiseKernel) {
    Program program(saxpy);
    for (const std::int64_t n : {0, 1, 255, 256, 257, 10000}) {
        std::vector<float> x(10240), y(10240, 1.0f);
        std::iota(x.begin(), x.end(), 0.0f);
        program.launch("saxpy", {40}, {256}, 0, 2.0f, x.data(), y.data(), n);
        for (std::int64_t i = 0; i < 10240; ++i) ASSERT_EQ(y[i], i < n ? 2.0f * i + 1.0f : 1.0f) << n << ' ' << i;
    }
}

Program& program() {
    static Program compiled(kernel_file("threads"));
    return compiled;
}

TEST(Parallel, Coordinates) {
    const Extent grid{2, 3, 2}, block{5, 2, 3};
    std::vector<int> out(12 * 30 * 6);
    program().launch("coordinates", grid, block, 0, out.data());
    std::vector<int> expected;
    for (int bz = 0; bz < 2; ++bz)
        for (int by = 0; by < 3; ++by)
            for (int bx = 0; bx < 2; ++bx)
                for (int z = 0; z < 3; ++z)
                    for (int y = 0; y < 2; ++y)
                        for (int x = 0; x < 5; ++x) expected.insert(expected.end(), {x, y, z, bx, by, bz});
    EXPECT_EQ(out, expected);
}

struct Mixed {
    char c;
    double d;
    short s;
};

TEST(Parallel, ParametersOfAllSizes) {
    std::int64_t out[8];
    program().launch("parameters", {1}, {2}, 0, static_cast<signed char>(-3), 2.5, static_cast<short>(-300),
                     Mixed{7, 1.25, 9}, true, 0.125f, &out[0]);
    const std::int64_t expected[] = {-3, 5, -300, 7, 5, 10, 1, 1};
    for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], expected[i]) << i;
    const EntryPoint& entry = program().entry("parameters");
    EXPECT_EQ(entry.parameter_offsets, (std::vector<std::uint32_t>{0, 8, 16, 24, 48, 52, 56}));
    EXPECT_EQ(entry.parameter_bytes, 64u);
}

TEST(Parallel, GridStrideLoop) {
    for (const int n : {0, 1, 1000}) {
        std::vector<float> x(1000), y(1000, -1.0f);
        std::iota(x.begin(), x.end(), 0.0f);
        program().launch("grid_stride", {3}, {32}, 0, x.data(), y.data(), n);
        for (int i = 0; i < 1000; ++i) ASSERT_EQ(y[i], i < n ? 3.0f * i : -1.0f) << n << ' ' << i;
    }
}

TEST(Parallel, Atomics) {
    std::vector<int> out(5), bins(16), x(2000);
    float sum = 0;
    program().launch("atomics", {20}, {50}, 0, out.data(), &sum);
    EXPECT_EQ(out, (std::vector{1000, 999, 0, 0, 2000}));
    EXPECT_EQ(sum, 500.0f);
    std::iota(x.begin(), x.end(), 0);
    program().launch("histogram", {20}, {100}, 0, x.data(), bins.data(), 1900);
    for (int b = 0; b < 16; ++b) EXPECT_EQ(bins[b], 1900 / 16 + (b < 1900 % 16)) << b;
}

TEST(Parallel, PrintsInOrderOfThreads) {
    program().launch("print", {1}, {64}, 0, 3);
    EXPECT_EQ(program().printed(),
              "0 0.00 ab% 1099511627776 %\n1 0.50 ab% 1099511627776 %\n2 1.00 ab% 1099511627776 %\n");
}

TEST(Parallel, RaiseReportsOneThreadAndEndsIt) {
    std::vector<int> x(200, 1);
    x[130] = -5;
    x[199] = -6;
    EXPECT_TRUE(program().entry("raise").can_raise);
    EXPECT_FALSE(program().entry("atomics").can_raise);
    program().launch("raise", {4}, {50}, 0, x.data(), 199);
    EXPECT_EQ(program().error().claimed, 1u);
    EXPECT_EQ(program().error().site, 7u);
    EXPECT_EQ(program().error().block[0], 2u);
    EXPECT_EQ(program().error().thread[0], 30u);
    EXPECT_EQ(program().error().values[0], 130);
    EXPECT_EQ(program().error().values[1], -5);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(x[i], i == 130 ? -5 : i == 199 ? -6 : 100) << i;
    x[130] = 1;
    program().launch("raise", {4}, {50}, 0, x.data(), 199);
    EXPECT_EQ(program().error().claimed, 0u);
}

TEST(Parallel, RaisedThreadsDoNotHoldBarriersUp) {
    std::vector<int> x(64);
    x[3] = -1;
    program().launch("raise_before_barrier", {1}, {64}, 0, x.data());
    EXPECT_EQ(program().error().site, 3u);
    for (int t = 0; t < 64; ++t) ASSERT_EQ(x[t], t == 3 ? -1 : 63 - t) << t;
}

TEST(Parallel, TrapsAndAssertions) {
    std::vector<int> x(8);
    program().launch("trap", {1}, {8}, 0, x.data());
    EXPECT_EQ(program().error().site, trap_site);
    EXPECT_EQ(program().error().thread[0], 5u);
    for (int t = 0; t < 8; ++t) EXPECT_EQ(x[t], t == 5 ? 1 : 2);
    program().launch("assertion", {1}, {8}, 0, x.data());
    EXPECT_EQ(program().error().site, assert_site);
    EXPECT_EQ(program().error().thread[0], 2u);
    const auto text = [](int i) { return reinterpret_cast<const char*>(program().error().values[i]); };
    EXPECT_STREQ(text(0), "x == 1");
    EXPECT_STREQ(text(1), "file.cu");
    EXPECT_STREQ(text(2), "assertion");
    EXPECT_EQ(program().error().values[3], 12);
}

TEST(Parallel, RecursionAndFunctionPointers) {
    std::vector<int> out(60);
    program().launch("recursion", {2}, {30}, 0, out.data());
    const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int i = 0; i < 60; ++i) ASSERT_EQ(out[i], fibonacci[i % 30 % 12]) << i;
    program().launch("recursion_with_slots", {2}, {30}, 0, out.data());
    for (int i = 0; i < 60; ++i) {
        const int n = i % 30 % 10;
        ASSERT_EQ(out[i], n >= 7 ? 70 + i / 30 : n + 1) << i;
    }
    std::vector<int> which(30);
    for (int t = 0; t < 30; ++t) which[t] = t / 2 % 2;
    program().launch("function_pointers", {2}, {30}, 0, which.data(), out.data());
    for (int i = 0; i < 60; ++i) ASSERT_EQ(out[i], which[i % 30] ? i % 30 * 2 + i / 30 : i % 30 + 1) << i;
}

TEST(Parallel, GlobalsAndConstants) {
    std::vector<int> out(8);
    program().launch("globals", {1}, {8}, 0, out.data());
    EXPECT_EQ(out, (std::vector{6, 16, 107, 1008, 1, 11, 102, 1003}));
    const auto* state = static_cast<const int*>(program().symbol("global_state"));
    ASSERT_NE(state, nullptr);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(state[i], i);
}

TEST(Parallel, LocalArrays) {
    std::vector<int> index(70), out(70);
    std::iota(index.begin(), index.end(), 3);
    program().launch("local_table", {2}, {35}, 0, index.data(), out.data());
    for (int i = 0; i < 70; ++i) ASSERT_EQ(out[i], (index[i] & 7) * (index[i] & 7) + i % 35) << i;
}

TEST(Parallel, DivergentLoop) {
    constexpr int width = 61, height = 47;
    std::vector<float> out(width * height, -1);
    program().launch("escape_time", {4, 12}, {16, 4}, 0, out.data(), width, height, 50);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const float cr = -2.0f + 3.0f * x / width, ci = -1.5f + 3.0f * y / height;
            float zr = 0, zi = 0;
            int k = 0;
            while (k < 50 && zr * zr + zi * zi < 4.0f) {
                const float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                ++k;
            }
            ASSERT_EQ(out[y * width + x], k) << x << ' ' << y;
        }
    }
}

TEST(Parallel, MemoryMathAndSpaces) {
    std::vector<int> out(8);
    program().launch("device_memory", {1}, {8}, 0, out.data());
    for (int t = 0; t < 8; ++t) EXPECT_EQ(out[t], 3 * t);
    std::vector<double> x(100), y(100);
    std::iota(x.begin(), x.end(), -50.0);
    program().launch("sine", {2}, {64}, 0, x.data(), y.data(), 100);
    for (int i = 0; i < 100; ++i) EXPECT_NEAR(y[i], std::sin(x[i]), 4e-16) << i;
    program().launch("spaces", {1}, {1}, 0, out.data(), x.data());
    EXPECT_EQ(std::vector(out.begin(), out.begin() + 5), (std::vector{1, 0, 1, 1, 1}));
}

TEST(Parallel, BaselineTarget) {
    Program baseline(kernel_file("threads"), {}, "x86_64");
    std::vector<float> x(100, 1.0f), y(100);
    baseline.launch("grid_stride", {1}, {32}, 0, x.data(), y.data(), 100);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(y[i], 2.0f + i);
}

TEST(Parallel, Refusals) {
    const auto refuse = [](const std::string& ir, const std::string& target, ErrorKind kind, const std::string& what) {
        try {
            Program compiled(ir, {}, target);
            ADD_FAILURE() << what;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), kind);
            EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
        }
    };
    refuse(saxpy, "x86_64:+no_such_feature", ErrorKind::Value, "no_such_feature");
    refuse(saxpy, "z80", ErrorKind::Value, "z80");
    refuse("declare void @nobody()\ndefine ptx_kernel void @k() {\n call void @nobody()\n ret void\n}\n", host_target(),
           ErrorKind::Lowering, "nobody");
    refuse(
        "declare i32 @llvm.nvvm.istypep.sampler(i64)\ndefine ptx_kernel void @k() {\n call void asm sideeffect "
        "\"bogus;\", "
        "\"\"()\n ret void\n}\n",
        host_target(), ErrorKind::Lowering, "bogus");
}

}  // namespace
}  // namespace lanewise::cpu::testing
