#include <dirent.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "test_kernels.h"

namespace lanewise {
namespace {

using testing_kernels::error_of;
using testing_kernels::image;

TEST(CpuModule, FindsKernelsAndGlobals) {
    auto module = cpu_device().load(image());
    auto kernel = module->kernel("scale");
    EXPECT_EQ(kernel->entry().parameter_bytes, 32u);
    EXPECT_EQ(kernel->module(), module);
    EXPECT_EQ(module->kernel("scale"), kernel);
    auto [address, bytes] = module->global("table");
    EXPECT_EQ(bytes, 12u);
    EXPECT_EQ(static_cast<std::int32_t*>(address)[2], 30);
}

TEST(CpuModule, ModulesHaveGlobalsOfTheirOwn) {
    auto first = cpu_device().load(image()), second = cpu_device().load(image());
    EXPECT_NE(first->global("table").first, second->global("table").first);
    static_cast<std::int32_t*>(first->global("table").first)[0] = 99;
    EXPECT_EQ(static_cast<std::int32_t*>(second->global("table").first)[0], 10);
}

TEST(CpuModule, NamesWhatThereIs) {
    auto module = cpu_device().load(image());
    Error error = error_of([&] { module->kernel("scael"); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_NE(std::string(error.what()).find("no kernel 'scael'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("'scale', 'append'"), std::string::npos) << error.what();
    for (const char* name : {"nothing", "scale", "printf"})
        EXPECT_EQ(error_of([&] { module->global(name); }).kind(), ErrorKind::Value) << name;
}

TEST(CpuModule, RefusesImagesForSomethingElse) {
    Image other = image();
    other.target = "sm_90a";
    EXPECT_NE(std::string(error_of([&] { cpu_device().load(other); }).what()).find("for 'sm_90a'"), std::string::npos);
    other.format = ImageFormat::Ptx;
    EXPECT_NE(std::string(error_of([&] { cpu_device().load(other); }).what()).find("host objects only"),
              std::string::npos);
}

TEST(CpuModule, RefusesWhatIsNoSharedObject) {
    Image broken = image();
    broken.bytes.resize(100);
    Error error = error_of([&] { cpu_device().load(broken); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_NE(std::string(error.what()).find("cannot load image 'scale'"), std::string::npos) << error.what();
}

TEST(CpuModule, RefusesMissingEntries) {
    Image missing = image();
    missing.entries[0].name = "not_exported";
    EXPECT_NE(std::string(error_of([&] { cpu_device().load(missing); }).what()).find("'not_exported'"),
              std::string::npos);
}

std::size_t count_mapped() {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> inodes;
    for (std::string line; std::getline(maps, line);)
        if (line.find("lanewise:") != std::string::npos) inodes.insert(line.substr(line.find(" 00:") + 1, 30));
    return inodes.size();
}

std::size_t count_open_files() {
    std::size_t count = 0;
    DIR* directory = opendir("/proc/self/fd");
    while (readdir(directory)) ++count;
    closedir(directory);
    return count;
}

TEST(CpuModule, IsUnloadedAfterItsLastLaunch) {
    testing_kernels::kernel("scale");
    std::size_t mapped = count_mapped(), files = count_open_files();
    auto stream = cpu_device().create_stream(false);
    float in = 2, out = 0;
    {
        testing_kernels::Gate gate(*stream);
        for (int i = 0; i < 20; ++i) {
            auto kernel = cpu_device().load(image())->kernel("scale");
            stream->launch(*kernel, LaunchConfig{{1}, {1}}, testing_kernels::pack(&out, &in, 4.0, std::int64_t{1}));
        }
        EXPECT_EQ(count_mapped(), mapped + 20);
        EXPECT_EQ(count_open_files(), files);
    }
    stream->synchronize();
    EXPECT_EQ(out, 8);
    EXPECT_EQ(count_mapped(), mapped);
}

TEST(CpuKernel, AnswersQueries) {
    auto kernel = testing_kernels::kernel("use_scratch");
    EXPECT_EQ(kernel->attribute(KernelAttribute::StaticSharedBytes), 16);
    EXPECT_EQ(kernel->attribute(KernelAttribute::MaxThreadsPerBlock), 1024);
    EXPECT_EQ(kernel->attribute(KernelAttribute::MaxDynamicSharedBytes), 48 * 1024 - 16);
    EXPECT_EQ(kernel->max_active_blocks(1024, 0), 2);
    EXPECT_EQ(kernel->max_active_blocks(33, 0), 32);
    EXPECT_EQ(kernel->max_active_blocks(128, 100 * 1024), 2);
    EXPECT_EQ(kernel->max_active_blocks(1025, 0), 0);
    EXPECT_EQ(kernel->max_active_blocks(32, 228 * 1024), 0);
    auto [block, grid] = kernel->suggested_block_and_grid(0, 0);
    EXPECT_GE(block, 32);
    EXPECT_GE(grid, 1);
    EXPECT_EQ(kernel->suggested_block_and_grid(0, 64).first, 64);
}

}  // namespace
}  // namespace lanewise
