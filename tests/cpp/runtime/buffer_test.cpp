#include "lanewise/buffer.h"

#include <gtest/gtest.h>

#include <thread>

#include "fake_device.h"
#include "lanewise/allocator.h"

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

TEST(BufferWithin, IsAPieceOfAnotherAndKeepsIt) {
    FakeDevice device;
    auto whole = Buffer::create(device.stream(), 4096);
    auto* start = static_cast<std::byte*>(whole->data());
    int releases = 0;
    std::weak_ptr<Buffer> alive = whole;
    auto part = Buffer::within(std::move(whole), 1024, 100, device.stream(), [&] {
        ++releases;
        EXPECT_FALSE(alive.expired());
    });
    EXPECT_EQ(part->data(), start + 1024);
    EXPECT_EQ(part->bytes(), 100u);
    EXPECT_FALSE(part->is_shared());
    part.reset();
    EXPECT_EQ(releases, 1);
    EXPECT_TRUE(alive.expired());
}

TEST(BufferWithin, TellsItsUsesToTheWholeInsteadOfWaiting) {
    FakeDevice device;
    auto stream = device.stream(), own = device.stream(), other = device.stream();
    testing_fake::FakeEvent::patience = 1000000;
    auto whole = Buffer::create(stream, 1 << 20);
    void* first = whole->data();
    auto part = Buffer::within(whole, 0, 100, own, {});
    own->begin_work();
    other->begin_work();
    part->used_on(other);
    part.reset();
    EXPECT_FALSE(own->query()) << "nothing waits";
    whole.reset();
    EXPECT_NE(Buffer::create(stream, 1 << 20)->data(), first) << "two streams still use the memory";
    testing_fake::FakeEvent::patience = 3;
}

TEST(BufferWithin, RefusesWhatLiesOutside) {
    FakeDevice device;
    auto whole = Buffer::create(device.stream(), 100);
    EXPECT_THROW(Buffer::within(whole, 0, 101, nullptr, {}), Error);
    EXPECT_THROW(Buffer::within(whole, 101, 0, nullptr, {}), Error);
    EXPECT_NO_THROW(Buffer::within(whole, 100, 0, nullptr, {}));
}

TEST(Allocators, OfTheThreadComeBeforeThoseOfAllThreads) {
    FakeDevice device;
    auto stream = device.stream();
    auto named = [](std::vector<int>& seen, int name) {
        return std::make_shared<const Allocator>([&seen, name](const std::shared_ptr<Stream>& s, std::size_t bytes) {
            EXPECT_TRUE(is_allocating());
            seen.push_back(name);
            return allocate(s, bytes);  // within an allocator memory comes from the pool
        });
    };
    std::vector<int> seen;
    set_allocator(named(seen, 1));
    EXPECT_EQ(allocate(stream, 10)->bytes(), 10u);
    set_thread_allocator(named(seen, 2));
    allocate(stream, 10);
    allocate(stream, 0);  // takes no memory
    std::thread([&] { allocate(stream, 10); }).join();
    set_thread_allocator(nullptr);
    allocate(stream, 10);
    set_allocator(nullptr);
    allocate(stream, 10);
    EXPECT_EQ(seen, (std::vector{1, 2, 1, 1}));
    EXPECT_FALSE(is_allocating());
}

TEST(Allocators, MustGiveEnoughMemoryOfTheDevice) {
    FakeDevice device, other;
    auto stream = device.stream(), elsewhere = other.stream();
    auto refused = [&](Allocator allocator) {
        set_thread_allocator(std::make_shared<const Allocator>(std::move(allocator)));
        EXPECT_THROW(allocate(stream, 100), Error);
        EXPECT_FALSE(is_allocating());
        set_thread_allocator(nullptr);
    };
    refused([](auto&, std::size_t) { return nullptr; });
    refused([](auto& on, std::size_t) { return Buffer::create(on, 99); });
    refused([&](auto&, std::size_t) { return Buffer::create(elsewhere, 100); });
}

TEST(BufferOfTheCpuDevice, IsHostMemoryToo) {
    auto buffer = Buffer::create(cpu_device().default_stream(), 100);
    EXPECT_EQ(buffer->host_data(), buffer->data());
}

}  // namespace
}  // namespace lanewise
