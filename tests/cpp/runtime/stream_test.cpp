#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "test_kernels.h"

namespace lanewise {
namespace {

using testing_kernels::error_of;
using testing_kernels::Gate;
using testing_kernels::launch;

class Streams : public ::testing::Test {
protected:
    /// Room for what kernels and host calls append in the order they run.
    void append(Stream& stream, std::uint64_t value) { launch(stream, "append", {1}, {1}, &cursor, log.data(), value); }
    std::vector<std::uint64_t> appended() { return {log.begin(), log.begin() + static_cast<std::ptrdiff_t>(cursor)}; }

    Device& device = cpu_device();
    std::uint64_t cursor = 0;
    std::vector<std::uint64_t> log = std::vector<std::uint64_t>(10000);
    std::shared_ptr<Stream> a = device.create_stream(false), b = device.create_stream(false);
};

TEST_F(Streams, RunTheirWorkInOrder) {
    std::vector<std::uint64_t> expected(1000);
    std::iota(expected.begin(), expected.end(), 0);
    for (std::uint64_t i : expected) {
        if (i % 7 == 3)
            a->host_call([this, i] { log[cursor++] = i; });
        else
            append(*a, i);
    }
    a->synchronize();
    EXPECT_EQ(appended(), expected);
}

TEST_F(Streams, RunSideBySide) {
    Gate gate(*a);
    append(*b, 1);
    b->synchronize();
    EXPECT_EQ(cursor, 1u);
    EXPECT_FALSE(a->query());
    EXPECT_TRUE(b->query());
}

TEST_F(Streams, FinishTheirWorkAfterTheLastReferenceIsGone) {
    auto gone = device.create_stream(false);
    auto event = device.create_event();
    {
        Gate gate(*gone);
        append(*gone, 5);
        gone->record(*event);
        gone.reset();
    }
    event->synchronize();
    EXPECT_EQ(appended(), std::vector<std::uint64_t>{5});
}

TEST_F(Streams, WaitForEventsOfOtherStreams) {
    auto event = device.create_event();
    Gate gate(*a);
    append(*a, 1);
    a->record(*event);
    b->wait(*event);
    append(*b, 2);
    EXPECT_FALSE(event->query());
    EXPECT_FALSE(b->query());
    gate.open();
    b->synchronize();
    EXPECT_EQ(appended(), (std::vector<std::uint64_t>{1, 2}));
    EXPECT_TRUE(event->query());
}

TEST_F(Streams, WaitForTheRecordThereIsNotForLaterOnes) {
    auto event = device.create_event();
    a->record(*event);
    b->wait(*event);
    Gate gate(*a);
    a->record(*event);
    b->synchronize();
    EXPECT_FALSE(event->query());
}

TEST_F(Streams, WaitForAnEventThatWasNotRecordedIsNothing) {
    auto event = device.create_event();
    a->wait(*event);
    a->synchronize();
    EXPECT_TRUE(event->query());
    event->synchronize();
}

TEST_F(Streams, ChainsOfWaitsAcrossManyStreamsKeepOrder) {
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 8; ++i) streams.push_back(device.create_stream(false));
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 500; ++i) {
        Stream& stream = *streams[(i * 5) % streams.size()];
        append(stream, i);
        auto event = device.create_event();
        stream.record(*event);
        streams[((i + 1) * 5) % streams.size()]->wait(*event);
        expected.push_back(i);
    }
    device.synchronize();
    EXPECT_EQ(appended(), expected);
}

