// Warp operations: exchanges among 32 lanes, also of blocks that are no multiple of 32 or have several dimensions.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

Program& program() {
    static Program compiled(kernel_file("warps"));
    return compiled;
}

std::vector<int> values(std::size_t count) {
    std::vector<int> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<int>(i * 7 % 11);
    return x;
}

/// The value of `lane`'s neighbour `source`, or its own if that is outside [low, high] or does not exist.
int read(const std::vector<int>& x, int thread, int source, int low, int high) {
    const int warp = thread & ~31;
    const bool readable = source >= low && source <= high && warp + source < static_cast<int>(x.size());
    return x[readable ? warp + source : thread];
}

TEST(Warps, Shuffles) {
    for (const Extent block :
         {Extent{64}, Extent{33}, Extent{50}, Extent{7}, Extent{8, 8}, Extent{32, 3}, Extent{5, 3, 4}}) {
        const int n = static_cast<int>(block.x * block.y * block.z), amount = 3;
        const std::vector<int> x = values(n);
        std::vector<int> out(8 * n);
        program().launch("shuffles", {1}, block, 0, x.data(), out.data(), amount);
        for (int t = 0; t < n; ++t) {
            const int lane = t & 31, eighth = lane & ~7, half = lane & ~15;
            const int expected[] = {read(x, t, lane + 3, 0, 31),
                                    read(x, t, lane - 5, 0, 31),
                                    read(x, t, lane ^ 7, 0, 31),
                                    read(x, t, 9, 0, 31),
                                    read(x, t, (x[t] + amount) & 31, 0, 31),
                                    read(x, t, lane + amount, eighth, eighth + 7),
                                    read(x, t, lane - amount, eighth, eighth + 7),
                                    read(x, t, half + amount, half, half + 15)};
            for (int k = 0; k < 8; ++k) ASSERT_EQ(out[k * n + t], expected[k]) << n << ": " << t << ' ' << k;
        }
    }
}

TEST(Warps, VotesMatchesAndReductions) {
    for (const std::uint32_t n : {64u, 33u, 50u, 5u}) {
        const std::vector<int> x = values(n);
        std::vector<int> out(10 * n);
        program().launch("votes", {1}, {n}, 0, x.data(), out.data());
        for (std::uint32_t t = 0; t < n; ++t) {
            const std::uint32_t first = t & ~31u, end = std::min(first + 32, n);
            unsigned ballot = 0, match = 0, present = 0;
            bool all = true, any = false, uniform = true;
            int sum = 0, least = 100, most = 0;
            for (std::uint32_t i = first; i < end; ++i) {
                present |= 1u << (i - first);
                if (x[i] > 2) ballot |= 1u << (i - first);
                if (x[i] / 3 == x[t] / 3) match |= 1u << (i - first);
                all &= x[i] > -1;
                any |= x[i] > 6;
                uniform &= (x[i] > 2) == (x[first] > 2);
                sum += x[i];
                least = std::min(least, x[i] - 4);
                most = std::max(most, x[i]);
            }
            const int expected[] = {static_cast<int>(ballot),  all, any, uniform, static_cast<int>(match),
                                    static_cast<int>(present), 1,   sum, least,   most};
            for (int k = 0; k < 10; ++k) ASSERT_EQ(out[k * n + t], expected[k]) << n << ": " << t << ' ' << k;
        }
    }
}

TEST(Warps, PartialMasksInBranches) {
    for (const int n : {64, 50}) {
        const std::vector<int> x = values(n);
        std::vector<int> out(2 * n);
        program().launch("partial_masks", {1}, {static_cast<std::uint32_t>(n)}, 0, x.data(), out.data());
        for (int t = 0; t < n; ++t) {
            const int lane = t & 31, warp = t & ~31;
            const bool low = lane < 12;
            unsigned ballot = 0;
            for (int i = low ? 0 : 12; i < (low ? 12 : 32); ++i) {
                if (warp + i < n && x[warp + i] > (low ? 2 : 4)) ballot |= 1u << i;
            }
            ASSERT_EQ(out[t], static_cast<int>(ballot)) << n << ' ' << t;
            const int source = low ? (lane + 4 < 12 ? t + 4 : t) : (warp + 20 < n ? warp + 20 : t);
            ASSERT_EQ(out[n + t], x[source]) << n << ' ' << t;
        }
    }
}

TEST(Warps, ActiveMaskOfABranch) {
    std::vector<int> out(100);
    program().launch("active_lanes", {1}, {50}, 0, out.data());
    for (int t = 0; t < 50; ++t) {
        unsigned branch = 0, all = 0;
        for (int i = 0; i < 32 && (t & ~31) + i < 50; ++i) {
            all |= 1u << i;
            if (((t & ~31) + i) % 3 == 0) branch |= 1u << i;
        }
        ASSERT_EQ(out[t], t % 3 == 0 ? static_cast<int>(branch) : 0) << t;
        ASSERT_EQ(out[50 + t], static_cast<int>(all)) << t;
    }
}

