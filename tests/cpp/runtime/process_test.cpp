// Forks and exits while streams have work.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "test_kernels.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LANEWISE_NO_FORK_TESTS
#endif
#endif

namespace lanewise {
namespace {

using testing_kernels::error_of;
using testing_kernels::Gate;
using testing_kernels::launch;

#ifndef LANEWISE_NO_FORK_TESTS

/// Exit status of a child that runs `body` and leaves without exit handlers; failed expectations make it 1.
int status_of_child(const std::function<void()>& body) {
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        body();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

void expect_device_works() {
    for (auto stream :
         {cpu_device().default_stream(), cpu_device().create_stream(true), cpu_device().create_stream(false)}) {
        auto buffer = Buffer::create(stream, 5000 * 4);
        stream->fill(buffer->data(), 0, 4, 5000);
        for (int i = 0; i < 3; ++i) launch(*stream, "count_blocks", {5000}, {16}, buffer->data());
        std::vector<std::uint32_t> back(5000);
        stream->copy_to_host(back.data(), buffer->data(), 5000 * 4);
        EXPECT_EQ(back, std::vector<std::uint32_t>(5000, 3));
    }
    cpu_device().synchronize();
}

TEST(Fork, TheChildCanUseTheDevice) {
    expect_device_works();
    EXPECT_EQ(status_of_child(expect_device_works), 0);
    expect_device_works();
}

TEST(Fork, WorkThatWasPendingIsReportedInTheChild) {
    auto stream = cpu_device().create_stream(false), waiting = cpu_device().create_stream(false);
    auto event = cpu_device().create_event();
    std::vector<std::uint32_t> hits(4);
    Gate gate(*stream);
    launch(*stream, "count_blocks", {4}, {1}, hits.data());
    stream->record(*event);
    waiting->wait(*event);
    int status = status_of_child([&] {
        Error error = error_of([&] { stream->synchronize(); });
        EXPECT_EQ(error.kind(), ErrorKind::Driver);
        EXPECT_NE(std::string(error.what()).find("3 commands of a stream were pending when the process forked"),
                  std::string::npos)
            << error.what();
        EXPECT_EQ(hits[0], 0u);
        error_of([&] { waiting->synchronize(); });
        stream->synchronize();
        launch(*stream, "count_blocks", {4}, {1}, hits.data());
        stream->synchronize();
        EXPECT_EQ(hits[0], 1u);
        expect_device_works();
    });
    EXPECT_EQ(status, 0);
    gate.open();
    waiting->synchronize();
    EXPECT_EQ(hits[0], 1u);
}

TEST(Fork, WhileOtherThreadsAreBusy) {
    testing_kernels::kernel("count_blocks");  // the test's own first use, for which fork() does not wait
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            auto stream = cpu_device().create_stream(true);
            while (!stop) {
                auto buffer = Buffer::create(stream, 40000);
                launch(*stream, "count_blocks", {10000}, {1}, buffer->data());
                stream->synchronize();
            }
        });
    for (int i = 0; i < 20; ++i) {
        int status = status_of_child([] {
            auto stream = cpu_device().create_stream(false);
            auto buffer = Buffer::create(stream, 40000);
            launch(*stream, "count_blocks", {10000}, {1}, buffer->data());
            stream->synchronize();
        });
        ASSERT_EQ(status, 0);
    }
    stop = true;
    for (std::thread& thread : threads) thread.join();
}

#endif

class Exit : public ::testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(Exit, WithAKernelThatNeverEnds) {
    EXPECT_EXIT(
        {
            static int never = 0;
            auto stream = cpu_device().create_stream(false);
            launch(*stream, "wait_for_flag", {8}, {1}, &never);
            std::exit(7);
        },
        ::testing::ExitedWithCode(7), "");
}

TEST_F(Exit, WithManyStreamsAtWork) {
    EXPECT_EXIT(
        {
            auto* streams = new std::vector<std::shared_ptr<Stream>>;
            auto* hits = new std::vector<std::uint32_t>(10000);
            for (int i = 0; i < 4; ++i) {
                streams->push_back(cpu_device().create_stream(i % 2));
                for (int round = 0; round < 2000; ++round)
                    launch(*streams->back(), "count_blocks", {10000}, {1}, hits->data());
            }
            std::exit(7);
        },
        ::testing::ExitedWithCode(7), "");
}

TEST_F(Exit, WithStreamsAndBuffersInStaticObjects) {
    EXPECT_EXIT(
        {
            static std::vector<std::shared_ptr<Buffer>> buffers;
            static auto stream = cpu_device().create_stream(false);
            for (int round = 0; round < 500; ++round) {
                buffers.push_back(Buffer::create(stream, 40000));
                launch(*stream, "count_blocks", {10000}, {1}, buffers.back()->data());
            }
            std::exit(7);
        },
        ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace lanewise
