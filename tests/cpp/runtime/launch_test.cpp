#include <gtest/gtest.h>

#include <cfenv>
#include <numeric>
#include <thread>

#include "test_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lanewise {
namespace {

using testing_kernels::error_of;
using testing_kernels::Gate;
using testing_kernels::kernel;
using testing_kernels::launch;
using testing_kernels::pack;

std::shared_ptr<Stream> new_stream() {
    return cpu_device().create_stream(false);
}

TEST(Launch, RunsEveryThread) {
    auto stream = new_stream();
    std::vector<float> in(10000), out(10000);
    std::iota(in.begin(), in.end(), -5000.0f);
    launch(*stream, "scale", {40}, {256}, out.data(), in.data(), 0.5, std::int64_t{10000});
    stream->synchronize();
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], in[i] * 0.5f);
}

TEST(Launch, RunsEveryBlockOnce) {
    auto stream = new_stream();
    for (std::uint32_t blocks : {1u, 2u, 3u, 17u, 1000u, 65537u}) {
        std::vector<std::uint32_t> hits(blocks);
        for (int round = 1; round <= 3; ++round) {
            launch(*stream, "count_blocks", {blocks}, {32}, hits.data());
            stream->synchronize();
            for (std::uint32_t hit : hits) ASSERT_EQ(hit, static_cast<std::uint32_t>(round));
        }
    }
}

TEST(Launch, CountsBlocksOfAllDimensions) {
    auto stream = new_stream();
    std::vector<std::uint32_t> hits(3 * 4 * 5);
    launch(*stream, "count_blocks", {3, 4, 5}, {1}, hits.data());
    stream->synchronize();
    for (std::uint32_t hit : hits) EXPECT_EQ(hit, 1u);
}

TEST(Launch, IsAsynchronous) {
    auto stream = new_stream();
    Gate gate(*stream);
    EXPECT_FALSE(stream->query());
    gate.open();
    stream->synchronize();
    EXPECT_TRUE(stream->query());
}

TEST(Launch, CopiesItsParameters) {
    auto stream = new_stream();
    float in = 3, out = 0;
    Gate gate(*stream);
    std::vector<std::byte> parameters = pack(&out, &in, 2.0, std::int64_t{1});
    stream->launch(*kernel("scale"), LaunchConfig{{1}, {1}}, parameters);
    std::fill(parameters.begin(), parameters.end(), std::byte{0});
    gate.open();
    stream->synchronize();
    EXPECT_EQ(out, 6);
}

TEST(Launch, TakesLargeParameters) {
    auto stream = new_stream();
    std::vector<std::byte> parameters(1032);
    std::int64_t expected = 0, out = 0;
    for (std::size_t i = 0; i < 1024; ++i) {
        parameters[i] = static_cast<std::byte>(i * 7);
        expected += static_cast<std::uint8_t>(i * 7);
    }
    std::int64_t* pointer = &out;
    std::memcpy(parameters.data() + 1024, &pointer, 8);
    stream->launch(*kernel("large_parameters"), LaunchConfig{{1}, {1}}, parameters);
    stream->synchronize();
    EXPECT_EQ(out, expected);
}

TEST(Launch, GivesEachBlockSharedMemoryAndContext) {
    auto stream = new_stream();
    auto scratch = kernel("use_scratch");
    for (std::uint32_t threads : {1u, 33u, 1024u}) {
        std::vector<std::int64_t> out(50);
        for (std::uint32_t dynamic : {0u, 8u, 48u * 1024u - 16u}) {
            LaunchConfig config{{50}, {threads}};
            config.dynamic_shared_bytes = dynamic;
            stream->launch(*scratch, config, pack(out.data()));
            stream->synchronize();
            for (std::int64_t block = 0; block < 50; ++block)
                ASSERT_EQ(out[static_cast<std::size_t>(block)],
                          std::int64_t{threads} * (threads - 1) / 2 + block * (dynamic / 8));
        }
    }
}

