"""Histograms, sorting, compaction and a hash table: atomics, votes and data-dependent places."""

import numpy as np
import pytest

from lanewise import cuda

SIZES = (1, 3, 31, 32, 33, 1000, 20_001)


def _zeros(n, dtype=np.uint32):
    return cuda.to_device(np.zeros(n, dtype))


@pytest.mark.parametrize("grid", [1, 9])
def test_histogram_of_bytes(compiled, rng, grid):
    kernel = compiled("histogram").get_function("histogram_bytes")
    for n in SIZES:
        for block in (32, 100, 256):
            x = rng.integers(0, 256, n, dtype=np.uint8)
            bins = _zeros(256)
            kernel((grid,), (block,), (cuda.to_device(x), n, bins))
            np.testing.assert_array_equal(bins.copy_to_host(), np.bincount(x, minlength=256))


@pytest.mark.parametrize(("c_type", "dtype"), [("float", np.float32), ("double", np.float64)])
@pytest.mark.parametrize("count", [1, 64, 1000])
def test_histogram_of_a_range(compiled, rng, c_type, dtype, count):
    name = f"histogram_range<{c_type}>"
    kernel = compiled("histogram", name).get_function(name)
    for n in SIZES:
        # Values lie at the middle of bins, some bins beyond both ends.
        x = (rng.integers(-2, count + 2, n) + 0.5).astype(dtype)
        bins = _zeros(count)
        arguments = (cuda.to_device(x), n, bins, count, dtype(0), dtype(count))
        kernel((4,), (128,), arguments, shared_mem=4 * count)
        np.testing.assert_array_equal(bins.copy_to_host(), np.histogram(x, count, (0, count))[0])


@pytest.mark.parametrize("keys", [1, 5, 4000])
def test_histogram_with_matched_lanes(compiled, rng, keys):
    kernel = compiled("histogram").get_function("histogram_matched")
    for n in SIZES:
        x = rng.integers(0, keys, n, dtype=np.int32)
        bins = _zeros(keys)
        kernel((3,), (96,), (cuda.to_device(x), n, bins))
        np.testing.assert_array_equal(bins.copy_to_host(), np.bincount(x, minlength=keys))


