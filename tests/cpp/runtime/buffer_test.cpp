#include "lanewise/buffer.h"

#include <gtest/gtest.h>

#include "fake_device.h"

namespace lanewise {
namespace {

using testing_fake::FakeDevice;

TEST(BufferOfTheDevice, ComesFromThePoolAndGoesBack) {
    FakeDevice device;
    auto stream = device.stream();
    void* first = nullptr;
    {
        auto buffer = Buffer::create(stream, 1000);
        EXPECT_EQ(&buffer->device(), &device);
        EXPECT_EQ(buffer->kind(), MemoryKind::Device);
        EXPECT_EQ(buffer->bytes(), 1000u);
        EXPECT_EQ(buffer->host_data(), nullptr);
        first = buffer->data();
        EXPECT_EQ(device.pool().statistics().used_bytes, 1024u);
    }
    EXPECT_EQ(device.pool().statistics().used_bytes, 0u);
    EXPECT_EQ(Buffer::create(stream, 1000)->data(), first);
}

TEST(BufferOfTheDevice, MayBeEmpty) {
    FakeDevice device;
    auto buffer = Buffer::create(device.stream(), 0);
    EXPECT_EQ(buffer->data(), nullptr);
    EXPECT_EQ(buffer->bytes(), 0u);
}

TEST(BufferOfTheDevice, OtherUsesDelayReuse) {
    FakeDevice device;
    auto stream = device.stream(), other = device.stream();
    testing_fake::FakeEvent::patience = 1000000;
    auto buffer = Buffer::create(stream, 1 << 20);
    void* first = buffer->data();
    other->begin_work();
    buffer->used_on(other);
    buffer->used_on(other);
    buffer.reset();
    EXPECT_NE(Buffer::create(stream, 1 << 20)->data(), first);
    other->finish_work();
    testing_fake::FakeEvent::patience = 3;
    std::vector<std::shared_ptr<Buffer>> held;
    bool reused = false;
    for (int i = 0; i < 2; ++i) {
        held.push_back(Buffer::create(stream, 1 << 20));
        reused |= held.back()->data() == first;
    }
    EXPECT_TRUE(reused);
}

TEST(BufferOfTheHost, MappedMemoryHasTwoAddresses) {
    FakeDevice device;
    auto buffer = Buffer::create_host(device, MemoryKind::Mapped, 64);
    EXPECT_EQ(buffer->data(), device.device_address(buffer->host_data()));
    buffer.reset();
    EXPECT_EQ(device.used, 0u);
}

TEST(BufferOfTheHost, PinnedAndManagedMemoryHaveOne) {
    FakeDevice device;
    for (MemoryKind kind : {MemoryKind::Pinned, MemoryKind::Managed}) {
        auto buffer = Buffer::create_host(device, kind, 64);
        EXPECT_EQ(buffer->data(), buffer->host_data());
        EXPECT_NE(buffer->data(), nullptr);
    }
    EXPECT_EQ(Buffer::create_host(device, MemoryKind::Pinned, 0)->data(), nullptr);
    EXPECT_EQ(device.used, 0u);
}

TEST(BufferOfTheHost, RefusesDeviceMemory) {
    FakeDevice device;
    EXPECT_THROW(Buffer::create_host(device, MemoryKind::Device, 64), Error);
}

TEST(BufferOfTheHost, IsReleasedAfterItsLastUse) {
    FakeDevice device;
    auto stream = device.stream();
    auto buffer = Buffer::create_host(device, MemoryKind::Pinned, 64);
    stream->begin_work();
    buffer->used_on(stream);
    buffer.reset();
    EXPECT_TRUE(stream->query()) << "memory was given back under work that uses it";
    EXPECT_EQ(device.used, 0u);
}

TEST(ForeignBuffer, CallsItsDeleterOnceAfterItsLastUse) {
    FakeDevice device;
    auto stream = device.stream();
    int memory[4] = {};
    int deletions = 0;
    bool idle = false;
    auto buffer = Buffer::foreign(device, MemoryKind::Device, memory, sizeof memory, stream, [&] {
        ++deletions;
        idle = stream->query();
    });
    EXPECT_EQ(buffer->data(), memory);
    stream->begin_work();
    auto copy = buffer;
    buffer.reset();
    EXPECT_EQ(deletions, 0);
    copy.reset();
    EXPECT_EQ(deletions, 1);
    EXPECT_TRUE(idle);
}

TEST(ForeignBuffer, WithoutADeleterLeavesTheMemoryAlone) {
    FakeDevice device;
    int memory[4] = {};
    Buffer::foreign(device, MemoryKind::Device, memory, sizeof memory, nullptr, {});
    EXPECT_EQ(device.pool().statistics().used_bytes, 0u);
}

TEST(BufferOfTheCpuDevice, IsHostMemoryToo) {
    auto buffer = Buffer::create(cpu_device().default_stream(), 100);
    EXPECT_EQ(buffer->host_data(), buffer->data());
}

}  // namespace
}  // namespace lanewise
