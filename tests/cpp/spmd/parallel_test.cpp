// Kernels whose threads never meet: thread coordinates, parameters, memory, atomics.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace lanewise::cpu::testing
