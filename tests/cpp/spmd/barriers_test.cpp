// Kernels with barriers: regions, values that live across them, divergent and partial meetings.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

Program& program() {
    static Program compiled(kernel_file("barriers"));
    return compiled;
}

std::vector<int> counting(std::size_t count, int start = 0) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), start);
    return values;
}

TEST(Barriers, TreeReduction) {
    for (const std::uint32_t block : {1u, 2u, 64u, 256u}) {
        const std::vector<int> x = counting(1000, 1);
        const std::uint32_t grid = (1000 + block - 1) / block;
        std::vector<int> out(grid);
        program().launch("tree_reduce", {grid}, {block}, 0, x.data(), out.data(), 1000);
        for (std::uint32_t b = 0; b < grid; ++b) {
            const auto first = x.begin() + b * block;
            ASSERT_EQ(out[b], std::accumulate(first, std::min(first + block, x.end()), 0)) << block << ' ' << b;
        }
    }
}

TEST(Barriers, TransposeInTwoDimensions) {
    for (const auto& [width, height] : {std::pair{64, 32}, {37, 51}, {1, 1}}) {
        const std::vector<int> in = counting(std::size_t(width) * height);
        const auto check = [&](const std::vector<int>& out) {
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) ASSERT_EQ(out[x * height + y], in[y * width + x]) << x << ' ' << y;
            }
        };
        std::vector<int> out(in.size(), -1);
        program().launch("transpose", {std::uint32_t(width + 15) / 16, std::uint32_t(height + 15) / 16}, {16, 16}, 0,
                         in.data(), out.data(), width, height);
        check(out);
        out.assign(in.size(), -1);
        program().launch("transpose_rows", {std::uint32_t(width + 31) / 32, std::uint32_t(height + 31) / 32}, {32, 8},
                         0, in.data(), out.data(), width, height);
        check(out);
    }
}

TEST(Barriers, LoopCarriesValuesAcrossThem) {
    for (const std::uint32_t block : {3u, 50u, 256u}) {
        for (const int steps : {0, 1, 7}) {
            const std::vector<int> in = counting(std::size_t(block) * 3);
            std::vector<int> out(in.size());
            program().launch("relax", {3}, {block}, 0, in.data(), out.data(), steps);
            std::vector<int> expected = in;
            for (std::size_t b = 0; b < 3; ++b) {
                std::vector<int> s(in.begin() + b * block, in.begin() + (b + 1) * block);
                for (int k = 0; k < steps; ++k) {
                    std::vector<int> next(block);
                    for (std::uint32_t t = 0; t < block; ++t) {
                        next[t] = s[(t + block - 1) % block] + s[(t + 1) % block] + k;
                    }
                    s = next;
                }
                std::copy(s.begin(), s.end(), expected.begin() + b * block);
            }
            ASSERT_EQ(out, expected) << block << ' ' << steps;
        }
    }
}

TEST(Barriers, InclusiveScan) {
    for (const std::uint32_t block : {1u, 33u, 256u}) {
        const std::vector<int> in = counting(std::size_t(block) * 2, 3);
        std::vector<int> out(in.size()), expected(in.size());
        program().launch("scan", {2}, {block}, 0, in.data(), out.data());
        for (std::size_t b = 0; b < 2; ++b) {
            std::partial_sum(in.begin() + b * block, in.begin() + (b + 1) * block, expected.begin() + b * block);
        }
        ASSERT_EQ(out, expected);
    }
}

TEST(Barriers, UnderAUniformCondition) {
    for (const int flag : {0, 5}) {
        for (const int other : {0, 1}) {
            std::vector<int> out(40);
            program().launch("uniform_condition", {1}, {40}, 0, out.data(), flag, other);
            for (int t = 0; t < 40; ++t) {
                const int from = (t + 1) % 40;
                ASSERT_EQ(out[t], flag > 2 ? 39 - from + (other ? 1000 : 0) : from + 7) << flag << other << t;
            }
        }
    }
}

