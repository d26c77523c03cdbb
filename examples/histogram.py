"""A histogram written for Numba CUDA: shared memory, atomics, a grid-stride loop. Run it with `lanewise run`, or as
it is.  lanewise run examples/histogram.py"""

import numpy as np

try:
    from numba import cuda
except ImportError:
    from lanewise import cuda

BINS = 64


@cuda.jit
def histogram(values, low, width, bins):
    local = cuda.shared.array(BINS, np.int32)
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        b = int((values[i] - low) / width)
        if 0 <= b < BINS:
            cuda.atomic.add(local, b, 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(bins, b, local[b])


values = np.random.default_rng(1).normal(size=200_000)
bins = cuda.to_device(np.zeros(BINS, np.int32))
histogram[160, 256](cuda.to_device(values), -4.0, 8.0 / BINS, bins)
counts = bins.copy_to_host()
expected, _ = np.histogram(values, BINS, (-4.0, 4.0))
assert abs(counts - expected).sum() <= 4  # a value on the edge of a bin may fall on either side
for b in range(0, BINS, 4):
    print(f"{-4 + b / 8:5.1f} {'#' * int(counts[b : b + 4].sum() / 500)}")
