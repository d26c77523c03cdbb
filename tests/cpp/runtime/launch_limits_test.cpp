#include "runtime/launch_limits.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

class CheckLaunch : public ::testing::Test {
protected:
    CheckLaunch() {
        limits.block = {1024, 1024, 64};
        limits.grid = {2147483647, 65535, 65535};
        limits.threads_per_block = 1024;
        limits.shared_bytes = 49152;
        limits.shared_bytes_optin = 232448;
        entry.name = "k_1";
        entry.display_name = "k";
        entry.parameter_bytes = 8;
        config.grid = {4, 1, 1};
        config.block = {256, 1, 1};
    }
    std::string refusal() {
        try {
            check_launch(limits, "cuda:0", entry, max_threads, max_dynamic, config, parameter_bytes);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value);
            return error.what();
        }
        return "";
    }

    LaunchLimits limits;
    EntryPoint entry;
    LaunchConfig config;
    std::uint64_t max_threads = 1024, max_dynamic = 49152;
    std::size_t parameter_bytes = 8;
};

TEST_F(CheckLaunch, AcceptsTheLimitsThemselves) {
    EXPECT_EQ(refusal(), "");
    config.block = {16, 1, 64};
    config.grid = {2147483647, 65535, 65535};
    config.dynamic_shared_bytes = 49152;
    EXPECT_EQ(refusal(), "");
}

TEST_F(CheckLaunch, NamesTheBlockDimension) {
    config.block = {1, 1, 65};
    EXPECT_EQ(refusal(),
              "launch of kernel 'k': block (1, 1, 65) has 65 threads in dimension z; cuda:0 allows at most 64");
}

TEST_F(CheckLaunch, NamesTheGridDimension) {
    config.grid = {1, 65536, 1};
    EXPECT_EQ(refusal(),
              "launch of kernel 'k': grid (1, 65536, 1) has 65536 blocks in dimension y; cuda:0 allows at most 65535");
}

TEST_F(CheckLaunch, RefusesZero) {
    config.block.y = 0;
    EXPECT_EQ(refusal(), "launch of kernel 'k': block (256, 0, 1) has 0 threads in dimension y; it needs at least 1");
    config.block.y = 1;
    config.grid.x = 0;
    EXPECT_EQ(refusal(), "launch of kernel 'k': grid (0, 1, 1) has 0 blocks in dimension x; it needs at least 1");
}

TEST_F(CheckLaunch, CountsTheThreadsOfABlock) {
    config.block = {32, 33, 1};
    EXPECT_EQ(refusal(),
              "launch of kernel 'k': block (32, 33, 1) has 1056 threads; cuda:0 allows at most 1024 threads per block");
    config.block = {512, 1, 1};
    max_threads = 256;
    EXPECT_EQ(
        refusal(),
        "launch of kernel 'k': block (512, 1, 1) has 512 threads; this kernel allows at most 256 threads per block");
}

TEST_F(CheckLaunch, SaysHowToGetMoreSharedMemory) {
    entry.static_shared_bytes = 1000;
    max_dynamic = 48152;
    config.dynamic_shared_bytes = 48153;
    std::string text = refusal();
    EXPECT_NE(text.find("48153 bytes of dynamic shared memory"), std::string::npos) << text;
    EXPECT_NE(text.find("at most 48152 beside the kernel's 1000 bytes of static"), std::string::npos) << text;
    EXPECT_NE(text.find("max_dynamic_shared_size_bytes raises this to at most 231448"), std::string::npos) << text;
    max_dynamic = 231448;
    EXPECT_EQ(refusal(), "");
    config.dynamic_shared_bytes = 231449;
    EXPECT_EQ(refusal().find("raises this"), std::string::npos);
}

TEST_F(CheckLaunch, ChecksClusters) {
    config.cluster = {2, 1, 1};
    EXPECT_EQ(refusal(), "");
    config.cluster = {3, 1, 1};
    EXPECT_EQ(refusal(),
              "launch of kernel 'k': grid (4, 1, 1) is no multiple of the cluster (3, 1, 1) in every dimension");
    config.cluster = {4, 4, 1};
    EXPECT_EQ(refusal(), "launch of kernel 'k': cluster (4, 4, 1) has 16 blocks; cuda:0 allows at most 8");
    config.cluster = {2, 0, 1};
    EXPECT_NE(refusal().find("dimension of 0"), std::string::npos);
    limits.cluster_blocks = 0;
    config.cluster = {2, 1, 1};
    EXPECT_NE(refusal().find("cuda:0 has no thread block clusters"), std::string::npos);
}

TEST_F(CheckLaunch, ComparesTheParameterBytes) {
    parameter_bytes = 12;
    EXPECT_EQ(refusal(), "launch of kernel 'k': 12 bytes of packed parameters given; the kernel takes 8");
}

}  // namespace
}  // namespace lanewise