TEST(Barriers, LoopEndsBySharedMemory) {
    std::vector<int> x = {5, 1, 1, 9, 2, 3, 0, 0, /* second block */ 0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<int> rounds(2);
    program().launch("until_stable", {2}, {8}, 0, x.data(), rounds.data());
    EXPECT_EQ(x, (std::vector{5, 5, 5, 9, 9, 9, 9, 9, 0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(rounds, (std::vector{5, 1}));
}

TEST(Barriers, ThreadsMeetInDifferentBranches) {
    std::vector<int> out(2 * 90);
    program().launch("divergent_barrier", {2}, {90}, 0, out.data());
    for (int i = 0; i < 180; ++i) {
        const int t = i % 90, other = 89 - t, s = other < 30 ? other : other + 100;
        ASSERT_EQ(out[i], t < 30 ? s : 2 * s) << i;
    }
    EXPECT_FALSE(program().barrier_mismatch());
}

TEST(Barriers, DifferentTripCounts) {
    std::vector<int> out(70);
    program().launch("divergent_loop", {1}, {70}, 0, out.data());
    for (int t = 0; t < 70; ++t) ASSERT_EQ(out[t], (t % 3 + 1) * (t % 3 + 2) / 2) << t;
}

TEST(Barriers, ThreadsReturnedBefore) {
    for (const int n : {0, 1, 60, 100, 128}) {
        const std::vector<int> in = counting(128, 1);
        std::vector<int> out(128, -7);
        program().launch("early_return", {2}, {64}, 0, in.data(), out.data(), n);
        for (int i = 0; i < 128; ++i) {
            if (i >= n) {
                ASSERT_EQ(out[i], -7) << n << ' ' << i;
                continue;
            }
            const int next = i / 64 * 64 + (i + 1) % 64;
            const int value = next < n ? in[next] : -1;
            ASSERT_EQ(out[i], value + 2 * value) << n << ' ' << i;
        }
    }
}

TEST(Barriers, ThreadsReturnInALoop) {
    std::vector<int> out(2 * 50);
    program().launch("return_in_loop", {2}, {50}, 0, out.data());
    for (int i = 0; i < 100; ++i) ASSERT_EQ(out[i], (i % 50) * (i % 50 - 1) / 2) << i;
}

TEST(Barriers, CountAndOr) {
    const std::vector<int> x = {1, 2, 3, 4, 5, 6, 7, 0, 9, 1, 4, 4};
    std::vector<int> out(12);
    program().launch("vote_barriers", {3}, {4}, 0, x.data(), out.data());
    EXPECT_EQ(out, (std::vector{6, 6, 6, 6, 12, 12, 12, 12, 15, 15, 15, 15}));
    std::vector<int> some(12, -1);
    program().launch("vote_after_return", {1}, {12}, 0, x.data(), some.data(), 7);
    for (int t = 0; t < 12; ++t) ASSERT_EQ(some[t], t < 7 ? 9 : -1);
}

TEST(Barriers, LocalArraysKeepTheirContents) {
    const std::vector<int> where = counting(40, 3);
    std::vector<int> out(40);
    program().launch("local_array", {1}, {40}, 0, where.data(), out.data());
    for (int t = 0; t < 40; ++t) {
        int a[5], sum = 0;
        for (int k = 0; k < 5; ++k) a[k] = t * 10 + k;
        a[where[t] % 5] += 1000;
        for (int k = 0; k < 5; ++k) sum += a[k] * (k + 1);
        ASSERT_EQ(out[t], sum + a[(where[t] + 1) % 5]) << t;
    }
    program().launch("local_address", {1}, {40}, 0, out.data());
    for (int t = 0; t < 40; ++t) ASSERT_EQ(out[t], (t + (t % 2 ? 5 : 0)) * 1000 + 2 * t + (t % 2 ? 0 : 5)) << t;
}

TEST(Barriers, NestedLoops) {
    const std::vector<int> x = counting(50);
    std::vector<int> out(100);
    program().launch("nested_loops", {2}, {50}, 0, x.data(), out.data(), 4, 2);
    std::vector<int> s = x, sum(50);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2 + i; ++j) {
            std::vector<int> next(50);
            for (int t = 0; t < 50; ++t) {
                next[t] = s[(t + j) % 50] + i;
                sum[t] += s[(t + j) % 50];
            }
            s = next;
        }
        if (i % 2 == 0) std::ranges::for_each(s, [](int& v) { v -= 1; });
    }
    for (int i = 0; i < 100; ++i) ASSERT_EQ(out[i], sum[i % 50] + s[i % 50]) << i;
}

TEST(Barriers, DynamicSharedMemoryLiesBehindTheStatic) {
    std::vector<int> x = counting(300);
    program().launch("reverse_dynamic", {1}, {64}, 300 * sizeof(int), x.data(), 300);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(x[i], 299 - i + 5) << i;
    EXPECT_TRUE(program().entry("reverse_dynamic").uses_dynamic_shared);
    EXPECT_EQ(program().entry("reverse_dynamic").static_shared_bytes, 4u);
    EXPECT_EQ(program().entry("tree_reduce").static_shared_bytes, 1024u);
    EXPECT_FALSE(program().entry("tree_reduce").uses_dynamic_shared);
}

TEST(Barriers, ThreeDimensions) {
    std::vector<int> out(30 * 8);
    program().launch("cube", {2, 2, 2}, {5, 3, 2}, 0, out.data());
    for (int b = 0; b < 8; ++b) {
        for (int i = 0; i < 30; ++i) {
            const int x = i % 5, y = i / 5 % 3, z = i / 15;
            ASSERT_EQ(out[b * 30 + i], (1 - z) * 100 + (2 - y) * 10 + (4 - x) + b * 1000) << b << ' ' << i;
        }
    }
}

TEST(Barriers, LastBlockFinishes) {
    const std::vector<int> x = counting(1000);
    std::vector<int> partial(16);
    int out = 0;
    program().launch("last_block", {16}, {64}, 0, x.data(), partial.data(), &out, 1000);
    EXPECT_EQ(out, 999 * 500);
}

TEST(Barriers, NamedOnesForPartOfTheBlock) {
    std::vector<int> out(128);
    program().launch("named_barriers", {1}, {128}, 0, out.data());
    for (int t = 0; t < 128; ++t) ASSERT_EQ(out[t], t < 64 ? 63 - t : 191 - t + 1000) << t;
}

TEST(Barriers, NeverReachedOnesAreReported) {
    std::vector<int> out(96);
    program().launch("mismatch", {1}, {96}, 0, out.data());
    EXPECT_TRUE(program().barrier_mismatch());
}

TEST(Barriers, AcrossTheGrid) {
    std::vector<int> x(128), out(128);
    EXPECT_TRUE(program().entry("grid_barrier").cooperative);
    program().launch("grid_barrier", {4}, {32}, 0, x.data(), out.data());
    for (int i = 0; i < 128; ++i) ASSERT_EQ(out[i], (i + 32) % 128 + i % 32) << i;
}

}  // namespace
}  // namespace lanewise::cpu::testing
