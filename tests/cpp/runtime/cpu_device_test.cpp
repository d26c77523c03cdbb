#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "lanewise/buffer.h"
#include "test_kernels.h"

namespace lanewise {
namespace {

using testing_kernels::error_of;

TEST(CpuDevice, PresentsItself) {
    Device& device = cpu_device();
    EXPECT_EQ(device.kind(), DeviceKind::Cpu);
    EXPECT_EQ(device.name(), "cpu");
    EXPECT_FALSE(device.model().empty());
    EXPECT_EQ(device.uuid().size(), 16u);
    EXPECT_EQ(device.uuid(), cpu_device().uuid());
    EXPECT_EQ(device.attribute(DeviceAttribute::WarpSize), 32);
    EXPECT_EQ(device.attribute(DeviceAttribute::MaxThreadsPerBlock), 1024);
    EXPECT_EQ(device.attribute(DeviceAttribute::ComputeCapabilityMajor), 9);
    EXPECT_GE(device.attribute(DeviceAttribute::MultiprocessorCount), 1);
    EXPECT_EQ(device.attribute(DeviceAttribute::PciBusId), 0);
    MemoryInfo memory = device.memory_info();
    EXPECT_GT(memory.total, 0u);
    EXPECT_LE(memory.free, memory.total);
}

TEST(CpuDevice, AnswersZeroToAttributesItHasNoNotionOf) {
    Device& device = cpu_device();
    EXPECT_EQ(device.attribute(DeviceAttribute::TexturePitchAlignment), 32);
    EXPECT_EQ(device.attribute(DeviceAttribute::EccEnabled), 0);
    EXPECT_EQ(device.attribute(static_cast<DeviceAttribute>(30000)), 0);
}

TEST(CpuDevice, KeepsLimitsAndPreferences) {
    Device& device = cpu_device();
    EXPECT_EQ(device.limit(DeviceLimit::StackSize), 1024u);
    device.set_limit(DeviceLimit::MallocHeapSize, 12345);
    EXPECT_EQ(device.limit(DeviceLimit::MallocHeapSize), 12345u);
    device.set_cache_preference(CachePreference::Equal);
    EXPECT_EQ(device.cache_preference(), CachePreference::Equal);
    device.set_cache_preference(CachePreference::None);
    EXPECT_EQ(device.stream_priorities(), (std::pair<int, int>{0, -5}));
    EXPECT_NE(device.context_handle(), 0u);
    device.default_stream()->attach(nullptr, ManagedUse::Host);
    device.start_profiler();
    device.stop_profiler();
}

TEST(CpuDevice, SaysWhatItDoesNotHave) {
    Device& device = cpu_device();
    EXPECT_FALSE(device.can_access_peer(device));
    int local = 0;
    const std::function<void()> calls[] = {
        [&] { device.enable_peer_access(device); }, [&] { device.disable_peer_access(device); },
        [&] { device.allocation_at(&local); },      [&] { device.name_allocation(&local); },
        [&] { device.open_allocation({}); },        [&] { device.create_linker({}); },
    };
    for (const auto& call : calls) {
        Error error = error_of(call);
        EXPECT_EQ(error.kind(), ErrorKind::NotImplemented);
        EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos) << error.what();
    }
}

TEST(CpuDevice, TargetListsTheFeaturesOfTheProcessor) {
    std::string target = cpu_device().target();
#if defined(__x86_64__)
    EXPECT_EQ(target.find("x86_64"), 0u);
    __builtin_cpu_init();
    auto listed = [&](const char* feature) {
        return (target + ",").find(std::string("+") + feature + ",") != std::string::npos;
    };
    EXPECT_EQ(listed("avx2"), static_cast<bool>(__builtin_cpu_supports("avx2")));
    EXPECT_EQ(listed("fma"), static_cast<bool>(__builtin_cpu_supports("fma")));
    EXPECT_EQ(listed("avx512f"), static_cast<bool>(__builtin_cpu_supports("avx512f")));
    EXPECT_EQ(listed("avx512vl"), static_cast<bool>(__builtin_cpu_supports("avx512vl")));
    EXPECT_EQ(listed("sse4.2"), static_cast<bool>(__builtin_cpu_supports("sse4.2")));
#elif defined(__aarch64__)
    EXPECT_EQ(target.find("aarch64"), 0u);
#endif
}

TEST(CpuDevice, MemoryIsAlignedAndAddressable) {
    Device& device = cpu_device();
    for (MemoryKind kind : {MemoryKind::Device, MemoryKind::Pinned, MemoryKind::Mapped, MemoryKind::Managed}) {
        void* memory = device.allocate(kind, 100000);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 512, 0u);
        std::memset(memory, 1, 100000);
        EXPECT_TRUE(device.owns_address(memory));
        EXPECT_EQ(device.device_address(memory), memory);
        device.release(kind, memory);
    }
    int local = 0;
    EXPECT_TRUE(device.owns_address(&local));
    EXPECT_FALSE(device.owns_address(nullptr));
    EXPECT_FALSE(device.owns_address(reinterpret_cast<void*>(std::uintptr_t{16})));
}