TEST(Launch, OptsInToMoreSharedMemory) {
    auto stream = new_stream();
    auto module = cpu_device().load(testing_kernels::image());
    auto scratch = module->kernel("use_scratch");
    std::int64_t out = 0;
    LaunchConfig config{{1}, {1}};
    config.dynamic_shared_bytes = 200 * 1024;
    Error error = error_of([&] { stream->launch(*scratch, config, pack(&out)); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_NE(std::string(error.what()).find("max_dynamic_shared_size_bytes"), std::string::npos) << error.what();
    scratch->set_attribute(KernelAttribute::MaxDynamicSharedBytes, 200 * 1024);
    EXPECT_EQ(scratch->attribute(KernelAttribute::MaxDynamicSharedBytes), 200 * 1024);
    stream->launch(*scratch, config, pack(&out));
    stream->synchronize();
    error = error_of([&] { scratch->set_attribute(KernelAttribute::MaxDynamicSharedBytes, 227 * 1024 - 15); });
    EXPECT_NE(std::string(error.what()).find("from 0 to 232432"), std::string::npos) << error.what();
    EXPECT_THROW(scratch->set_attribute(KernelAttribute::Registers, 1), Error);
    EXPECT_THROW(scratch->set_attribute(KernelAttribute::PreferredSharedCarveout, 101), Error);
}

TEST(Launch, RefusesWhatTheDeviceCannotRun) {
    auto stream = new_stream();
    Error error = error_of([&] { launch(*stream, "mismatch", {1}, {1025}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_STREQ(
        error.what(),
        "launch of kernel 'mismatch': block (1025, 1, 1) has 1025 threads in dimension x; cpu allows at most 1024");
    EXPECT_THROW(launch(*stream, "mismatch", {0}, {1}), Error);
    EXPECT_THROW(launch(*stream, "scale", {1}, {1}, 1.0), Error);
}

TEST(Launch, KernelsSeeDefaultFloatingPoint) {
#if defined(__x86_64__)
    auto stream = new_stream();
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);  // flush denormals, results and operands
    _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
    unsigned strange = _mm_getcsr() & ~0x3fu;
    for (int round = 0; round < 50; ++round) {
        float out[2] = {};
        launch(*stream, "float_state", {1}, {1}, &out[0]);
        stream->synchronize();
        std::uint32_t bits[2];
        std::memcpy(bits, out, sizeof bits);
        ASSERT_EQ(bits[0], 713624u);      // 1e-39 as a denormal float
        ASSERT_EQ(bits[1], 0x3eaaaaabu);  // 1/3 rounded to nearest
        ASSERT_EQ(_mm_getcsr() & ~0x3fu, strange);
    }
    _mm_setcsr(before);
#endif
}

TEST(Launch, ServicesWork) {
    auto stream = new_stream();
    std::uint64_t out[4] = {};
    launch(*stream, "call_services", {1}, {1}, &out[0]);
    stream->synchronize();
    EXPECT_GT(out[2], out[0]);
    EXPECT_GE(out[3], out[1] + 1000000);
}

TEST(Launch, FromManyThreads) {
    std::vector<std::thread> threads;
    auto shared_stream = new_stream();
    std::vector<std::uint32_t> shared_hits(64);
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&] {
            auto stream = new_stream();
            std::vector<std::uint32_t> hits(64);
            for (int i = 0; i < 200; ++i) {
                launch(*stream, "count_blocks", {64}, {8}, hits.data());
                launch(*shared_stream, "count_blocks", {64}, {8}, shared_hits.data());
                if (i % 10 == 0) shared_stream->synchronize();
            }
            stream->synchronize();
            for (std::uint32_t hit : hits) ASSERT_EQ(hit, 200u);
        });
    for (std::thread& thread : threads) thread.join();
    shared_stream->synchronize();
    for (std::uint32_t hit : shared_hits) EXPECT_EQ(hit, 1200u);
}

TEST(KernelReports, AreThrownOnceByTheNextSynchronize) {
    auto stream = new_stream();
    launch(*stream, "raise_from", {4}, {8}, std::int64_t{31});
    launch(*stream, "raise_from", {1}, {8}, std::int64_t{0});
    Error error = error_of([&] { stream->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_EQ(error.python_class, "AssertionError");
    EXPECT_STREQ(error.what(),
                 "thread 31 is too large [kernel 'raise_from', thread (7, 0, 0) of block (3, 0, 0)]\n"
                 "  program.py:8:5\n"
                 "        assert cuda.grid(1) < limit\n"
                 "        ^^^^^^^^^^^^^^^^^^^^^^^^^^^");
    stream->synchronize();
    cpu_device().synchronize();
    launch(*stream, "raise_from", {4}, {8}, std::int64_t{32});
    stream->synchronize();
}

TEST(KernelReports, StayWithTheirStream) {
    auto bad = new_stream(), good = new_stream();
    launch(*bad, "raise_from", {1}, {1}, std::int64_t{0});
    while (!bad->query()) std::this_thread::yield();
    launch(*good, "raise_from", {1}, {1}, std::int64_t{1});
    good->synchronize();
    EXPECT_EQ(error_of([&] { cpu_device().synchronize(); }).kind(), ErrorKind::KernelRaised);
    bad->synchronize();
}

TEST(KernelReports, SurfaceInCopiesToPageableMemoryAndEvents) {
    auto stream = new_stream();
    int from = 1, to = 0;
    launch(*stream, "raise_from", {1}, {1}, std::int64_t{0});
    EXPECT_EQ(error_of([&] { stream->copy_to_host(&to, &from, sizeof to); }).kind(), ErrorKind::KernelRaised);
    EXPECT_EQ(to, 1);
    launch(*stream, "raise_from", {1}, {1}, std::int64_t{0});
    auto event = cpu_device().create_event();
    stream->record(*event);
    EXPECT_EQ(error_of([&] { event->synchronize(); }).kind(), ErrorKind::KernelRaised);
    stream->synchronize();
}

TEST(KernelReports, TrapsEndTheLaunch) {
    auto stream = new_stream();
    std::uint32_t hits = 0;
    launch(*stream, "trap_first", {1}, {8}, &hits);
    Error error = error_of([&] { stream->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_EQ(error.python_class, "RuntimeError");
    EXPECT_STREQ(error.what(), "kernel 'trap_first' trapped in thread (5, 0, 0) of block (0, 0, 0)");
}

TEST(KernelReports, BarrierMismatchNamesTheLine) {
    auto stream = new_stream();
    launch(*stream, "mismatch", {1}, {8});
    Error error = error_of([&] { stream->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_NE(std::string(error.what()).find("a barrier (line 12) was reached by some threads"), std::string::npos)
        << error.what();
}

TEST(Cooperative, BlocksMeet) {
    auto stream = new_stream();
    auto rounds_kernel = kernel("grid_rounds");
    for (std::uint32_t blocks : {1u, 2u, 5u, 30u}) {
        constexpr std::int64_t rounds = 6;
        std::vector<std::int64_t> sums(blocks * (rounds + 1), 1);
        launch(*stream, "grid_rounds", {blocks}, {32}, sums.data(), rounds);
        stream->synchronize();
        std::int64_t total = blocks;
        for (std::int64_t round = 1; round <= rounds; ++round) {
            std::int64_t next = 0;
            for (std::int64_t i = 0; i < blocks; ++i) {
                ASSERT_EQ(sums[static_cast<std::size_t>(round * blocks + i)], total + i);
                next += total + i;
            }
            total = next;
        }
    }
}

TEST(Cooperative, ABlockThatEndsIsReported) {
    auto stream = new_stream();
    launch(*stream, "grid_deserter", {3}, {1});
    Error error = error_of([&] { stream->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_NE(std::string(error.what()).find("barrier"), std::string::npos) << error.what();
}

TEST(Cooperative, RefusesGridsThatCannotRunAtOnce) {
    auto stream = new_stream();
    int most = kernel("grid_deserter")->max_active_blocks(256, 0) *
               static_cast<int>(cpu_device().attribute(DeviceAttribute::MultiprocessorCount));
    std::uint32_t blocks = static_cast<std::uint32_t>(most) + 1;
    Error error = error_of([&] { launch(*stream, "grid_deserter", {blocks}, {256}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_NE(std::string(error.what()).find("at most " + std::to_string(most) + " blocks"), std::string::npos)
        << error.what();
}

}  // namespace
}  // namespace lanewise
