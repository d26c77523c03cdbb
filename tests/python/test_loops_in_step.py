"""Loops of floating-point sums inside threads: the order of additions and what each thread sees stay the same."""

import numpy as np
import pytest

from lanewise import cuda

BLOCKS = [(1, 1), (5, 3), (16, 16), (32, 8), (64, 1), (1, 64)]


def _sums(a, b):
    """a @ b in float32, added in order of k."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float64)
    for k in range(a.shape[1]):
        total = (total + a[:, k, None].astype(np.float64) * b[None, k].astype(np.float64)).astype(np.float32)
        total = total.astype(np.float64)
    return total.astype(np.float32)


def _matrices(rows, inner, cols):
    rng = np.random.default_rng(rows * cols)
    # Products of these are exact in float32; their sums are not, so the order shows.
    a, b = (
        rng.integers(1, 4096, shape) * 2.0 ** rng.integers(-12, 12, shape) for shape in ((rows, inner), (inner, cols))
    )
    return a.astype(np.float32), b.astype(np.float32)


@cuda.jit
def product_all(a, b, c):
    x, y = cuda.grid(2)
    x, y = min(x, c.shape[1] - 1), min(y, c.shape[0] - 1)
    total = np.float32(0)
    for k in range(a.shape[1]):
        total += a[y, k] * b[k, x]
    c[y, x] = total


@cuda.jit
def product_guarded(a, b, c):
    x, y = cuda.grid(2)
    if x < c.shape[1] and y < c.shape[0]:
        total = np.float32(0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total


@cuda.jit
def product_after_return(a, b, c):
    x, y = cuda.grid(2)
    if x >= c.shape[1] or y >= c.shape[0]:
        return
    total = np.float32(0)
    for k in range(a.shape[1]):
        total += a[y, k] * b[k, x]
    c[y, x] = total


@cuda.jit
def product_by_rows(a, b, c):
    y, x = cuda.grid(2)
    if x < c.shape[1] and y < c.shape[0]:
        total = np.float32(0)
        for k in range(a.shape[1]):
            total += a[y, k] * b[k, x]
        c[y, x] = total


@pytest.mark.parametrize("kernel", [product_all, product_guarded, product_after_return, product_by_rows])
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(("rows", "inner", "cols"), [(1, 1, 1), (3, 0, 5), (17, 33, 40), (64, 65, 64)])
def test_products_add_in_order(device, kernel, block, rows, inner, cols):
    a, b = _matrices(rows, inner, cols)
    c = cuda.to_device(np.full((rows, cols), -1, np.float32))
    down, across = (1, 0) if kernel is not product_by_rows else (0, 1)
    grid = (-(-(rows, cols)[down] // block[0]), -(-(rows, cols)[across] // block[1]))
    kernel[grid, block](cuda.to_device(a), cuda.to_device(b), c)
    np.testing.assert_array_equal(c.copy_to_host(), _sums(a, b))


def test_rounds_that_differ_by_thread(device):
    @cuda.jit
    def triangle(x, out):
        i = cuda.grid(1)
        total = 0.0
        for k in range(i + 1):
            total += x[k]
        out[i] = total

    x = np.random.default_rng(1).random(300)
    out = cuda.device_array(300, np.float64)
    triangle[3, 100](cuda.to_device(x), out)
    np.testing.assert_array_equal(out.copy_to_host(), np.cumsum(x))


def test_a_sum_between_barriers_in_an_outer_loop(device):
    @cuda.jit
    def tiles(x, out):
        tile = cuda.shared.array(64, np.float64)
        t = cuda.threadIdx.x
        total = 0.0
        for start in range(0, x.size, 64):
            tile[t] = x[start + t]
            cuda.syncthreads()
            for k in range(64):
                total = total * 0.5 + tile[k] * (t + 1)
            cuda.syncthreads()
        out[t] = total

    x = np.random.default_rng(2).integers(0, 9, 256).astype(np.float64)
    out = cuda.device_array(64, np.float64)
    tiles[1, 64](cuda.to_device(x), out)
    total = np.zeros(64)
    for value in x:
        total = total * 0.5 + value * np.arange(1, 65)
    np.testing.assert_allclose(out.copy_to_host(), total, rtol=1e-14)


def test_several_carried_values_and_the_counter_after_the_loop(device):
    @cuda.jit
    def statistics(x, out):
        i = cuda.grid(1)
        if i >= out.shape[1]:
            return
        low, high, total, last = x[0, i], x[0, i], 0.0, -1
        for k in range(x.shape[0]):
            value = x[k, i]
            low = min(low, value)
            high = max(high, value)
            total += value
            last = k
        out[0, i] = low
        out[1, i] = high
        out[2, i] = total
        out[3, i] = last

    x = np.random.default_rng(3).standard_normal((50, 77))
    out = cuda.device_array((4, 77), np.float64)
    statistics[2, 64](cuda.to_device(x), out)
    expected = [x.min(axis=0), x.max(axis=0), np.cumsum(x, axis=0)[-1], np.full(77, 49)]
    np.testing.assert_array_equal(out.copy_to_host(), expected)


def test_loops_that_a_thread_leaves_early(device):
    @cuda.jit
    def until(x, limit, out):
        i = cuda.grid(1)
        total = 0.0
        for k in range(x.shape[0]):
            total += x[k, i]
            if total > limit:
                break
        out[i] = total

    x = np.random.default_rng(4).random((60, 64))
    out = cuda.device_array(64, np.float64)
    until[2, 32](cuda.to_device(x), 5.0, out)
    sums = np.cumsum(x, axis=0)
    first = np.argmax(sums > 5.0, axis=0)
    np.testing.assert_array_equal(out.copy_to_host(), sums[first, np.arange(64)])


def test_a_loop_in_a_branch_that_threads_take_by_number(device):
    @cuda.jit
    def branches(x, out):
        i = cuda.grid(1)
        total = 0.0
        if i % 3 == 0:
            for k in range(x.shape[0]):
                total += x[k, i]
        else:
            for k in range(x.shape[0]):
                total -= x[k, i]
        cuda.syncthreads()
        out[i] = total

    x = np.random.default_rng(5).random((40, 96))
    out = cuda.device_array(96, np.float64)
    branches[3, 32](cuda.to_device(x), out)
    sums = np.cumsum(x, axis=0)[-1]
    np.testing.assert_array_equal(out.copy_to_host(), np.where(np.arange(96) % 3 == 0, sums, -sums))


def test_threads_that_end_between_the_sums(device):
    @cuda.jit
    def leaving(x, out):
        i = cuda.grid(1)
        total = 0.0
        for r in range(x.shape[0]):
            if r >= 3 and r > i % 40:
                return
            for k in range(x.shape[1]):
                total += x[r, k] * (i + 1)
            cuda.syncthreads()
            out[i] = total

    x = np.random.default_rng(6).integers(0, 99, (8, 20)).astype(np.float64)
    out = cuda.to_device(np.zeros(96))
    leaving[3, 32](cuda.to_device(x), out)
    i = np.arange(96)
    rounds = np.minimum(np.maximum(i % 40 + 1, 3), 8)
    np.testing.assert_array_equal(out.copy_to_host(), np.cumsum(x.sum(axis=1))[rounds - 1] * (i + 1))
