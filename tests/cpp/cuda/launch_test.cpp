#include "fixture.h"

namespace lanewise {
namespace {

using Launches = CudaTest;
using namespace cuda;

template <class T>
std::span<const std::byte> as_params(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

TEST_F(Launches, ParametersAndShapeReachTheKernel) {
    struct {
        std::uint64_t pointer;
        float factor;
        std::int32_t n;
    } params = {0x123456789abcdef0, 1.5f, -7};
    fake_cuda::Launch seen;
    fake_cuda::settings().kernels["scale_symbol"] = [&](const fake_cuda::Launch& launch) {
        seen = launch;
        return CUDA_SUCCESS;
    };
    auto scale = kernel("scale", sizeof params);
    auto sent = params;
    stream_->launch(*scale, {{3, 4, 5}, {32, 2, 1}, 256}, as_params(sent));
    // The parameters were copied: the caller's buffer is free again.
    std::memset(&sent, 0, sizeof sent);
    stream_->synchronize();
    ASSERT_EQ(seen.parameters.size(), sizeof params);
    EXPECT_EQ(std::memcmp(seen.parameters.data(), &params, sizeof params), 0);
    EXPECT_EQ(seen.grid[0] + 10 * seen.grid[1] + 100 * seen.grid[2], 543u);
    EXPECT_EQ(seen.block[0], 32u);
    EXPECT_EQ(seen.block[1], 2u);
    EXPECT_EQ(seen.shared_bytes, 256u);
    EXPECT_FALSE(seen.cooperative);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(seen.stream), stream_->handle());
}

TEST_F(Launches, KernelWithoutParameters) {
    int runs = 0;
    fake_cuda::settings().kernels["nop_symbol"] = [&](const fake_cuda::Launch&) {
        ++runs;
        return CUDA_SUCCESS;
    };
    auto nop = kernel("nop");
    stream_->launch(*nop, {}, {});
    stream_->synchronize();
    EXPECT_EQ(runs, 1);
}

TEST_F(Launches, CooperativeAndClusterAttributes) {
    fake_cuda::Launch seen;
    fake_cuda::settings().kernels["both_symbol"] = [&](const fake_cuda::Launch& launch) {
        seen = launch;
        return CUDA_SUCCESS;
    };
    auto both = kernel("both");
    LaunchConfig config{{8, 4, 1}, {128, 1, 1}};
    config.cooperative = true;
    config.cluster = {4, 2, 1};
    stream_->launch(*both, config, {});
    stream_->synchronize();
    EXPECT_TRUE(seen.cooperative);
    EXPECT_EQ(seen.cluster[0], 4u);
    EXPECT_EQ(seen.cluster[1], 2u);
    EXPECT_EQ(seen.cluster[2], 1u);
}

TEST_F(Launches, EntryThatSynchronisesTheGridIsLaunchedCooperatively) {
    bool cooperative = false;
    fake_cuda::settings().kernels["grid_symbol"] = [&](const fake_cuda::Launch& launch) {
        cooperative = launch.cooperative;
        return CUDA_SUCCESS;
    };
    EntryPoint described = entry("grid");
    described.cooperative = true;
    auto grid = device_->load(image("kernel grid_symbol 0 0\n", {described}))->kernel("grid_symbol");
    stream_->launch(*grid, {}, {});
    stream_->synchronize();
    EXPECT_TRUE(cooperative);
}

TEST_F(Launches, ClustersAboveEightBlocksAreOptedIn) {
    auto wide = kernel("wide");
    LaunchConfig config{{16, 1, 1}, {32, 1, 1}};
    config.cluster = {16, 1, 1};
    EXPECT_NO_THROW(stream_->launch(*wide, config, {}));
}

TEST_F(Launches, LargeDynamicSharedMemoryIsOptedInOnce) {
    auto big = kernel("big", 0, 1024);
    LaunchConfig config{{1, 1, 1}, {32, 1, 1}, 100000};
    fake_cuda::take_calls();
    stream_->launch(*big, config, {});
    EXPECT_TRUE(called(fake_cuda::take_calls(), "cuFuncSetAttribute"));
    config.dynamic_shared_bytes = 232448 - 1024;
    stream_->launch(*big, config, {});
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuFuncSetAttribute"));
}

TEST_F(Launches, DynamicSharedMemoryAboveTheMaximumNamesTheLimit) {
    auto big = kernel("big", 0, 1024);
    Error error = error_of([&] { stream_->launch(*big, {{1, 1, 1}, {32, 1, 1}, 232448}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'big'", "232448 bytes", "at most 231424", "1024");
}

TEST_F(Launches, RefusedConfigurationsNameTheLimit) {
    auto k = kernel("k", 4);
    int n = 1;
    auto launch = [&](LaunchConfig config) { stream_->launch(*k, config, as_params(n)); };
    Error error = error_of([&] { launch({{1, 1, 1}, {2048, 1, 1}}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'k'", "2048", "1024");
    error = error_of([&] { launch({{0, 1, 1}, {32, 1, 1}}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "grid", "0");
    error = error_of([&] { launch({{1, 1, 1}, {1, 1, 128}}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "dimension z", "64");
    error = error_of([&] { stream_->launch(*k, {}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "0 bytes of packed parameters", "takes 4");
}

TEST_F(Launches, RefusalsThatDependOnTheKernel) {
    auto hungry = device_->load(image("kernel hungry 0 0\n"))->kernel("hungry");
    Error error = error_of([&] { stream_->launch(*hungry, {{1, 1, 1}, {1024, 1, 1}}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'hungry'", "1024 threads", "512");
    auto grid = kernel("grid");
    LaunchConfig config{{1000, 1, 1}, {1024, 1, 1}};
    config.cooperative = true;
    error = error_of([&] { stream_->launch(*grid, config, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "cooperative", "1000 blocks", "room for 264");
    config = {{32, 1, 1}, {32, 1, 1}};
    config.cluster = {32, 1, 1};
    error = error_of([&] { stream_->launch(*grid, config, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "cluster", "32");
}

TEST_F(Launches, OtherDriverErrorsShowTheLaunch) {
    auto k = kernel("k");
    fake_cuda::settings().failures["cuLaunchKernel"] = CUDA_ERROR_UNKNOWN;
    Error error = error_of([&] { stream_->launch(*k, {{7, 1, 1}, {96, 1, 1}}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_EQ(error.code, 999);
    EXPECT_SAYS(error, "'k'", "grid (7, 1, 1)", "block (96, 1, 1)", "cuLaunchKernel");
}

TEST_F(Launches, KernelOfAnotherDeviceIsRefused) {
    auto other = devices_[1]->load(image("kernel k 0 0\n"))->kernel("k");
    Error error = error_of([&] { stream_->launch(*other, {}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'k'", "cuda:0");
}

TEST_F(Launches, ASteppedOnDeviceNamesTheLastKernelsAndWhatIsLeft) {
    fake_cuda::settings().kernels["stray_symbol"] = [](const fake_cuda::Launch&) { return CUDA_ERROR_ILLEGAL_ADDRESS; };
    auto fine = kernel("fine"), stray = kernel("stray");
    stream_->launch(*fine, {}, {});
    stream_->launch(*stray, {}, {});
    Error error = error_of([&] { stream_->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_EQ(error.code, 700);
    EXPECT_SAYS(error, "cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "stray (cuda:0), fine (cuda:0)",
                "restart the process", "host memory is intact");
    // Later calls refer to the first report instead of blaming the call that met it.
    error = error_of([&] { device_->allocate(MemoryKind::Device, 64); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_SAYS(error, "cuMemAlloc", "earlier fault", "cuStreamSynchronize");
    error = error_of([&] { stream_->launch(*fine, {}, {}); });
    EXPECT_SAYS(error, "earlier fault");
}

}  // namespace
}  // namespace lanewise
