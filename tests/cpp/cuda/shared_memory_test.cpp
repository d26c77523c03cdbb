// Memory shared between processes; the fake driver lets one process be both.
#include "lanewise/shared_memory.h"

#include "fixture.h"

namespace lanewise {
namespace {

using SharedMemory = CudaTest;
using namespace cuda;

std::vector<int> read(Stream& stream, const void* memory, std::size_t count) {
    std::vector<int> values(count);
    stream.copy_to_host(values.data(), memory, count * sizeof(int));
    stream.synchronize();
    return values;
}

TEST_F(SharedMemory, AHandleFindsMemoryAnywhereInAnAllocationOfThePool) {
    // Blocks of the pool share segments, of which all but one lie behind the start.
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (int i = 0; i < 5; ++i) {
        buffers.push_back(Buffer::create(stream_, 600));
        const int values[] = {i, 10 * i, 100 * i};
        stream_->copy_to_device(buffers.back()->data(), values, sizeof values);
    }
    for (int i = 0; i < 5; ++i) {
        auto handle = MemoryHandle::from_bytes(export_memory(*device_, buffers[i]->data()).to_bytes());
        std::shared_ptr<Buffer> opened = open_memory(*device_, handle);
        EXPECT_NE(opened->data(), buffers[i]->data());
        EXPECT_GE(opened->bytes(), 600u);
        EXPECT_EQ(read(*stream_, opened->data(), 3), (std::vector<int>{i, 10 * i, 100 * i}));
        stream_->fill(opened->data(), 7, 4, 1);
        stream_->synchronize();
        EXPECT_EQ(read(*stream_, buffers[i]->data(), 3), (std::vector<int>{7, 10 * i, 100 * i}));
    }
}

TEST_F(SharedMemory, WhatIsExportedHasBeenWritten) {
    auto buffer = Buffer::create(stream_, 64);
    stream_->fill(buffer->data(), 5, 4, 16);
    export_memory(*device_, buffer->data());
    EXPECT_EQ(fake_cuda::pending(), 0u);
}

TEST_F(SharedMemory, MemoryIsClosedWithItsLastOwnerBehindTheWorkOnIt) {
    auto buffer = Buffer::create(stream_, 64);
    auto handle = export_memory(*device_, buffer->data());
    std::size_t before = fake_cuda::live_allocations();
    auto opened = open_memory(*device_, handle);
    EXPECT_EQ(fake_cuda::live_allocations(), before + 1);
    stream_->fill(opened->data(), 3, 4, 16);
    EXPECT_GT(fake_cuda::pending(), 0u);
    opened.reset();
    EXPECT_EQ(fake_cuda::live_allocations(), before);
    EXPECT_EQ(read(*stream_, buffer->data(), 2), (std::vector<int>{3, 3}));
}

TEST_F(SharedMemory, HandlesThatCannotBeOpenedAreRefused) {
    for (std::size_t length : {0, 63, 65, 71, 73})
        EXPECT_EQ(error_of([&] { MemoryHandle::from_bytes(std::string(length, 'x')); }).kind(), ErrorKind::Value);
    Error error = error_of([&] { open_memory(*device_, MemoryHandle{}); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_EQ(error.code, CUDA_ERROR_INVALID_VALUE);
    EXPECT_SAYS(error, "cuIpcOpenMemHandle", "another process");

    auto buffer = Buffer::create(stream_, 64);
    MemoryHandle beyond = export_memory(*device_, buffer->data());
    beyond.offset = std::uint64_t{1} << 40;
    std::size_t before = fake_cuda::live_allocations();
    EXPECT_EQ(error_of([&] { open_memory(*device_, beyond); }).kind(), ErrorKind::Value);
    EXPECT_EQ(fake_cuda::live_allocations(), before);
    int local = 0;
    EXPECT_EQ(error_of([&] { export_memory(*device_, &local); }).kind(), ErrorKind::Driver);
}

TEST_F(SharedMemory, MemoryOfTheCpuDeviceIsNotShared) {
    int local = 0;
    Error error = error_of([&] { export_memory(cpu_device(), &local); });
    EXPECT_EQ(error.kind(), ErrorKind::NotImplemented);
    EXPECT_SAYS(error, "cpu", "multiprocessing.shared_memory");
    EXPECT_EQ(error_of([&] { open_memory(cpu_device(), {}); }).kind(), ErrorKind::NotImplemented);
}

}  // namespace
}  // namespace lanewise
