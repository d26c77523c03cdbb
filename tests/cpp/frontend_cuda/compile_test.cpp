#include "compile.h"

#include <numeric>
#include <thread>

namespace lanewise {
namespace {

using namespace test;

const char saxpy[] = R"(
extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

TEST(CudaCpp, CompilesToPtxLikeNvccs) {
    const Image image = compile_for_cuda(text(saxpy));
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_EQ(image.target, "sm_90");
    EXPECT_TRUE(contains(image.assembly, ".visible .entry saxpy(")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "ld.global.nc.f32")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "fma.rn.f32")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "st.global.f32")) << image.assembly;
    EXPECT_TRUE(image.warnings.empty());
}

TEST(CudaCpp, RunsOnTheCpuDevice) {
    const auto module = load(text(saxpy));
    std::vector<float> x(1000), y(1000, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    run(*module, "saxpy", {4}, {256}, 0, 2.0f, x.data(), y.data(), 1000);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(y[i], 2.0f * i + 1.0f);
}

}  // namespace
}  // namespace lanewise
