#include "jit/per_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace lanewise::jit {
namespace {

using namespace std::chrono_literals;

TEST(PerDevice, MakesAValueOnce) {
    PerDevice<std::string> values;
    EXPECT_EQ(values.find(cpu_device()), nullptr);
    bool made = false;
    const std::string& value = values.find_or_make(cpu_device(), [] { return std::string("first"); }, &made);
    EXPECT_TRUE(made);
    EXPECT_EQ(&values.find_or_make(cpu_device(), [] { return std::string("second"); }, &made), &value);
    EXPECT_FALSE(made);
    EXPECT_EQ(values.find(cpu_device()), &value);
    EXPECT_EQ(value, "first");
}

TEST(PerDevice, ThreadsThatAskMeanwhileWait) {
    PerDevice<int> values;
    std::atomic<int> calls{0}, makers{0}, sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            bool made = false;
            sum += values.find_or_make(
                cpu_device(),
                [&] {
                    std::this_thread::sleep_for(20ms);
                    return ++calls;
                },
                &made);
            makers += made;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(makers, 1);
    EXPECT_EQ(sum, 8);
}

TEST(PerDevice, ThreadsThatWaitGetTheErrorAndTheNextOneTriesAgain) {
    PerDevice<int> values;
    std::atomic<int> calls{0}, failures{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            try {
                values.find_or_make(cpu_device(), [&]() -> int {
                    ++calls;
                    std::this_thread::sleep_for(50ms);
                    throw Error(ErrorKind::Compile, "no");
                });
            } catch (const Error& error) {
                failures += std::string(error.what()) == "no";
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures, 4);
    EXPECT_LE(calls, 4);
    EXPECT_EQ(values.find_or_make(cpu_device(), [] { return 7; }), 7);
}

}  // namespace
}  // namespace lanewise::jit