TEST(Warps, BlockReduction) {
    for (const std::uint32_t block : {32u, 50u, 256u, 1000u}) {
        const std::vector<int> x = values(3000);
        const std::uint32_t grid = (3000 + block - 1) / block;
        std::vector<int> out(grid);
        program().launch("block_reduce", {grid}, {block}, 0, x.data(), out.data(), 3000);
        // In a partial warp an absent lane gives the reader its own value, so the textbook reduction counts it twice:
        // as on a device, blocks of whole warps are needed.
        if (block % 32 != 0) continue;
        for (std::uint32_t b = 0; b < grid; ++b) {
            const auto first = x.begin() + b * block;
            ASSERT_EQ(out[b], std::accumulate(first, std::min(first + block, x.end()), 0)) << block << ' ' << b;
        }
    }
}

TEST(Warps, OneRowEach) {
    const std::vector<int> start = {0, 5, 5, 100, 140, 141, 300, 301};
    const std::vector<int> value = values(301);
    for (const std::uint32_t block : {32u, 128u}) {
        std::vector<int> out(7, -1);
        program().launch("warp_rows", {224 / block + 1}, {block}, 0, start.data(), value.data(), out.data(), 7);
        for (int r = 0; r < 7; ++r) {
            ASSERT_EQ(out[r], std::accumulate(value.begin() + start[r], value.begin() + start[r + 1], 0)) << r;
        }
    }
}

TEST(Warps, LoopsOfDifferentLength) {
    for (const std::uint32_t n : {96u, 50u}) {
        std::vector<int> x(n), out(n);
        for (std::uint32_t i = 0; i < n; ++i) x[i] = static_cast<int>(i / 32 * 10 + i % 7);
        program().launch("warp_loop", {1}, {n}, 0, x.data(), out.data());
        for (std::uint32_t first = 0; first < n; first += 32) {
            std::vector<int> v(x.begin() + first, x.begin() + std::min(first + 32, n));
            int rounds = 0;
            while (std::ranges::any_of(v, [](int value) { return value > 0; })) {
                for (std::size_t i = 0; i < v.size(); ++i) v[i] -= 1 + static_cast<int>(i & 1);
                ++rounds;
            }
            for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(out[first + i], rounds * 100 + v[i]) << n << ' ' << i;
        }
    }
}

TEST(Warps, EndedLanesDoNotCount) {
    for (const std::uint32_t block : {64u, 50u}) {
        for (const int n : {0, 1, 40}) {
            const std::vector<int> x = values(block);
            std::vector<int> out(2 * block, -1);
            program().launch("vote_after_return", {1}, {block}, 0, x.data(), out.data(), n);
            for (int t = 0; t < static_cast<int>(block); ++t) {
                if (t >= n) {
                    ASSERT_EQ(out[t], -1);
                    continue;
                }
                const int there = std::min(32, n - (t & ~31));
                ASSERT_EQ(out[t], static_cast<int>(there == 32 ? ~0u : (1u << there) - 1)) << n << ' ' << t;
                ASSERT_EQ(out[block + t], (t & 31) + 1 < there ? x[t + 1] : x[t]) << n << ' ' << t;
            }
        }
    }
}

TEST(Warps, AggregationByMatchedKeys) {
    std::vector<int> key(64), count(164);
    for (int i = 0; i < 64; ++i) key[i] = i * i % 5;
    program().launch("aggregate", {1}, {64}, 0, key.data(), count.data());
    for (int k = 0; k < 5; ++k) ASSERT_EQ(count[k], std::ranges::count(key, k));
    for (int t = 0; t < 64; ++t) {
        int leader = t & ~31;
        while (key[leader] != key[t]) ++leader;
        ASSERT_EQ(count[100 + t], leader) << t;
    }
}

TEST(Warps, FloatsKeepTheirBits) {
    std::vector<float> x(32), out(32);
    for (int i = 0; i < 32; ++i) x[i] = 1.0f / (i + 1);
    program().launch("float_shuffle", {1}, {32}, 0, x.data(), out.data());
    std::vector<float> v = x;
    for (int d = 16; d; d /= 2) {
        std::vector<float> next(32);
        for (int i = 0; i < 32; ++i) next[i] = v[i] + v[i ^ d];
        v = next;
    }
    EXPECT_EQ(out, v);
}

TEST(Warps, BarrierOrdersSharedMemory) {
    const std::vector<int> x = values(128);
    std::vector<int> out(128);
    program().launch("warp_barrier", {1}, {128}, 0, x.data(), out.data());
    for (int t = 0; t < 128; ++t) ASSERT_EQ(out[t], x[t ^ 3] * 3) << t;
}

constexpr const char* shuffle_with_predicate = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
define ptx_kernel void @k(ptr %x, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr i32, ptr %x, i32 %t
  %v = load i32, ptr %px
  %r = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v, i32 20, i32 31)
  %value = extractvalue { i32, i1 } %r, 0
  %inside = extractvalue { i32, i1 } %r, 1
  %wide = zext i1 %inside to i32
  %twice = mul i32 %value, 2
  %sum = add i32 %twice, %wide
  %po = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %po
  ret void
}
)";

TEST(Warps, ShufflesTellWhetherTheSourceWasInRange) {
    Program program(shuffle_with_predicate);
    for (const std::uint32_t n : {32u, 45u}) {
        const std::vector<int> x = values(n);
        std::vector<int> out(n);
        program.launch("k", {1}, {n}, 0, x.data(), out.data());
        for (int t = 0; t < static_cast<int>(n); ++t) {
            const int lane = t & 31;
            ASSERT_EQ(out[t], read(x, t, lane + 20, 0, 31) * 2 + (lane + 20 < 32)) << t;
        }
    }
}

}  // namespace
}  // namespace lanewise::cpu::testing
