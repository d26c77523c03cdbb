#include "fixture.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

using Modules = CudaTest;
using namespace cuda;

TEST_F(Modules, UnknownKernelListsTheNames) {
    auto described =
        device_->load(image("kernel add_symbol 4 0\nkernel mul_symbol 4 0\n", {entry("add", 4), entry("mul", 4)}));
    Error error = error_of([&] { described->kernel("sub"); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'sub'", "add_symbol, mul_symbol");
    // Without a description the driver is asked.
    auto plain = device_->load(image("kernel alpha 4 0\nkernel beta 4 0\n"));
    error = error_of([&] { plain->kernel("gamma"); });
    EXPECT_SAYS(error, "alpha, beta");
}

TEST_F(Modules, KernelWithoutDescriptionIsDescribedByTheDriver) {
    auto k = device_->load(image("kernel raw 12 512\n"))->kernel("raw");
    EXPECT_EQ(k->entry().parameter_bytes, 12u);
    EXPECT_EQ(k->entry().parameter_offsets, (std::vector<std::uint32_t>{0, 4, 8}));
    EXPECT_EQ(k->entry().parameter_sizes, (std::vector<std::uint32_t>{4, 4, 4}));
    EXPECT_EQ(k->entry().static_shared_bytes, 512u);
    EXPECT_EQ(k->entry().display_name, "raw");
}

TEST_F(Modules, KernelKeepsTheModuleAndIsMadeOnce) {
    auto module = device_->load(image("kernel raw 0 0\n"));
    auto k = module->kernel("raw");
    EXPECT_EQ(module->kernel("raw"), k);
    EXPECT_EQ(k->module(), module);
    std::weak_ptr<Module> watched = module;
    module.reset();
    EXPECT_FALSE(watched.expired());
    fake_cuda::take_calls();
    k.reset();
    EXPECT_TRUE(watched.expired());
    EXPECT_TRUE(called(fake_cuda::take_calls(), "cuModuleUnload"));
}

TEST_F(Modules, GlobalsHaveAddressAndSize) {
    auto module = device_->load(image("global table 40\n"));
    auto [address, bytes] = module->global("table");
    EXPECT_NE(address, nullptr);
    EXPECT_EQ(bytes, 40u);
    Error error = error_of([&] { module->global("chair"); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'chair'");
}

TEST_F(Modules, RefusedCodeCarriesTheLog) {
    Error error = error_of([&] { device_->load(image("kernel k 0 0\nnonsense\n", {entry("k")})); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_EQ(error.log, "ptxas fatal: line 2");
    EXPECT_SAYS(error, "cuModuleLoadDataEx", "of kernel k", "sm_90a", "ptxas fatal: line 2");
    error = error_of([&] { device_->link(image("nonsense\n"), {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_EQ(error.log, "ptxas fatal: line 1");
}

TEST_F(Modules, LinkTurnsPtxIntoACubinThatLoads) {
    Image source = image("kernel add_symbol 4 0\n", {entry("add", 4)});
    source.assembly = "kept";
    Image linked = device_->link(source, {});
    EXPECT_EQ(linked.format, ImageFormat::Cubin);
    EXPECT_EQ(linked.target, "sm_90a");
    EXPECT_EQ(linked.assembly, "kept");
    EXPECT_EQ(linked.entries.size(), 1u);
    EXPECT_TRUE(linked.warnings.empty());
    EXPECT_EQ(std::string(linked.bytes.begin(), linked.bytes.begin() + 5), "cubin");
    // A cubin needs no linking, and PTX need not end with a NUL.
    EXPECT_EQ(device_->link(linked, {}).bytes, linked.bytes);
    source.bytes.pop_back();
    EXPECT_EQ(device_->link(source, {}).bytes, linked.bytes);
    EXPECT_NO_THROW(device_->load(linked)->kernel("add_symbol"));
}

TEST_F(Modules, LinkOptionsReachTheDriver) {
    Image source = image("kernel add_symbol 4 0\n", {entry("add", 4)});
    device_->link(source, {});
    auto options = fake_cuda::link_options();
    EXPECT_EQ(options.at(CU_JIT_OPTIMIZATION_LEVEL), 4u);
    EXPECT_FALSE(options.contains(CU_JIT_MAX_REGISTERS) || options.contains(CU_JIT_GENERATE_LINE_INFO) ||
                 options.contains(CU_JIT_GENERATE_DEBUG_INFO));
    LinkOptions chosen;
    chosen.max_registers = 24;
    chosen.opt_level = 1;
    chosen.line_info = true;
    Image linked = device_->link(source, chosen);
    options = fake_cuda::link_options();
    EXPECT_EQ(options.at(CU_JIT_OPTIMIZATION_LEVEL), 1u);
    EXPECT_EQ(options.at(CU_JIT_MAX_REGISTERS), 24u);
    EXPECT_EQ(options.at(CU_JIT_GENERATE_LINE_INFO), 1u);
    EXPECT_FALSE(options.contains(CU_JIT_GENERATE_DEBUG_INFO));
    LinkOptions debug;
    debug.debug = true;
    device_->link(source, debug);
    EXPECT_EQ(fake_cuda::link_options().at(CU_JIT_GENERATE_DEBUG_INFO), 1u);
    EXPECT_FALSE(fake_cuda::link_options().contains(CU_JIT_OPTIMIZATION_LEVEL));
    // A bound on the registers that makes the kernel spill is worth a warning.
    ASSERT_EQ(linked.warnings.size(), 1u);
    EXPECT_EQ(linked.warnings[0],
              "kernel add: 12 bytes of registers are stored to and 20 bytes loaded from local memory, because of "
              "max_registers=24");
}

TEST_F(Modules, TheDeviceRuntimeIsLinkedWhereCodeCallsIt) {
    ScopedFolder folder;
    ScopedEnvironment environment;
    environment.set("CUDA_HOME", folder.path());
    folder.put("lib64/libcudadevrt.a", "!<arch>");
    fake_cuda::take_linked_libraries();
    device_->link(image("kernel k 0 0\n.extern .func (.param .b32 r) vprintf\n"), {});
    EXPECT_TRUE(fake_cuda::take_linked_libraries().empty());
    device_->link(image("kernel k 0 0\n.extern .func (.param .b32 r) cudaLaunchDeviceV2\n"), {});
    EXPECT_EQ(fake_cuda::take_linked_libraries(), std::vector<std::string>{"!<arch>"});
}

TEST_F(Modules, HostImagesAreRefused) {
    Image host;
    host.format = ImageFormat::HostObject;
    host.target = "x86_64";
    EXPECT_SAYS(error_of([&] { device_->load(host); }), "x86_64", "cuda:0");
    EXPECT_SAYS(error_of([&] { device_->link(host, {}); }), "x86_64", "cuda:0");
}

TEST_F(Modules, AttributesAreReadAndSet) {
    auto k = kernel("k", 0, 2048);
    EXPECT_EQ(k->attribute(KernelAttribute::StaticSharedBytes), 2048);
    EXPECT_EQ(k->attribute(KernelAttribute::Registers), 40);
    EXPECT_EQ(k->attribute(KernelAttribute::MaxDynamicSharedBytes), 49152 - 2048);
    k->set_attribute(KernelAttribute::MaxDynamicSharedBytes, 60000);
    EXPECT_EQ(k->attribute(KernelAttribute::MaxDynamicSharedBytes), 60000);
    k->set_attribute(KernelAttribute::PreferredSharedCarveout, 75);
    EXPECT_EQ(k->attribute(KernelAttribute::PreferredSharedCarveout), 75);
}

TEST_F(Modules, AttributesOutOfRangeAreRefused) {
    auto k = kernel("k", 0, 2048);
    Error error = error_of([&] { k->set_attribute(KernelAttribute::MaxDynamicSharedBytes, 232448); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "'k'", "232448", "230400");
    EXPECT_EQ(error_of([&] { k->set_attribute(KernelAttribute::MaxDynamicSharedBytes, -1); }).kind(), ErrorKind::Value);
    EXPECT_SAYS(error_of([&] { k->set_attribute(KernelAttribute::PreferredSharedCarveout, 101); }), "101",
                "percentage");
    EXPECT_SAYS(error_of([&] { k->set_attribute(KernelAttribute::Registers, 32); }), "can be set");
}

TEST_F(Modules, OccupancyKnowsLargeSharedMemory) {
    auto k = kernel("k");
    EXPECT_EQ(k->max_active_blocks(256, 0), 8);
    EXPECT_EQ(k->max_active_blocks(256, 100000), 8);
    EXPECT_EQ(k->max_active_blocks(256, 300000), 0);
    EXPECT_EQ(k->suggested_block_and_grid(0, 512), (std::pair<int, int>{512, 264}));
}

}  // namespace
}  // namespace lanewise
