"""Inclusive prefix sum inside blocks of 1024 (Hillis and Steele 1986), 2^25 int32 in all."""

import numpy as np

from . import Case

NAME = "scan"
THREADS = 1024


def python(cuda):
    def scan(x, out):
        buffer = cuda.shared.array(THREADS, np.int32)
        tid = cuda.threadIdx.x
        i = cuda.grid(1)
        buffer[tid] = x[i]
        cuda.syncthreads()
        offset = 1
        while offset < THREADS:
            value = buffer[tid]
            if tid >= offset:
                value += buffer[tid - offset]
            cuda.syncthreads()
            buffer[tid] = value
            cuda.syncthreads()
            offset *= 2
        out[i] = buffer[tid]

    return scan


CUDA = r"""
extern "C" __global__ void scan(const int* x, long long, int* out, long long) {
    __shared__ int buffer[1024];
    int tid = threadIdx.x;
    long long i = blockIdx.x * (long long)blockDim.x + tid;
    buffer[tid] = x[i];
    __syncthreads();
    for (int offset = 1; offset < 1024; offset *= 2) {
        int value = buffer[tid];
        if (tid >= offset) value += buffer[tid - offset];
        __syncthreads();
        buffer[tid] = value;
        __syncthreads();
    }
    out[i] = buffer[tid];
}
"""


def setup(rng, scale=1.0):
    n = max(1024, int((1 << 25) * scale) // THREADS * THREADS)
    x = rng.integers(-100, 100, n, dtype=np.int32)
    out = np.zeros_like(x)
    expected = np.cumsum(x.reshape(-1, THREADS), axis=1, dtype=np.int32).reshape(-1)
    return Case([x, out], (n // THREADS,), (THREADS,), {1: (expected, 0)}, 8.0 * n)