TEST_F(Streams, TheDefaultStreamWaitsForBlockingStreams) {
    auto blocking = device.create_stream(true);
    Gate gate(*blocking);
    append(*blocking, 1);
    append(*device.default_stream(), 2);
    EXPECT_FALSE(device.default_stream()->query());
    gate.open();
    device.default_stream()->synchronize();
    EXPECT_EQ(appended(), (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(Streams, BlockingStreamsWaitForTheDefaultStream) {
    auto blocking = device.create_stream(true);
    Gate gate(*device.default_stream());
    append(*device.default_stream(), 1);
    append(*blocking, 2);
    append(*device.per_thread_stream(), 3);
    EXPECT_FALSE(blocking->query());
    EXPECT_FALSE(device.per_thread_stream()->query());
    gate.open();
    blocking->synchronize();
    device.per_thread_stream()->synchronize();
    EXPECT_EQ(cursor, 3u);
    EXPECT_EQ(log[0], 1u);
}

TEST_F(Streams, TheDefaultStreamIsABarrierBetweenBlockingStreams) {
    auto first = device.create_stream(true), second = device.create_stream(true);
    Gate gate(*first);
    append(*first, 1);
    append(*device.default_stream(), 2);
    append(*second, 3);
    gate.open();
    second->synchronize();
    EXPECT_EQ(appended(), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(Streams, NonBlockingStreamsIgnoreTheDefaultStream) {
    Gate gate(*device.default_stream());
    append(*a, 1);
    a->synchronize();
    EXPECT_EQ(cursor, 1u);
    gate.open();
    device.default_stream()->synchronize();
}

TEST_F(Streams, SynchronizingTheDefaultStreamWaitsForBlockingStreams) {
    auto blocking = device.create_stream(true);
    Gate gate(*blocking);
    append(*blocking, 1);
    std::thread opener([&] { gate.open(); });
    device.default_stream()->synchronize();
    opener.join();
    EXPECT_EQ(cursor, 1u);
}

TEST_F(Streams, EachThreadHasItsOwnPerThreadStream) {
    auto mine = device.per_thread_stream();
    EXPECT_EQ(device.per_thread_stream(), mine);
    EXPECT_EQ(mine->kind(), StreamKind::PerThread);
    std::thread([&] { EXPECT_NE(device.per_thread_stream(), mine); }).join();
}

TEST_F(Streams, HandlesLeadBackToStreams) {
    EXPECT_NE(a->handle(), 0u);
    EXPECT_NE(a->handle(), b->handle());
    EXPECT_EQ(device.external_stream(a->handle()), a);
    EXPECT_EQ(device.external_stream(0), device.default_stream());
    EXPECT_EQ(device.external_stream(device.default_stream()->handle()), device.default_stream());
    EXPECT_EQ(device.external_stream(2), device.per_thread_stream());
    EXPECT_THROW(device.external_stream(123456789), Error);
    std::uintptr_t handle = b->handle();
    b.reset();
    EXPECT_THROW(device.external_stream(handle), Error);
}

TEST_F(Streams, HostCallsRunOffTheCallersThread) {
    auto caller = std::this_thread::get_id();
    std::thread::id runner;
    for (int i = 0; i < 100; ++i) {
        a->host_call([&] { runner = std::this_thread::get_id(); });
        a->synchronize();
        ASSERT_NE(runner, caller);
    }
    EXPECT_THROW(a->host_call({}), Error);
}

TEST_F(Streams, HostCallsMayWaitForOtherStreams) {
    a->host_call([&] {
        append(*b, 1);
        b->synchronize();
    });
    append(*a, 2);
    a->synchronize();
    EXPECT_EQ(appended(), (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(Streams, ExceptionsOfHostCallsComeOutOfSynchronize) {
    a->host_call([] { throw std::runtime_error("from the callback"); });
    append(*a, 1);
    EXPECT_THROW(a->synchronize(), std::runtime_error);
    a->synchronize();
    EXPECT_EQ(cursor, 1u);
}

TEST_F(Streams, CopiesFromPageableMemoryHaveReadItWhenTheyReturn) {
    for (std::size_t bytes : {std::size_t{1}, std::size_t{1000}, std::size_t{64} << 10, std::size_t{9} << 20}) {
        std::vector<unsigned char> source(bytes, 1), target(bytes, 9);
        Gate gate(*a);
        std::thread opener;
        // A large copy has to wait for the stream.
        if (bytes > (std::size_t{64} << 10)) opener = std::thread([&] { gate.open(); });
        a->copy_to_device(target.data(), source.data(), bytes);
        std::fill(source.begin(), source.end(), 2);
        gate.open();
        a->synchronize();
        EXPECT_EQ(target, std::vector<unsigned char>(bytes, 1));
        if (opener.joinable()) opener.join();
    }
}

TEST_F(Streams, CopiesKeepTheirPlaceInTheStream) {
    std::vector<std::uint32_t> memory(100000), back(100000);
    for (std::uint32_t round = 1; round < 20; ++round) {
        launch(*a, "count_blocks", {100000}, {1}, memory.data());
        a->copy_to_host(back.data(), memory.data(), memory.size() * 4);
        ASSERT_EQ(back, std::vector<std::uint32_t>(100000, round));
    }
}

TEST_F(Streams, CopiesOfPinnedMemoryAreAsynchronous) {
    auto pinned = Buffer::create_host(device, MemoryKind::Pinned, 1000);
    auto* bytes = static_cast<unsigned char*>(pinned->host_data());
    std::fill_n(bytes, 1000, 1);
    std::vector<unsigned char> target(1000), back(1000);
    {
        Gate gate(*a);
        a->copy_to_device(target.data(), bytes, 1000);
        a->copy_to_host(bytes, target.data(), 1000);
        std::fill_n(bytes, 1000, 2);
    }
    a->synchronize();
    EXPECT_EQ(target, std::vector<unsigned char>(1000, 2));
}

TEST_F(Streams, RegisteredMemoryIsPinned) {
    std::vector<unsigned char> mine(4096, 1), target(4096);
    device.register_host(mine.data(), 4096);
    Error twice = error_of([&] { device.register_host(mine.data() + 100, 10); });
    EXPECT_EQ(twice.kind(), ErrorKind::Value);
    {
        Gate gate(*a);
        a->copy_to_device(target.data(), mine.data(), 4096);
        std::fill(mine.begin(), mine.end(), 3);
    }
    a->synchronize();
    EXPECT_EQ(target, mine);
    device.unregister_host(mine.data());
    EXPECT_THROW(device.unregister_host(mine.data()), Error);
}

TEST_F(Streams, CopiesOnTheDeviceOfAnySize) {
    std::mt19937 random(3);
    for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{65537}, (std::size_t{7} << 20) + 3}) {
        std::vector<unsigned char> from(bytes), to(bytes);
        for (auto& x : from) x = static_cast<unsigned char>(random());
        a->copy_on_device(to.data(), from.data(), bytes);
        a->synchronize();
        EXPECT_EQ(to, from);
    }
}

TEST_F(Streams, CopiesMayOverlap) {
    std::vector<std::uint32_t> memory(2 << 20);
    std::iota(memory.begin(), memory.end(), 0);
    a->copy_on_device(memory.data() + 1, memory.data(), (memory.size() - 1) * 4);
    a->synchronize();
    for (std::size_t i = 1; i < memory.size(); ++i) ASSERT_EQ(memory[i], i - 1);
}

template <class T>
void expect_fills(Stream& stream, std::uint64_t pattern) {
    for (std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1001}, std::size_t{3} << 20}) {
        std::vector<T> memory(count + 2, T{7});
        stream.fill(memory.data() + 1, pattern, sizeof(T), count);
        stream.synchronize();
        ASSERT_EQ(memory.front(), T{7});
        ASSERT_EQ(memory.back(), T{7});
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(memory[i + 1], static_cast<T>(pattern));
    }
}

TEST_F(Streams, FillsElementsOfEveryWidth) {
    expect_fills<std::uint8_t>(*a, 0xab);
    expect_fills<std::uint16_t>(*a, 0xabcd);
    expect_fills<std::uint32_t>(*a, 0xabcdef01);
    expect_fills<std::uint64_t>(*a, 0xabcdef0123456789);
    int memory = 0;
    EXPECT_THROW(a->fill(&memory, 0, 3, 1), Error);
    EXPECT_THROW(a->fill(nullptr, 0, 4, 1), Error);
}

TEST_F(Streams, RefusesNullPointers) {
    int memory = 0;
    EXPECT_THROW(a->copy_to_device(nullptr, &memory, 4), Error);
    EXPECT_THROW(a->copy_to_host(&memory, nullptr, 4), Error);
    EXPECT_THROW(a->copy_on_device(nullptr, nullptr, 4), Error);
    a->copy_to_device(nullptr, nullptr, 0);
}

TEST_F(Streams, EventsMeasureTime) {
    auto start = device.create_event(), end = device.create_event();
    a->record(*start);
    a->host_call([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
    a->record(*end);
    end->synchronize();
    EXPECT_GE(end->elapsed_ms(*start), 5.0f);
    EXPECT_LE(start->elapsed_ms(*end), -5.0f);
}

TEST_F(Streams, ElapsedTimeNeedsTwoTimedAndReachedEvents) {
    auto timed = device.create_event(), untimed = device.create_event(false), fresh = device.create_event();
    a->record(*timed);
    a->record(*untimed);
    a->synchronize();
    auto text = [&](Event& end, Event& start) { return std::string(error_of([&] { end.elapsed_ms(start); }).what()); };
    EXPECT_EQ(text(*timed, *untimed), "Event::elapsed_ms: the start event was created without timing");
    EXPECT_EQ(text(*untimed, *timed), "Event::elapsed_ms: the end event was created without timing");
    EXPECT_EQ(text(*fresh, *timed), "Event::elapsed_ms: the end event has not been recorded");
    Gate gate(*a);
    a->record(*fresh);
    EXPECT_NE(text(*fresh, *timed).find("not reached yet"), std::string::npos);
}

TEST_F(Streams, DeviceSynchronizeWaitsForAll) {
    std::atomic<int> done = 0;
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 10; ++i) {
        streams.push_back(device.create_stream(i % 2));
        streams.back()->host_call([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            ++done;
        });
    }
    device.synchronize();
    EXPECT_EQ(done, 10);
}

TEST_F(Streams, RandomGraphsOfEventsRespectTheirOrder) {
    std::mt19937 random(5);
    constexpr std::size_t streams_count = 6;
    std::vector<std::shared_ptr<Stream>> streams;
    for (std::size_t i = 0; i < streams_count; ++i) streams.push_back(device.create_stream(i % 3 == 0));
    streams.push_back(device.default_stream());
    struct Step {
        std::vector<std::size_t> after;
        std::atomic<std::uint64_t> ended{0};
    };
    static std::atomic<std::uint64_t> clock{0};
    constexpr std::size_t count = 2000;
    std::vector<Step> steps(count);
    std::vector<std::size_t> last_of(streams.size(), SIZE_MAX);
    std::vector<std::shared_ptr<Event>> events;
    std::atomic<int> violations = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t s = random() % streams.size();
        Step& step = steps[i];
        if (last_of[s] != SIZE_MAX) step.after.push_back(last_of[s]);
        if (!events.empty() && random() % 2) {
            std::size_t other = random() % events.size();
            streams[s]->wait(*events[other]);
            step.after.push_back(other);
        }
        streams[s]->host_call([&step, &steps, &violations] {
            for (std::size_t before : step.after)
                if (steps[before].ended.load() == 0) ++violations;
            step.ended = ++clock;
        });
        auto event = device.create_event();
        streams[s]->record(*event);
        events.push_back(std::move(event));
        last_of[s] = i;
    }
    device.synchronize();
    EXPECT_EQ(violations, 0);
    for (Step& step : steps) EXPECT_NE(step.ended, 0u);
}

}  // namespace
}  // namespace lanewise
