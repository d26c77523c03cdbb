// Limits, preferences, peers and profiling of a device's context, and its linker.
#include "backend/cuda/driver_types.h"
#include "fixture.h"

namespace lanewise {
namespace {

using ContextSettings = CudaTest;
using namespace cuda;

TEST_F(ContextSettings, LimitsAreTheDriversAndEachDeviceHasItsOwn) {
    device_->set_limit(DeviceLimit::MallocHeapSize, 1 << 24);
    EXPECT_EQ(device_->limit(DeviceLimit::MallocHeapSize), std::size_t{1} << 24);
    EXPECT_NE(devices_[1]->limit(DeviceLimit::MallocHeapSize), std::size_t{1} << 24);
    fake_cuda::settings().failures["cuCtxSetLimit"] = CUDA_ERROR_UNSUPPORTED_LIMIT;
    Error error = error_of([&] { device_->set_limit(DeviceLimit::StackSize, 1); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_EQ(error.code, CUDA_ERROR_UNSUPPORTED_LIMIT);
    EXPECT_SAYS(error, "cuCtxSetLimit");
}

TEST_F(ContextSettings, PreferencesAndPrioritiesAreTheDrivers) {
    device_->set_cache_preference(CachePreference::L1);
    EXPECT_EQ(device_->cache_preference(), CachePreference::L1);
    EXPECT_EQ(devices_[1]->cache_preference(), CachePreference::None);
    EXPECT_EQ(device_->stream_priorities(), (std::pair<int, int>{0, -5}));
    EXPECT_NE(device_->context_handle(), devices_[1]->context_handle());
    EXPECT_EQ(device_->context_version(), 3020);
}

TEST_F(ContextSettings, AttributesWithoutARowAreAskedOfTheDriver) {
    EXPECT_EQ(device_->attribute(static_cast<DeviceAttribute>(10)), 32);
    fake_cuda::settings().failures["cuDeviceGetAttribute"] = CUDA_ERROR_INVALID_VALUE;
    EXPECT_EQ(error_of([&] { device_->attribute(static_cast<DeviceAttribute>(9999)); }).code, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ContextSettings, PeersAreEnabledOnce) {
    Device& peer = *devices_[1];
    EXPECT_TRUE(device_->can_access_peer(peer));
    EXPECT_FALSE(device_->can_access_peer(*device_));
    EXPECT_FALSE(device_->can_access_peer(cpu_device()));
    device_->enable_peer_access(peer);
    EXPECT_EQ(error_of([&] { device_->enable_peer_access(peer); }).code, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    device_->disable_peer_access(peer);
    EXPECT_EQ(error_of([&] { device_->disable_peer_access(peer); }).code, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    Error error = error_of([&] { device_->enable_peer_access(cpu_device()); });
    EXPECT_EQ(error.kind(), ErrorKind::NotImplemented);
    EXPECT_SAYS(error, "cpu", "cuda:0");
}

TEST_F(ContextSettings, TheProfilerIsToldWhenToRecord) {
    device_->start_profiler();
    EXPECT_TRUE(fake_cuda::is_profiling());
    device_->stop_profiler();
    EXPECT_FALSE(fake_cuda::is_profiling());
}

TEST_F(ContextSettings, ManagedMemoryIsAttachedAsAWhole) {
    void* managed = device_->allocate(MemoryKind::Managed, 4096);
    stream_->attach(managed, ManagedUse::SingleStream);
    device_->release(MemoryKind::Managed, managed);
    void* memory = device_->allocate(MemoryKind::Device, 4096);
    EXPECT_EQ(error_of([&] { stream_->attach(memory, ManagedUse::Global); }).code, CUDA_ERROR_INVALID_VALUE);
    device_->release(MemoryKind::Device, memory);
}

TEST_F(ContextSettings, PartsAreLinkedToOneImage) {
    auto linker = device_->create_linker({.max_registers = 32, .verbose = true});
    const std::string ptx = "kernel add_symbol 4 0\n", library = "archive";
    auto bytes = [](const std::string& text) {
        return std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    };
    linker->add(LinkInput::Ptx, bytes(ptx), "add.ptx");
    linker->add(LinkInput::Library, bytes(library), "lib.a");
    Image linked = linker->complete();
    EXPECT_EQ(linked.format, ImageFormat::Cubin);
    EXPECT_EQ(fake_cuda::take_linked_libraries(), std::vector<std::string>{library});
    EXPECT_EQ(fake_cuda::link_options()[CU_JIT_MAX_REGISTERS], 32u);
    EXPECT_NE(linker->information().find("12 bytes spill stores"), std::string::npos);
    EXPECT_NE(device_->load(linked)->kernel("add_symbol"), nullptr);

    auto refusing = device_->create_linker({});
    Error error = error_of([&] { refusing->add(LinkInput::Ptx, bytes("nonsense\n"), "bad.ptx"); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_EQ(error.code, CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(refusing->errors(), "ptxas fatal: line 1");
}

}  // namespace
}  // namespace lanewise
