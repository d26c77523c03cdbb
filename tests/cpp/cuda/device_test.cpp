#include "fixture.h"
#include "lanewise/buffer.h"

namespace lanewise {
namespace {

using Cuda = CudaTest;
using namespace cuda;

TEST_F(Cuda, DeviceTellsWhatItIs) {
    EXPECT_EQ(device_->kind(), DeviceKind::Cuda);
    EXPECT_EQ(devices_[1]->name(), "cuda:1");
    EXPECT_EQ(devices_[1]->model(), "Fake GPU 1");
    EXPECT_EQ(devices_[1]->ordinal(), 1);
    EXPECT_EQ(devices_[1]->uuid(), std::string(16, '\2'));
    EXPECT_EQ(device_->attribute(DeviceAttribute::MultiprocessorCount), 132);
    EXPECT_EQ(device_->attribute(DeviceAttribute::MaxSharedPerBlockOptin), 232448);
    EXPECT_EQ(device_->memory_info().total, std::size_t(1) << 30);
}

TEST_F(Cuda, TargetFollowsTheComputeCapability) {
    const std::pair<std::pair<int, int>, const char*> cases[] = {
        {{7, 5}, "sm_75"}, {{8, 6}, "sm_86"}, {{9, 0}, "sm_90a"}, {{10, 0}, "sm_100a"}, {{12, 0}, "sm_120a"}};
    for (auto& [capability, target] : cases) {
        fake_cuda::settings().compute_major = capability.first;
        fake_cuda::settings().compute_minor = capability.second;
        std::string reason;
        EXPECT_EQ(backend::cuda_devices(reason)[0]->target(), target);
    }
}

TEST_F(Cuda, ContextOfSomebodyElseComesBackAfterACall) {
    CUcontext theirs = fake_cuda::foreign_context();
    fake_cuda::set_current_context(theirs);
    void* memory = device_->allocate(MemoryKind::Device, 64);
    EXPECT_EQ(fake_cuda::current_context(), theirs);
    device_->release(MemoryKind::Device, memory);
    device_->make_current();
    EXPECT_NE(fake_cuda::current_context(), theirs);
}

TEST_F(Cuda, ContextStaysWhereThereWasNone) {
    fake_cuda::set_current_context(nullptr);
    device_->memory_info();
    EXPECT_NE(fake_cuda::current_context(), nullptr);
}

TEST_F(Cuda, OutOfMemoryNamesSizesAndDevice) {
    Error error = error_of([&] { device_->allocate(MemoryKind::Device, std::size_t(2) << 30); });
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
    EXPECT_SAYS(error, "cuda:0", "Fake GPU 0", "2147483648 bytes", "1073741824");
    fake_cuda::settings().failures["cuMemHostAlloc"] = CUDA_ERROR_OUT_OF_MEMORY;
    error = error_of([&] { device_->allocate(MemoryKind::Pinned, 4096); });
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
    EXPECT_SAYS(error, "page-locked", "4096");
}

TEST_F(Cuda, NoBytesAreNoMemory) {
    EXPECT_EQ(device_->allocate(MemoryKind::Device, 0), nullptr);
    device_->release(MemoryKind::Device, nullptr);
}

TEST_F(Cuda, EveryKindOfMemoryIsFreedAsItWasMade) {
    std::size_t before = fake_cuda::live_allocations();
    for (MemoryKind kind : {MemoryKind::Device, MemoryKind::Pinned, MemoryKind::Mapped, MemoryKind::Managed}) {
        void* memory = device_->allocate(kind, 1000);
        ASSERT_NE(memory, nullptr);
        EXPECT_TRUE(device_->owns_address(memory));
        if (kind == MemoryKind::Mapped) EXPECT_EQ(device_->device_address(memory), memory);
        device_->release(kind, memory);
    }
    EXPECT_EQ(fake_cuda::live_allocations(), before);
}

TEST_F(Cuda, AddressesOfOrdinaryMemoryAndOtherDevicesAreNotOwned) {
    int ordinary = 0;
    EXPECT_FALSE(device_->owns_address(&ordinary));
    EXPECT_FALSE(device_->owns_address(nullptr));
    void* other = devices_[1]->allocate(MemoryKind::Device, 64);
    EXPECT_FALSE(device_->owns_address(other));
    EXPECT_TRUE(devices_[1]->owns_address(other));
    devices_[1]->release(MemoryKind::Device, other);
}

TEST_F(Cuda, RegisteringTwiceAndUnregisteringNothingAreRefused) {
    std::vector<char> memory(8192);
    device_->register_host(memory.data(), memory.size());
    EXPECT_TRUE(device_->owns_address(memory.data()));
    Error error = error_of([&] { device_->register_host(memory.data(), 16); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "page-locked already");
    device_->unregister_host(memory.data());
    EXPECT_FALSE(device_->owns_address(memory.data()));
    error = error_of([&] { device_->unregister_host(memory.data()); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
}

TEST_F(Cuda, DriverErrorNamesCallCodeAndText) {
    fake_cuda::settings().failures["cuMemGetInfo_v2"] = CUDA_ERROR_INVALID_VALUE;
    Error error = error_of([&] { device_->memory_info(); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_EQ(error.code, 1);
    EXPECT_SAYS(error, "cuMemGetInfo", "CUDA_ERROR_INVALID_VALUE (1)", "text of the fake driver");
}

TEST_F(Cuda, ReleaseAfterTheDriverHasShutDownIsSilent) {
    void* memory = device_->allocate(MemoryKind::Device, 64);
    fake_cuda::settings().failures["cuMemFree_v2"] = CUDA_ERROR_DEINITIALIZED;
    EXPECT_NO_THROW(device_->release(MemoryKind::Device, memory));
    fake_cuda::settings().failures.clear();
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Cuda, PoolServesFromTheDevice) {
    std::size_t before = fake_cuda::live_allocations();
    void* memory = device_->pool().allocate(1 << 20, stream_);
    EXPECT_TRUE(device_->owns_address(memory));
    device_->pool().release(memory, stream_, {});
    device_->pool().trim();
    EXPECT_EQ(fake_cuda::live_allocations(), before);
}

TEST_F(Cuda, AForkedChildIsToldAboutForkingAndEndsCleanly) {
    device_->memory_info();
    auto child = [&] {
        // What the real driver answers there.
        fake_cuda::settings().failures["cuCtxGetCurrent"] = CUDA_ERROR_NOT_INITIALIZED;
        Error error = error_of([&] { stream_->synchronize(); });
        std::fprintf(stderr, "%s", error.what());
        std::exit(0);
    };
    EXPECT_EXIT(child(), testing::ExitedWithCode(0), "child process forked.*spawn");
}

}  // namespace
}  // namespace lanewise
