"""Five kernels on every device there is: results checked against NumPy, and how long each takes.

python examples/showcase.py [--quick]
"""

import argparse
import math
import statistics
import time

import numpy as np

from lanewise import _core, cuda
from lanewise.cuda import float32

TILE = 16
BLOCK = 128


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


@cuda.jit
def block_sum(x, out):
    partial = cuda.shared.array(BLOCK, dtype=float32)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    partial[thread] = x[i] if i < x.size else np.float32(0)
    cuda.syncthreads()
    stride = cuda.blockDim.x // 2
    while stride > 0:
        if thread < stride:
            partial[thread] += partial[thread + stride]
        cuda.syncthreads()
        stride //= 2
    if thread == 0:
        cuda.atomic.add(out, 0, partial[0])


@cuda.jit
def matmul(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for step in range(a.shape[1] // TILE):
        tile_a[ty, tx] = a[row, step * TILE + tx]
        tile_b[ty, tx] = b[step * TILE + ty, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    c[row, column] = total


@cuda.jit(literals="weak")
def mandelbrot(image, limit):
    column, row = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        cr = float32(column) * (3.0 / image.shape[1]) - 2.0
        ci = float32(row) * (2.0 / image.shape[0]) - 1.0
        zr = float32(0)
        zi = float32(0)
        n = 0
        while n < limit and zr * zr + zi * zi < 4.0:
            zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
            n += 1
        image[row, column] = n


@cuda.jit
def warp_sums(x, out):
    i = cuda.grid(1)
    value = x[i] if i < x.size else np.float32(0)
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, value)


def timed(launch, repeats):
    """Milliseconds of the first call, which compiles or loads the kernel, and the median of later ones."""
    start = time.perf_counter()
    launch()
    cuda.synchronize()
    first = 1e3 * (time.perf_counter() - start)
    times = []
    for _ in range(repeats):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        launch()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return first, statistics.median(times)


def blocks(n, block):
    return (n + block - 1) // block


def programs(n, size):
    """(name, launch, check): each on the current device."""
    random = np.random.default_rng(0)
    x, y = random.random(n, np.float32), random.random(n, np.float32)
    d_x, d_y = cuda.to_device(x), cuda.to_device(y)
    result = cuda.to_device(y)

    def run_saxpy():
        saxpy[blocks(n, 256), 256](np.float32(2), d_x, result)

    def check_saxpy():
        result.copy_to_device(d_y)
        run_saxpy()
        np.testing.assert_allclose(result.copy_to_host(), 2 * x + y, rtol=1e-6)
        return f"y[0] = {result[0]:.4f}"

    yield f"saxpy, {n} elements", run_saxpy, check_saxpy

    total = cuda.to_device(np.zeros(1, np.float32))

    def check_total(run):
        total[0] = 0
        run()
        assert math.isclose(total[0], x.sum(dtype=np.float64), rel_tol=1e-4)
        return f"sum = {total[0]:.1f}"

    def run_sum():
        block_sum[blocks(n, BLOCK), BLOCK](d_x, total)

    yield f"sum by shared memory, {n} elements", run_sum, lambda: check_total(run_sum)

    def run_warps():
        warp_sums[blocks(n, BLOCK), BLOCK](d_x, total)

    yield f"sum by warp shuffles, {n} elements", run_warps, lambda: check_total(run_warps)

    a, b = random.random((size, size), np.float32), random.random((size, size), np.float32)
    d_a, d_b, d_c = cuda.to_device(a), cuda.to_device(b), cuda.device_array((size, size), np.float32)

    def run_matmul():
        matmul[(size // TILE, size // TILE), (TILE, TILE)](d_a, d_b, d_c)

    def check_matmul():
        np.testing.assert_allclose(d_c.copy_to_host(), a @ b, rtol=1e-3)
        return f"c[0, 0] = {d_c[0, 0]:.3f}"

    yield f"tiled matrix product, {size} x {size}", run_matmul, check_matmul

    image = cuda.device_array((size, size * 3 // 2), np.int32)

    def run_mandelbrot():
        mandelbrot[(blocks(image.shape[1], 16), blocks(image.shape[0], 16)), (16, 16)](image, 100)

    def check_mandelbrot():
        share = (image.copy_to_host() == 100).mean()
        # The set's area is 1.507 of the 6 that the picture shows.
        assert abs(share - 1.507 / 6) < 0.02
        return f"{100 * share:.1f} % of the points stay"

    yield f"mandelbrot, {image.shape[0]} x {image.shape[1]}", run_mandelbrot, check_mandelbrot


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small problems, few repetitions")
    quick = parser.parse_args().quick
    if reason := _core.cuda_unavailable_reason():
        print(f"No CUDA device: {reason}")
    for device in _core.devices():
        cuda.select_device(device.name)
        print(f"\n{device.name}: {device.model}")
        print(f"  {'':42}{'first call':>12}{'then':>12}   result")
        for name, launch, check in programs(1 << (16 if quick else 22), 128 if quick else 512):
            first, then = timed(launch, 3 if quick else 20)
            print(f"  {name:42}{first:9.1f} ms{then:9.3f} ms   {check()}")


if __name__ == "__main__":
    main()
