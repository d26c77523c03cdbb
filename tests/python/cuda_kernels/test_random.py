"""Philox4x32-10, xorshift128 and MT19937 against their published outputs and direct implementations."""

import numpy as np
import pytest

from lanewise import cuda


def _philox(counters, keys):
    """Philox4x32-10 of (n, 4) counters and (n, 2) keys."""
    x, k = counters.astype(np.uint64), keys.astype(np.uint64)
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p0, p1 = x[:, 0] * np.uint64(0xD2511F53), x[:, 2] * np.uint64(0xCD9E8D57)
        high0, high1 = p0 >> np.uint64(32), p1 >> np.uint64(32)
        x = np.stack([high1 ^ x[:, 1] ^ k[:, 0], p1 & low, high0 ^ x[:, 3] ^ k[:, 1], p0 & low], axis=1)
        k = (k + np.array([0x9E3779B9, 0xBB67AE85], np.uint64)) & low
    return x.astype(np.uint32)


def _counters(n, offset=0):
    index = np.arange(offset, offset + n, dtype=np.uint64)
    zero = np.zeros(n, np.uint64)
    return np.stack([index & np.uint64(0xFFFFFFFF), index >> np.uint64(32), zero, zero], axis=1)


def _keys(seed, n):
    return np.tile(np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64), (n, 1))


def _unit(words):
    return (words >> np.uint32(8)).astype(np.float32) * np.float32(2**-24) + np.float32(2**-25)


# Counter, key and output of the known-answer tests of Random123, the library of the generator's authors.
KNOWN = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


def _philox_words(compiled, counters, keys):
    n = len(counters)
    out = cuda.device_array((n, 4), np.uint32)
    compiled("random").get_function("philox_words")(
        (-(-n // 64),), (64,), (cuda.to_device(counters), cuda.to_device(keys), out, n)
    )
    return out.copy_to_host()


def test_philox_known_answers(compiled):
    counters, keys, expected = (np.array(part, np.uint32) for part in zip(*KNOWN))
    np.testing.assert_array_equal(_philox_words(compiled, counters, keys), expected)
    np.testing.assert_array_equal(_philox(counters, keys), expected)


def test_philox_words(compiled, rng):
    for n in (1, 65, 10_000):
        counters, keys = (
            rng.integers(0, 2**32, (n, 4), dtype=np.uint32),
            rng.integers(0, 2**32, (n, 2), dtype=np.uint32),
        )
        np.testing.assert_array_equal(_philox_words(compiled, counters, keys), _philox(counters, keys))


@pytest.mark.parametrize(("seed", "offset"), [(0, 0), (0x123456789ABCDEF0, 5), (2**64 - 1, 2**32 - 3)])
def test_philox_uniform(compiled, seed, offset):
    kernel = compiled("random").get_function("philox_uniform")
    for n in (1, 4, 5, 1023, 20_002):
        words = _philox(_counters(-(-n // 4), offset), _keys(seed, -(-n // 4)))
        for grid, block in ((1, 32), (7, 128)):
            out = cuda.device_array(n, np.float32)
            kernel((grid,), (block,), (out, n, seed, offset))
            np.testing.assert_array_equal(out.copy_to_host(), _unit(words).ravel()[:n])


def test_philox_normal(compiled):
    n, seed = 40_001, 77
    out = cuda.device_array((n, 2), np.float32)
    compiled("random").get_function("philox_normal")((-(-n // 256),), (256,), (out, n, seed))
    words = _philox(_counters(n), _keys(seed, n))
    radius, angle = (
        np.sqrt(-2 * np.log(_unit(words[:, 0]).astype(np.float64))),
        2 * np.pi * _unit(words[:, 1]).astype(float),
    )
    expected = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    result = out.copy_to_host()
    np.testing.assert_allclose(result, expected, rtol=2e-5, atol=2e-5)
    assert abs(result.mean()) < 0.02
    assert abs(result.std() - 1) < 0.02


def test_xorshift_streams(compiled, rng):
    kernel = compiled("random").get_function("xorshift128")
    for streams in (1, 100):
        count = 17
        start = rng.integers(1, 2**32, (streams, 4), dtype=np.uint32)
        states, out = cuda.to_device(start), cuda.device_array((count, streams), np.uint32)
        kernel((-(-streams // 32),), (32,), (states, out, streams, count))
        x, y, z, w = start.T
        expected = []
        for _ in range(count):
            t = x ^ (x << np.uint32(11))
            x, y, z, w = y, z, w, w ^ (w >> np.uint32(19)) ^ t ^ (t >> np.uint32(8))
            expected.append(w)
        np.testing.assert_array_equal(out.copy_to_host(), expected)
        np.testing.assert_array_equal(states.copy_to_host(), np.stack([x, y, z, w], axis=1))


@pytest.mark.parametrize("count", [1, 623, 624, 625, 2000])
def test_mt19937_streams(compiled, count):
    seeds = np.array([5489, 1, 0xDEADBEEF], np.uint32)
    out = cuda.device_array((len(seeds), count), np.uint32)
    compiled("random").get_function("mt19937")((len(seeds),), (256,), (cuda.to_device(seeds), out, count))
    for seed, row in zip(seeds, out.copy_to_host()):
        peer = np.random.MT19937()
        peer._legacy_seeding(int(seed))
        np.testing.assert_array_equal(row, peer.random_raw(count))