TEST(CpuDevice, RefusesMoreMemoryThanThereIs) {
    for (std::size_t bytes : {cpu_device().memory_info().total * 2, SIZE_MAX}) {
        Error error = error_of([&] { cpu_device().allocate(MemoryKind::Device, bytes); });
        EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
        EXPECT_NE(std::string(error.what()).find(std::to_string(bytes)), std::string::npos) << error.what();
    }
    EXPECT_EQ(error_of([] { Buffer::create(cpu_device().default_stream(), SIZE_MAX); }).kind(), ErrorKind::OutOfMemory);
}

TEST(Registry, ListsTheCpuDeviceLast) {
    ASSERT_FALSE(devices().empty());
    EXPECT_EQ(devices().back(), &cpu_device());
    for (std::size_t i = 0; i + 1 < devices().size(); ++i) EXPECT_EQ(devices()[i]->name(), "cuda:" + std::to_string(i));
    EXPECT_EQ(cuda_unavailable_reason().empty(), devices().size() > 1);
}

TEST(Registry, FindsDevicesByName) {
    EXPECT_EQ(&device_by_name("cpu"), &cpu_device());
    Error error = error_of([] { device_by_name("cuda:99"); });
    EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
    EXPECT_NE(std::string(error.what()).find("no device 'cuda:99'; there is "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("cpu"), std::string::npos) << error.what();
    for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "", "CPU"}) {
        error = error_of([&] { device_by_name(name); });
        EXPECT_NE(std::string(error.what()).find("expected \"cpu\", \"cuda\" or \"cuda:N\""), std::string::npos)
            << name;
    }
}

TEST(Registry, TheCurrentStreamIsTheThreadsOwnChoice) {
    Device& device = cpu_device();
    EXPECT_EQ(current_stream(device), device.default_stream());
    auto mine = device.create_stream();
    set_current_stream(mine);
    EXPECT_EQ(current_stream(device), mine);
    std::thread([&] { EXPECT_EQ(current_stream(device), device.default_stream()); }).join();
    set_current_stream(device.default_stream());
    EXPECT_EQ(current_stream(device), device.default_stream());
    EXPECT_THROW(set_current_stream(nullptr), Error);
}

TEST(Registry, TheEnvironmentChoosesTheFirstDevice) {
    const char* before = std::getenv("LANEWISE_DEVICE");
    std::string saved = before ? before : "";
    setenv("LANEWISE_DEVICE", "cpu", 1);
    std::thread([] { EXPECT_EQ(&current_device(), &cpu_device()); }).join();
    setenv("LANEWISE_DEVICE", "tpu", 1);
    std::thread([] {
        Error error = error_of([] { current_device(); });
        EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
        EXPECT_EQ(std::string(error.what()).find("LANEWISE_DEVICE=tpu: "), 0u) << error.what();
        set_current_device(cpu_device());
        EXPECT_EQ(&current_device(), &cpu_device());
    }).join();
    if (before)
        setenv("LANEWISE_DEVICE", saved.c_str(), 1);
    else
        unsetenv("LANEWISE_DEVICE");
}

}  // namespace
}  // namespace lanewise
