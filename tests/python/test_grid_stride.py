"""Grid-stride loops: every element once, whatever the grid, block and size; counters and sums after the loop."""

import numpy as np
import pytest

from lanewise import cuda

SHAPES = [(1, 1), (1, 32), (3, 50), (7, 64), (2, 256), (5, 33), (4, (8, 4)), (2, (5, 3, 2))]
SIZES = [0, 1, 31, 100, 1000, 4097]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("grid", "block"), SHAPES[:6])
def test_every_element_is_visited_once(device, grid, block, size):
    @cuda.jit
    def add_one(x):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            x[i] += 1

    x = cuda.to_device(np.zeros(size, np.int32))
    add_one[grid, block](x)
    assert (x.copy_to_host() == 1).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("grid", "block"), SHAPES)
def test_sums_and_counts_of_each_thread_survive_the_loop(device, grid, block, size):
    @cuda.jit
    def sums(x, total, visits, last):
        tid = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
        threads = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
        me = cuda.blockIdx.x * threads + tid
        s = 0
        n = 0
        at = -1
        for i in range(me, x.size, threads * cuda.gridDim.x):
            s += x[i]
            n += 1
            at = i
        total[me] = s
        visits[me] = n
        last[me] = at

    threads = grid * int(np.prod(block))
    x = np.random.default_rng(size).integers(-100, 100, size)
    outs = [cuda.to_device(np.full(threads, 77, np.int64)) for _ in range(3)]
    sums[grid, block](cuda.to_device(x), *outs)
    total, visits, last = (o.copy_to_host() for o in outs)
    for me in range(threads):
        mine = range(me, size, threads)
        assert (total[me], visits[me]) == (x[me::threads].sum(), len(mine))
        assert last[me] == (mine[-1] if len(mine) else -1)


def test_the_counter_after_the_loop_is_the_threads_own(device):
    @cuda.jit
    def last(n, out):
        i = -5
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            pass
        out[cuda.grid(1)] = i

    out = cuda.to_device(np.zeros(64, np.int64))
    last[2, 32](100, out)
    assert out.copy_to_host().tolist() == [range(t, 100, 64)[-1] for t in range(64)]


def test_breaks_and_early_returns(device):
    @cuda.jit
    def first_negative(x, found):
        if cuda.grid(1) >= found.size:
            return
        found[cuda.grid(1)] = -1
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            if x[i] < 0:
                found[cuda.grid(1)] = i
                break

    x = np.random.default_rng(3).integers(-2, 60, 3000)
    found = cuda.to_device(np.zeros(40, np.int64))
    first_negative[2, 32](cuda.to_device(x), found)
    for t, at in enumerate(found.copy_to_host()):
        mine = [i for i in range(t, x.size, 64) if x[i] < 0]
        assert at == (mine[0] if mine else -1)


def test_while_loops_over_a_grid(device):
    @cuda.jit
    def double(x, n):
        i = cuda.grid(1)
        while i < n:
            x[i] *= 2
            i += cuda.gridsize(1)

    x = cuda.to_device(np.arange(1000))
    double[3, 64](x, 900)
    expected = np.arange(1000)
    expected[:900] *= 2
    assert (x.copy_to_host() == expected).all()