@pytest.mark.parametrize("order", ["Less", "Greater"])
@pytest.mark.parametrize(
    ("c_type", "dtype"),
    [("int", np.int32), ("float", np.float32), ("double", np.float64), ("unsigned char", np.uint8)],
)
def test_bitonic_sort(compiled, rng, order, c_type, dtype):
    names = [f"{step}<{c_type}, {order}>" for step in ("sort_tiles", "merge_mirrored", "merge_step", "merge_tiles")]
    module = compiled("bitonic_sort", *names)
    sort_tiles, merge_mirrored, merge_step, merge_tiles = map(module.get_function, names)
    for n in SIZES:
        for block in (32, 256):
            x = (rng.integers(0, 256, n) if dtype is np.uint8 else rng.standard_normal(n) * 1e4).astype(dtype)
            keys = cuda.to_device(x)
            tile = 2 * block
            tiles, pairs = (-(-n // tile),), (-(-n // block),)
            sort_tiles(tiles, (block,), (keys, n))
            size = 2 * tile
            while size // 2 < n:
                merge_mirrored(pairs, (block,), (keys, size, n))
                distance = size // 4
                while distance > block:
                    merge_step(pairs, (block,), (keys, distance, n))
                    distance //= 2
                merge_tiles(tiles, (block,), (keys, n))
                size *= 2
            expected = np.sort(x)
            np.testing.assert_array_equal(keys.copy_to_host(), expected if order == "Less" else expected[::-1])


@pytest.mark.parametrize(
    ("c_type", "dtype", "predicate", "keep"),
    [
        ("float", np.float32, "Positive<float>", lambda x: x > 0),
        ("int", np.int32, "Even<int>", lambda x: x % 2 == 0),
        ("long long", np.int64, "Positive<long long>", lambda x: x > 0),
    ],
)
@pytest.mark.parametrize("block", [32, 128, 1024])
def test_compaction(compiled, rng, c_type, dtype, predicate, keep, block):
    names = [f"{step}<{c_type}, {predicate}>" for step in ("compact_unordered", "compact_count", "compact_scatter")]
    module = compiled("compaction", *names)
    unordered, count_kept, scatter = map(module.get_function, names)
    offsets = module.get_function("compact_offsets")
    for n in SIZES:
        x = rng.integers(-100, 100, n).astype(dtype)
        kept = x[keep(x)]
        source, grid = cuda.to_device(x), (-(-n // block),)

        out, count = cuda.to_device(np.full(n, -77, dtype)), _zeros(1)
        unordered(grid, (block,), (source, n, out, count))
        assert count.copy_to_host()[0] == kept.size
        np.testing.assert_array_equal(np.sort(out.copy_to_host()[: kept.size]), np.sort(kept))

        out, counts, total = cuda.to_device(np.full(n, -77, dtype)), _zeros(grid[0]), _zeros(1)
        count_kept(grid, (block,), (source, n, counts))
        offsets((1,), (256,), (counts, grid[0], total))
        scatter(grid, (block,), (source, n, counts, out))
        assert total.copy_to_host()[0] == kept.size
        np.testing.assert_array_equal(out.copy_to_host()[: kept.size], kept)
        assert (out.copy_to_host()[kept.size :] == -77).all()


@pytest.mark.parametrize(("n", "capacity"), [(1, 1), (1, 64), (100, 128), (3000, 1024), (50_000, 65536)])
def test_hash_table_sums_by_key(compiled, rng, n, capacity):
    module = compiled("hash_table")
    add, find, items = (module.get_function(f"table_{name}") for name in ("add", "find", "items"))
    block, grid = (128,), (-(-n // 128),)
    distinct = rng.integers(0, 2**63, max(1, min(n, capacity * 3 // 4)), dtype=np.uint64)
    keys, values = rng.choice(distinct, n), rng.integers(0, 2**60, n, dtype=np.uint64)
    table, sums, rejected = (
        cuda.to_device(np.full(capacity, 2**64 - 1, np.uint64)),
        _zeros(capacity, np.uint64),
        _zeros(1),
    )
    add(grid, block, (cuda.to_device(keys), cuda.to_device(values), n, table, sums, capacity, rejected))
    assert rejected.copy_to_host()[0] == 0

    present, inverse = np.unique(keys, return_inverse=True)
    expected = np.zeros(present.size, np.uint64)
    np.add.at(expected, inverse, values)
    asked = np.concatenate([present, rng.integers(2**63, 2**64 - 1, 50, dtype=np.uint64)])
    found = cuda.device_array(asked.size, np.uint64)
    find((-(-asked.size // 64),), (64,), (cuda.to_device(asked), asked.size, table, sums, capacity, found))
    np.testing.assert_array_equal(found.copy_to_host()[: present.size], expected)
    assert (found.copy_to_host()[present.size :] == 2**64 - 1).all()

    out_keys, out_values, count = (
        cuda.device_array(capacity, np.uint64),
        cuda.device_array(capacity, np.uint64),
        _zeros(1),
    )
    items((-(-capacity // 128),), (128,), (table, sums, capacity, out_keys, out_values, count))
    assert count.copy_to_host()[0] == present.size
    order = np.argsort(out_keys.copy_to_host()[: present.size])
    np.testing.assert_array_equal(out_keys.copy_to_host()[order], present)
    np.testing.assert_array_equal(out_values.copy_to_host()[order], expected)


def test_hash_table_counts_what_finds_no_room(compiled):
    add = compiled("hash_table").get_function("table_add")
    keys, ones = np.arange(100, dtype=np.uint64), np.ones(100, np.uint64)
    table, sums, rejected = cuda.to_device(np.full(64, 2**64 - 1, np.uint64)), _zeros(64, np.uint64), _zeros(1)
    add((4,), (32,), (cuda.to_device(keys), cuda.to_device(ones), 100, table, sums, 64, rejected))
    assert rejected.copy_to_host()[0] == 36
    assert sums.copy_to_host().sum() == 64
