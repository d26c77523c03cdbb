#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "fake_device.h"
#include "lanewise/buffer.h"

namespace lanewise {
namespace {

using testing_fake::FakeDevice;
using testing_fake::FakeEvent;
using testing_fake::FakeStream;

constexpr std::size_t MiB = std::size_t{1} << 20;

class Pool : public ::testing::Test {
protected:
    void TearDown() override { FakeEvent::patience = 3; }

    void* get(std::size_t bytes, const std::shared_ptr<FakeStream>& stream) { return pool.allocate(bytes, stream); }
    void put(void* pointer, const std::shared_ptr<FakeStream>& stream, std::vector<std::shared_ptr<Stream>> uses = {}) {
        pool.release(pointer, stream, uses);
    }

    FakeDevice device{256 * MiB};
    MemoryPool& pool = device.pool();
    std::shared_ptr<FakeStream> a = device.stream(), b = device.stream();
};

TEST_F(Pool, ZeroBytesAreNull) {
    EXPECT_EQ(get(0, a), nullptr);
    put(nullptr, a);
    EXPECT_EQ(device.allocate_calls, 0);
}

TEST_F(Pool, BlocksAreAlignedAndApart) {
    std::vector<std::pair<std::uintptr_t, std::size_t>> blocks;
    for (std::size_t bytes : {1u, 511u, 512u, 513u, 4000u, 70000u, 1u << 20, 3u << 20, 11u << 20}) {
        auto at = reinterpret_cast<std::uintptr_t>(get(bytes, a));
        EXPECT_EQ(at % 512, 0u);
        for (auto [other, size] : blocks) EXPECT_TRUE(at + bytes <= other || other + size <= at);
        blocks.push_back({at, bytes});
    }
}

TEST_F(Pool, ReusesAtOnceOnTheSameStream) {
    a->begin_work();
    for (std::size_t bytes : {std::size_t{100}, 100 * 1024 * std::size_t{1}, 5 * MiB, 50 * MiB}) {
        void* first = get(bytes, a);
        put(first, a);
        int calls = device.allocate_calls;
        EXPECT_EQ(get(bytes, a), first);
        EXPECT_EQ(device.allocate_calls, calls);
        put(first, a);
    }
}

TEST_F(Pool, DoesNotReuseOnAnotherStreamBeforeItsTime) {
    void* first = get(50 * MiB, a);
    a->begin_work();
    put(first, a);
    FakeEvent::patience = 1000000;
    void* second = get(50 * MiB, b);
    EXPECT_NE(second, first);
    a->finish_work();
    EXPECT_EQ(get(50 * MiB, b), first);
}

TEST_F(Pool, AnEventSufficesWhenTheOtherStreamStaysBusy) {
    FakeEvent::patience = 1000000;
    void* first = get(50 * MiB, a);
    a->begin_work();
    put(first, a);
    void* second = get(50 * MiB, b);  // marks stream a
    EXPECT_NE(second, first);
    a->finished = a->started;
    a->begin_work();  // busy again, but behind the mark
    EXPECT_EQ(get(50 * MiB, b), first);
}

TEST_F(Pool, ABlockReleasedAfterTheMarkIsNotHandedOver) {
    FakeEvent::patience = 1000000;
    void* first = get(50 * MiB, a);
    void* late = get(50 * MiB, a);
    a->begin_work();
    put(first, a);
    void* second = get(50 * MiB, b);  // marks stream a
    a->finished = a->started;
    a->begin_work();
    put(late, a);
    EXPECT_EQ(get(50 * MiB, b), first);
    void* third = get(50 * MiB, b);
    EXPECT_NE(third, late);
    EXPECT_NE(third, second);
}

TEST_F(Pool, WaitsForOtherStreamsThatUsedTheBlock) {
    FakeEvent::patience = 1000000;
    void* first = get(50 * MiB, a);
    b->begin_work();
    put(first, a, {b});
    EXPECT_NE(get(50 * MiB, a), first);
    b->finish_work();
    EXPECT_EQ(get(50 * MiB, a), first);
}

TEST_F(Pool, SplitsAndJoins) {
    void* whole = get(40 * MiB, a);
    put(whole, a);
    auto* left = static_cast<std::byte*>(get(15 * MiB, a));
    auto* right = static_cast<std::byte*>(get(15 * MiB, a));
    EXPECT_EQ(left, whole);
    EXPECT_EQ(right, left + 15 * MiB);
    EXPECT_EQ(device.allocate_calls, 1);
    put(left, a);
    put(right, a);
    EXPECT_EQ(get(40 * MiB, a), whole);
    EXPECT_EQ(device.allocate_calls, 1);
}

TEST_F(Pool, SmallBlocksJoinWhenTheirSpaceIsNeeded) {
    std::vector<void*> blocks;
    for (int i = 0; i < 4096; ++i) blocks.push_back(get(512, a));
    EXPECT_EQ(device.allocate_calls, 1);
    for (void* block : blocks) put(block, a);
    for (int i = 0; i < 2; ++i) get(MiB, a);
    EXPECT_EQ(device.allocate_calls, 1);
}

TEST_F(Pool, TakesTheBestFit) {
    void* large = get(30 * MiB, a);
    void* medium = get(20 * MiB, a);
    put(large, a);
    put(medium, a);
    EXPECT_EQ(get(19 * MiB, a), medium);
}

TEST_F(Pool, CountsWhatItDoes) {
    EXPECT_EQ(pool.statistics().held_bytes, 0u);
    void* first = get(1000, a);
    void* second = get(4 * MiB, a);
    PoolStatistics now = pool.statistics();
    EXPECT_EQ(now.used_bytes, 1024 + 4 * MiB);
    EXPECT_EQ(now.held_bytes, device.used);
    EXPECT_EQ(now.allocations, 2u);
    EXPECT_EQ(now.device_allocations, 2u);
    put(first, a);
    put(second, a);
    get(100, a);
    now = pool.statistics();
    EXPECT_EQ(now.used_bytes, 512u);
    EXPECT_EQ(now.peak_used_bytes, 1024 + 4 * MiB);
    EXPECT_EQ(now.allocations, 3u);
    EXPECT_EQ(now.device_allocations, 2u);
}

TEST_F(Pool, TrimGivesFreeSegmentsBack) {
    void* kept = get(50 * MiB, a);
    void* gone = get(60 * MiB, a);
    a->begin_work();
    put(gone, a);
    EXPECT_EQ(pool.trim(), 60 * MiB);
    EXPECT_EQ(device.used, 50 * MiB);
    EXPECT_EQ(pool.statistics().held_bytes, 50 * MiB);
    put(kept, a);
    EXPECT_EQ(pool.trim(), 50 * MiB);
    EXPECT_EQ(pool.trim(), 0u);
}

TEST_F(Pool, GivesBackFreeMemoryBeforeItFails) {
    void* first = get(200 * MiB, a);
    put(first, a);
    EXPECT_NE(get(220 * MiB, a), nullptr);
    EXPECT_EQ(device.used, 220 * MiB);
}

TEST_F(Pool, WaitsForPendingWorkBeforeItFails) {
    void* first = get(200 * MiB, a);
    a->begin_work();
    put(first, a);
    EXPECT_NE(get(220 * MiB, b), nullptr);
    EXPECT_EQ(a->finished, a->started);
}

TEST_F(Pool, UsesAnExactSegmentWhenARoundOneDoesNotFit) {
    FakeDevice tight(11 * MiB);
    auto stream = tight.stream();
    EXPECT_NE(tight.pool().allocate(9 * MiB, stream), nullptr);
    EXPECT_NE(tight.pool().allocate(1000, stream), nullptr);
}

std::string out_of_memory_text(MemoryPool& pool, std::size_t bytes, const std::shared_ptr<Stream>& stream) {
    try {
        pool.allocate(bytes, stream);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

TEST_F(Pool, OutOfMemoryNamesSizesAndState) {
    get(100 * MiB, a);
    std::string text = out_of_memory_text(pool, 300 * MiB, a);
    for (const char* part : {"fake:0", "300.00 MiB", "314572800 bytes", "the pool holds 100.00 MiB",
                             "156.00 MiB of 256.00 MiB", "limit is none", "fake device is full"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    EXPECT_NE(get(10 * MiB, a), nullptr) << "the pool works on after a failure";
}

TEST_F(Pool, OutOfMemoryNamesTheLargestBlocksInUse) {
    get(20 * MiB, a), get(20 * MiB, b), get(50 * MiB, a), get(100, a);
    void* freed = get(30 * MiB, a);
    put(freed, a);
    const std::string text = out_of_memory_text(pool, 300 * MiB, a);
    EXPECT_NE(text.find("largest blocks in use: 50.00 MiB, 2 x 20.00 MiB, 512 bytes;"), std::string::npos) << text;
    EXPECT_EQ(text.find("30.00 MiB"), std::string::npos) << text;
}

TEST_F(Pool, AbsurdSizesAreOutOfMemory) {
    out_of_memory_text(pool, SIZE_MAX, a);
    out_of_memory_text(pool, SIZE_MAX / 2, a);
}

TEST_F(Pool, KeepsToItsLimit) {
    pool.set_limit(64 * MiB);
    void* first = get(60 * MiB, a);
    std::string text = out_of_memory_text(pool, 10 * MiB, a);
    EXPECT_NE(text.find("limit is 64.00 MiB"), std::string::npos) << text;
    put(first, a);
    EXPECT_NE(get(30 * MiB, a), nullptr);
    EXPECT_LE(pool.statistics().held_bytes, 64 * MiB);
    EXPECT_EQ(pool.statistics().limit_bytes, 64 * MiB);
    pool.set_limit(0);
    EXPECT_NE(get(100 * MiB, a), nullptr);
}

TEST_F(Pool, DeferralKeepsReleasedBlocksAside) {
    void* first = get(50 * MiB, a);
    {
        MemoryPool::Deferral outer(pool);
        {
            MemoryPool::Deferral inner(pool);
            put(first, a);
        }
        EXPECT_NE(get(50 * MiB, a), first);
        EXPECT_EQ(pool.statistics().used_bytes, 100 * MiB);
    }
    EXPECT_EQ(pool.statistics().used_bytes, 50 * MiB);
    EXPECT_EQ(get(50 * MiB, a), first);
}

TEST_F(Pool, ExhaustionOverridesDeferral) {
    void* first = get(200 * MiB, a);
    MemoryPool::Deferral deferral(pool);
    put(first, a);
    EXPECT_NE(get(200 * MiB, a), nullptr);
}

TEST_F(Pool, DoesNotKeepStreamsAlive) {
    std::weak_ptr<FakeStream> gone;
    {
        auto passing = device.stream();
        gone = passing;
        put(get(MiB, passing), passing);
    }
    get(100, device.stream());
    EXPECT_TRUE(gone.expired());
}

TEST_F(Pool, BlocksNeverOverlapUnderRandomUse) {
    std::mt19937 random(11);
    std::vector<std::shared_ptr<FakeStream>> streams = {a, b, device.stream()};
    struct Held {
        std::byte* pointer;
        std::size_t bytes;
        std::shared_ptr<FakeStream> stream;
    };
    std::vector<Held> held;
    for (int step = 0; step < 20000; ++step) {
        auto& stream = streams[random() % streams.size()];
        if (random() % 4 == 0) stream->begin_work();
        if (random() % 4 == 0) stream->finish_work();
        if (held.size() < 40 && random() % 2) {
            std::size_t bytes = std::size_t{1} << (random() % 23);
            bytes += random() % bytes;
            auto* pointer = static_cast<std::byte*>(get(bytes, stream));
            for (Held& other : held)
                ASSERT_TRUE(pointer + bytes <= other.pointer || other.pointer + other.bytes <= pointer);
            held.push_back({pointer, bytes, stream});
        } else if (!held.empty()) {
            std::size_t i = random() % held.size();
            put(held[i].pointer, held[i].stream,
                random() % 3 ? std::vector<std::shared_ptr<Stream>>{} : std::vector<std::shared_ptr<Stream>>{stream});
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    for (Held& block : held) put(block.pointer, block.stream);
    for (auto& stream : streams) stream->finish_work();
    EXPECT_EQ(pool.statistics().used_bytes, 0u);
    pool.trim();
    EXPECT_EQ(device.used, 0u);
}

TEST(PoolOfTheCpuDevice, ManyThreadsOnManyStreams) {
    Device& device = cpu_device();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&device, t] {
            auto stream = device.create_stream(false);
            auto other = device.create_stream(false);
            for (int i = 0; i < 300; ++i) {
                std::size_t count = std::size_t{1} << (i % 14);
                auto buffer = Buffer::create(stream, count * 4);
                std::uint32_t value = static_cast<std::uint32_t>(t * 1000 + i);
                stream->fill(buffer->data(), value, 4, count);
                auto event = device.create_event(false);
                stream->record(*event);
                other->wait(*event);
                std::vector<std::uint32_t> back(count);
                other->copy_to_host(back.data(), buffer->data(), count * 4);
                buffer->used_on(other);
                for (std::uint32_t x : back) ASSERT_EQ(x, value);
            }
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lanewise
