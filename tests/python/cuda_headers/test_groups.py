"""Cooperative groups, and the warp functions below them."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

pytestmark = pytest.mark.usefixtures("device")

BEFORE = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
"""


def run(body, dtype="int32", threads=64, before=""):
    """What each thread of a block stores as `out` of its rank `t` within the block and its value `x` = 3 t + 1."""
    element = {"int32": "int", "float64": "double", "uint32": "unsigned", "int64": "long long"}[dtype]
    code = f"""{BEFORE}{before}
extern "C" __global__ void kernel({element}* all) {{
    const int t = threadIdx.x;
    {element} x = 3 * t + 1, out = 0;
    cg::thread_block block = cg::this_thread_block();
    {body}
    all[t] = out;
}}"""
    all_ = _core.Array.from_host(np.zeros(threads, dtype))
    RawKernel(code, "kernel", backend="clang")(1, threads, (all_,))
    return all_.to_host()


T = np.arange(64)
X = 3 * T + 1


def tiles(values, size):
    return values.reshape(-1, size)


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16, 32])
def test_tiles_know_their_members(size):
    got = run(
        f"auto tile = cg::tiled_partition<{size}>(block);"
        "out = tile.thread_rank() + 100 * tile.size() + 10000 * tile.meta_group_rank();"
        "out += 1000000 * tile.meta_group_size();"
    )
    np.testing.assert_array_equal(got, T % size + 100 * size + 10000 * (T // size) + 1000000 * (64 // size))


@pytest.mark.parametrize("dtype", ["int32", "float64", "int64"])
@pytest.mark.parametrize("size", [4, 32])
def test_tiles_exchange(size, dtype):
    tile = f"auto tile = cg::tiled_partition<{size}>(block);"
    rank, groups = T % size, tiles(X, size)
    up = np.where(rank >= 1, X - 3, X)
    down = np.where(rank + 1 < size, X + 3, X)
    np.testing.assert_array_equal(run(tile + "out = tile.shfl(x, 1);", dtype), np.repeat(groups[:, 1], size))
    np.testing.assert_array_equal(run(tile + "out = tile.shfl_up(x, 1);", dtype), up)
    np.testing.assert_array_equal(run(tile + "out = tile.shfl_down(x, 1);", dtype), down)
    np.testing.assert_array_equal(run(tile + "out = tile.shfl_xor(x, 1);", dtype), 3 * (T ^ 1) + 1)


def test_structures_travel_whole():
    got = run(
        "Item item = {t, 1.5 * t, (char)t}; auto tile = cg::tiled_partition<8>(block);"
        "item = tile.shfl(item, 2); out = item.i + item.d + item.c;",
        "float64",
        before="struct Item { int i; double d; char c; };",
    )
    source = T // 8 * 8 + 2
    np.testing.assert_array_equal(got, source * 3.5)


@pytest.mark.parametrize("size", [2, 16, 32])
def test_tiles_reduce_and_scan(size):
    tile = f"auto tile = cg::tiled_partition<{size}>(block);"
    groups = tiles(X, size)
    for op, expected in {
        "cg::plus<int>()": groups.sum(1),
        "cg::greater<int>()": groups.max(1),
        "cg::less<int>()": groups.min(1),
        "cg::bit_xor<int>()": np.bitwise_xor.reduce(groups, 1),
    }.items():
        np.testing.assert_array_equal(run(tile + f"out = cg::reduce(tile, x, {op});"), np.repeat(expected, size))
    np.testing.assert_array_equal(run(tile + "out = cg::inclusive_scan(tile, x);"), groups.cumsum(1).ravel())
    np.testing.assert_array_equal(run(tile + "out = cg::exclusive_scan(tile, x);"), (groups.cumsum(1) - groups).ravel())


def test_tiles_vote():
    tile = "auto tile = cg::tiled_partition<8>(block);"
    odd = tiles(T % 3 == 0, 8)
    ballot = (odd * (1 << np.arange(8))).sum(1)
    np.testing.assert_array_equal(run(tile + "out = tile.ballot(t % 3 == 0);"), np.repeat(ballot, 8))
    np.testing.assert_array_equal(run(tile + "out = tile.any(t == 9) != 0;"), T // 8 == 1)
    np.testing.assert_array_equal(run(tile + "out = tile.all(t >= 8) != 0;"), T >= 8)
    same = [sum(1 << j for j in range(8) if (8 * (t // 8) + j) % 3 == t % 3) for t in T]
    np.testing.assert_array_equal(run(tile + "out = tile.match_any(t % 3);"), same)


def test_coalesced_threads_are_those_that_came():
    def body(expression):
        return f"if (t % 3 == 1) {{ auto group = cg::coalesced_threads(); out = {expression}; }}"

    came = T % 3 == 1
    warps = [T[(T // 32 == w) & came] for w in range(2)]
    rank = np.concatenate([np.arange(len(w)) for w in warps])
    size = np.concatenate([np.full(len(w), len(w)) for w in warps])

    def placed(values):
        result = np.zeros(64, int)
        result[came] = values
        return result

    np.testing.assert_array_equal(run(body("group.thread_rank()")), placed(rank))
    np.testing.assert_array_equal(run(body("group.size()")), placed(size))
    total = np.concatenate([np.full(len(w), X[w].sum()) for w in warps])
    np.testing.assert_array_equal(run(body("cg::reduce(group, x, cg::plus<int>())")), placed(total))
    up = np.concatenate([np.where(np.arange(len(w)) >= 2, X[w] - 18, X[w]) for w in warps])
    np.testing.assert_array_equal(run(body("group.shfl_up(x, 2)")), placed(up))
    np.testing.assert_array_equal(run(body("cg::inclusive_scan(group, 1)")), placed(rank + 1))


def test_partitions_by_label_and_by_predicate():
    got = run("auto tile = cg::tiled_partition<32>(block); out = cg::labeled_partition(tile, t % 5).size();")
    wanted = [sum(u % 5 == t % 5 for u in range(t // 32 * 32, t // 32 * 32 + 32)) for t in T]
    np.testing.assert_array_equal(got, wanted)
    got = run("auto tile = cg::tiled_partition<32>(block); out = cg::binary_partition(tile, t % 4 == 0).thread_rank();")
    wanted = [sum((u % 4 == 0) == (t % 4 == 0) for u in range(t // 32 * 32, t)) for t in T]
    np.testing.assert_array_equal(got, wanted)


def test_groups_of_kinds_known_at_run_time():
    before = "__device__ int sum(cg::thread_group g) { g.sync(); return 100 * g.size() + g.thread_rank(); }"
    np.testing.assert_array_equal(run("out = sum(block);", before=before), 6400 + T)
    np.testing.assert_array_equal(run("out = sum(cg::tiled_partition(block, 16));", before=before), 1600 + T % 16)
    np.testing.assert_array_equal(run("out = sum(cg::tiled_partition<4>(block));", before=before), 400 + T % 4)


def test_copies_are_there_after_the_wait():
    got = run(
        "__shared__ int kept[64], moved[64]; kept[t] = x; block.sync();"
        "cg::memcpy_async(block, moved, kept, sizeof kept); cg::wait(block); out = moved[63 - t];"
    )
    np.testing.assert_array_equal(got, X[::-1])


def test_all_blocks_of_a_cooperative_launch_meet():
    code = (
        BEFORE
        + """
extern "C" __global__ void meet(int* flags, int* seen) {
    cg::grid_group grid = cg::this_grid();
    flags[grid.thread_rank()] = 1;
    grid.sync();
    int sum = 0;
    for (int i = 0; i < grid.size(); ++i) sum += flags[i];
    seen[grid.thread_rank()] = sum;
}"""
    )
    flags, seen = (_core.Array.from_host(np.zeros(64, np.int32)) for _ in range(2))
    RawKernel(code, "meet", backend="clang", enable_cooperative_groups=True)(2, 32, (flags, seen))
    np.testing.assert_array_equal(seen.to_host(), 64)


def test_warp_functions():
    warp = T // 32
    np.testing.assert_array_equal(run("out = __shfl_sync(~0u, x, 40, 16);"), X[T // 16 * 16 + 8])
    np.testing.assert_array_equal(run("out = __reduce_add_sync(~0u, x);"), [X[warp == w].sum() for w in warp])
    np.testing.assert_array_equal(run("out = __reduce_max_sync(~0u, x);"), [X[warp == w].max() for w in warp])
    np.testing.assert_array_equal(run("out = __popc(__match_any_sync(~0u, t % 4));"), 8)
    np.testing.assert_array_equal(run("int same; __match_all_sync(~0u, t / 32, &same); out = same != 0;"), 1)
    np.testing.assert_array_equal(run("out = __syncthreads_count(t % 5 == 0);"), 13)
    got = run("out = __ballot_sync(~0u, t % 2);", "uint32")
    np.testing.assert_array_equal(got, 0xAAAAAAAA)
