"""Programs from before compute capability 7.0: lanes of a warp exchange volatile shared memory without a meeting.

The cpu device runs them as those devices did; present GPUs promise nothing."""

import numpy as np
import pytest

from lanewise import RawModule, _core, cuda

CODE = r"""
template <int block> __device__ void add_warp(volatile int *s, int t) {
    if (block >= 64) s[t] += s[t + 32];
    if (block >= 32) s[t] += s[t + 16];
    if (block >= 16) s[t] += s[t + 8];
    if (block >= 8) s[t] += s[t + 4];
    if (block >= 4) s[t] += s[t + 2];
    if (block >= 2) s[t] += s[t + 1];
}

template <int block> __global__ void unrolled(const int *x, int *sums) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * block + t];
    __syncthreads();
    for (int half = block / 2; half > 32; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32) add_warp<block>(s, t);
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void branching(const int *x, int *sums) {
    extern __shared__ int s[];
    int t = threadIdx.x, block = blockDim.x;
    volatile int *v = s;
    s[t] = x[blockIdx.x * block + t];
    __syncthreads();
    for (int half = block / 2; half > 32; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32) {
        if (block >= 64) v[t] += v[t + 32];
        if (block >= 32) v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void looping(const int *x, int *sums) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    if (t < 16)
        for (int half = 16; half > 0; half /= 2) s[t] += s[t + half];
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void greatest(const int *x, int *found) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        if (s[t] < s[t + 32]) s[t] = s[t + 32];
        if (s[t] < s[t + 16]) s[t] = s[t + 16];
        if (s[t] < s[t + 8]) s[t] = s[t + 8];
        if (s[t] < s[t + 4]) s[t] = s[t + 4];
        if (s[t] < s[t + 2]) s[t] = s[t + 2];
        if (s[t] < s[t + 1]) s[t] = s[t + 1];
    }
    if (t == 0) *found = s[0];
}

extern "C" __global__ void greatest_in_a_loop(const int *x, int *found) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32)
        for (int half = 32; half > 0; half /= 2)
            if (s[t] < s[t + half]) s[t] = s[t + half];
    if (t == 0) *found = s[0];
}

extern "C" __global__ void scan(int *x) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    volatile int *mine = s + 32 + t;
    s[t] = 0;
    *mine = x[blockIdx.x * 32 + t];
    for (int step = 1; step < 32; step *= 2) *mine += *(mine - step);
    x[blockIdx.x * 32 + t] = *mine;
}
"""


@pytest.fixture(scope="module")
def module():
    before = _core.set_current_device(_core.device("cpu"))
    yield RawModule(CODE, name_expressions=[f"unrolled<{block}>" for block in (32, 64, 256, 1024)])
    _core.set_current_device(before)


@pytest.mark.parametrize("block", [32, 64, 256, 1024])
@pytest.mark.parametrize("name", ["unrolled<{}>", "branching"])
def test_sum_of_a_block(module, rng, name, block):
    x = rng.integers(-100, 100, (7, block)).astype(np.int32)
    sums = cuda.to_device(np.zeros(7, np.int32))
    kernel = module.get_function(name.format(block))
    # Half a warp reads beyond its block, and nothing comes of it.
    kernel(7, block, (cuda.to_device(x), sums), shared_mem=(block + 32) * 4)
    np.testing.assert_array_equal(sums.copy_to_host(), x.sum(axis=1))


def test_sum_by_half_a_warp_in_a_loop(module, rng):
    x = rng.integers(-100, 100, (7, 32)).astype(np.int32)
    sums = cuda.to_device(np.zeros(7, np.int32))
    module.get_function("looping")(7, 32, (cuda.to_device(x), sums))
    np.testing.assert_array_equal(sums.copy_to_host(), x.sum(axis=1))


@pytest.mark.parametrize("name", ["greatest", "greatest_in_a_loop"])
def test_lanes_that_do_not_store_wait_for_those_that_do(module, rng, name):
    for _ in range(10):
        x = rng.integers(-1000, 1000, 64).astype(np.int32)
        found = cuda.to_device(np.zeros(1, np.int32))
        module.get_function(name)(1, 64, (cuda.to_device(x), found))
        assert found.copy_to_host()[0] == x.max()


def test_scan_of_a_warp(module, rng):
    x = rng.integers(-100, 100, (7, 32)).astype(np.int32)
    scanned = cuda.to_device(x)
    module.get_function("scan")(7, 32, (scanned,))
    np.testing.assert_array_equal(scanned.copy_to_host(), x.cumsum(axis=1))
