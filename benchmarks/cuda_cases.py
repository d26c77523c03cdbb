"""Problems for the CUDA C++ kernels of examples/cuda: what to launch, on what, and what must come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

SOURCES = Path(__file__).resolve().parents[1] / "examples" / "cuda"

f32, i32, u32, u64 = np.float32, np.int32, np.uint32, np.uint64


@dataclass
class Launch:
    kernel: str
    """Its plain name or, for a template, its name expression."""
    grid: tuple
    block: tuple
    arguments: list
    """Names of the case's arrays, and NumPy scalars."""
    shared: int = 0


@dataclass
class Case:
    file: str
    arrays: dict
    launches: list
    """One run; it may be repeated."""
    expected: dict
    """Array -> (its content after the first run, relative tolerance, absolute tolerance), or a function of the content
    that returns whether it is right."""
    constants: dict = field(default_factory=dict)
    """Contents of ``__constant__`` variables."""

    def source(self) -> str:
        return (SOURCES / f"{self.file}.cu").read_text()

    def name_expressions(self) -> list[str]:
        return sorted({launch.kernel for launch in self.launches if "<" in launch.kernel})

    def check(self, content: Callable[[str], np.ndarray]) -> None:
        """Raises AssertionError when an array is not what it should be; `content` gives the arrays by name."""
        for name, wanted in self.expected.items():
            if callable(wanted):
                assert wanted(content(name)), f"{self.file}: {name} is wrong"
            else:
                expected, rtol, atol = wanted
                np.testing.assert_allclose(content(name), expected, rtol=rtol, atol=atol, err_msg=self.file)

    def compile(self, backend: str = "auto", options: tuple = ()) -> Callable[[], None]:
        """Runs once on the current device, checks, and gives a function that enqueues another run.
        DeviceUnavailable where the backend's compiler is absent."""
        import lanewise
        from lanewise import _core, cuda

        module = lanewise.RawModule(
            self.source(),
            options=options,
            backend=backend,
            name_expressions=self.name_expressions(),
            file_name=f"{self.file}.cu",
        )
        for name, content in self.constants.items():
            _core.Array.from_buffer(module.get_global(name), content.shape, content.dtype).copy_from(content)
        arrays = {name: cuda.to_device(content) for name, content in self.arrays.items()}
        calls = []
        for launch in self.launches:
            arguments = tuple(arrays[a] if isinstance(a, str) else a for a in launch.arguments)
            calls.append((module.get_function(launch.kernel), (launch.grid, launch.block, arguments), launch.shared))

        def run():
            for kernel, arguments, shared in calls:
                kernel(*arguments, shared_mem=shared)

        run()
        cuda.synchronize()
        self.check(lambda name: arrays[name].copy_to_host())
        return run


def _up(n: int, step: int) -> int:
    return -(-n // step)


def reduction(rng, scale):
    n = int((1 << 26) * scale)
    x = rng.random(n, dtype=f32)
    launch = Launch("reduce_grid_stride<float>", (132 * 8,), (256,), ["x", "out", u32(n)])
    return Case("reduction", {"x": x, "out": np.zeros(1, f32)}, [launch], {"out": ([x.sum(dtype=np.float64)], 1e-4, 0)})


def reduction_tree(rng, scale):
    n = int((1 << 26) * scale)
    x = rng.integers(-8, 9, n).astype(f32)
    blocks = _up(n, 256)
    launch = Launch("reduce_sequential<float>", (blocks,), (256,), ["x", "out", u32(n)], shared=1024)
    sums = np.pad(x, (0, blocks * 256 - n)).reshape(blocks, 256).sum(axis=1)
    return Case("reduction", {"x": x, "out": np.zeros(blocks, f32)}, [launch], {"out": (sums, 0, 0)})


def scan(rng, scale):
    n = int((1 << 25) * scale)
    arrays = {"level0": rng.integers(0, 10, n, dtype=i32)}
    sizes = [n]
    while sizes[-1] > 1:
        sizes.append(_up(sizes[-1], 512))
    launches = []
    for level, size in enumerate(sizes[:-1]):
        arrays[f"out{level}"] = np.zeros(size, i32)
        arrays[f"level{level + 1}"] = np.zeros(sizes[level + 1], i32)
        names = [f"level{level}", f"out{level}", f"level{level + 1}"]
        launches.append(Launch("scan_blocks<int, 256>", (_up(size, 512),), (256,), [*names, u32(size)]))
    for level in reversed(range(len(sizes) - 2)):
        size, names = sizes[level], [f"out{level}", f"out{level + 1}"]
        launches.append(Launch("add_offsets<int>", (_up(size, 256),), (256,), [*names, u32(512), u32(size)]))
    expected = np.cumsum(arrays["level0"], dtype=i32) - arrays["level0"]
    return Case("scan", arrays, launches, {"out0": (expected, 0, 0)})


def transpose(rng, scale):
    rows = cols = max(64, int(8192 * scale**0.5) // 32 * 32)
    x = rng.random((rows, cols), dtype=f32)
    arguments = ["x", "out", i32(rows), i32(cols)]
    launch = Launch("transpose_tiled<float, 32, 8>", (cols // 32, rows // 32), (32, 8), arguments)
    return Case("transpose", {"x": x, "out": np.zeros((cols, rows), f32)}, [launch], {"out": (x.T, 0, 0)})


def _product(rng, scale, kernel, tile, block):
    n = max(64, int(2048 * scale ** (1 / 3)) // 64 * 64)
    a, b = rng.standard_normal((n, n), dtype=f32), rng.standard_normal((n, n), dtype=f32)
    launch = Launch(kernel, (n // tile, n // tile), block, ["a", "b", "c", i32(n), i32(n), i32(n)])
    return Case("matmul", {"a": a, "b": b, "c": np.zeros((n, n), f32)}, [launch], {"c": (a @ b, 2e-3, 2e-3)})


def matmul(rng, scale):
    return _product(rng, scale, "matmul_tiled<float, 16>", 16, (16, 16))


def matmul_registers(rng, scale):
    return _product(rng, scale, "matmul_registers<float, 64, 8, 4>", 64, (256,))


def convolution(rng, scale):
    n = max(64, int(4096 * scale**0.5))
    x, mask = rng.integers(-9, 10, (n, n)).astype(f32), rng.integers(-4, 5, (7, 7)).astype(f32)
    constant = np.zeros(225, f32)
    constant[:49] = mask.ravel()
    launch = Launch("convolve_tiled<3, 16>", (_up(n, 16), _up(n, 16)), (16, 16), ["x", "out", i32(n), i32(n)])
    padded = np.pad(x, 3)
    expected = sum(mask[i, j] * padded[i : i + n, j : j + n] for i in range(7) for j in range(7))
    return Case(
        "convolution",
        {"x": x, "out": np.zeros((n, n), f32)},
        [launch],
        {"out": (expected, 0, 0)},
        constants={"mask": constant},
    )


def histogram(rng, scale):
    n = int((1 << 26) * scale)
    x = rng.integers(0, 256, n, dtype=np.uint8)
    launch = Launch("histogram_bytes", (132 * 8,), (256,), ["x", u32(n), "bins"])
    expected = np.bincount(x, minlength=256)
    return Case("histogram", {"x": x, "bins": np.zeros(256, u32)}, [launch], {"bins": (expected, 0, 0)})


def bitonic_sort(rng, scale):
    """Ascending, then descending, so that a repeated run finds work to do."""
    n, block = int((1 << 22) * scale), 512
    keys = rng.integers(-(2**31), 2**31, n).astype(i32)
    tiles, pairs = (_up(n, 2 * block),), (_up(n, 2 * block),)
    launches = []
    for order in ("Less", "Greater"):
        launches.append(Launch(f"sort_tiles<int, {order}>", tiles, (block,), ["keys", u32(n)]))
        size = 4 * block
        while size // 2 < n:
            mirrored = ["keys", u32(size), u32(n)]
            launches.append(Launch(f"merge_mirrored<int, {order}>", pairs, (block,), mirrored))
            distance = size // 4
            while distance > block:
                step = ["keys", u32(distance), u32(n)]
                launches.append(Launch(f"merge_step<int, {order}>", pairs, (block,), step))
                distance //= 2
            launches.append(Launch(f"merge_tiles<int, {order}>", tiles, (block,), ["keys", u32(n)]))
            size *= 2
    return Case("bitonic_sort", {"keys": keys}, launches, {"keys": (np.sort(keys)[::-1], 0, 0)})


def compaction(rng, scale):
    n = int((1 << 25) * scale)
    x = rng.standard_normal(n, dtype=f32)
    grid, kept = _up(n, 256), x[x > 0]
    arrays = {"x": x, "counts": np.zeros(grid, u32), "total": np.zeros(1, u32), "out": np.zeros(n, f32)}
    kinds = "<float, Positive<float>>"
    launches = [
        Launch(f"compact_count{kinds}", (grid,), (256,), ["x", u32(n), "counts"]),
        Launch("compact_offsets", (1,), (1024,), ["counts", u32(grid), "total"]),
        Launch(f"compact_scatter{kinds}", (grid,), (256,), ["x", u32(n), "counts", "out"]),
    ]
    expected = {"out": (np.pad(kept, (0, n - kept.size)), 0, 0), "total": ([kept.size], 0, 0)}
    return Case("compaction", arrays, launches, expected)


def nbody(rng, scale):
    n = max(256, int(32768 * scale**0.5))
    bodies = np.concatenate([rng.standard_normal((n, 3)), rng.random((n, 1)) + 0.1], axis=1).astype(f32)
    launch = Launch("accelerations<256>", (_up(n, 256),), (256,), ["bodies", "out", i32(n), f32(0.01)])
    some, wide = slice(0, n, _up(n, 64)), bodies.astype(np.float64)
    delta = wide[None, :, :3] - wide[some, None, :3]
    weight = wide[None, :, 3] / ((delta**2).sum(axis=2) + 0.01) ** 1.5
    expected = (delta * weight[..., None]).sum(axis=1)
    tolerance = 1e-4 * np.abs(expected).max()

    def right(out):
        return np.allclose(out[some, :3], expected, rtol=1e-3, atol=tolerance)

    return Case("nbody", {"bodies": bodies, "out": np.zeros((n, 4), f32)}, [launch], {"out": right})


def stencil3d(rng, scale):
    n = max(32, int(512 * scale ** (1 / 3)) // 32 * 32)
    x = rng.integers(-50, 50, (n, n, n)).astype(f32)
    arguments = ["x", "out", i32(n), i32(n), i32(n), f32(-6), f32(1)]
    launch = Launch("stencil7<float, 32, 8>", (n // 32, n // 8), (32, 8), arguments)
    expected, c = x.copy(), slice(1, -1)
    expected[c, c, c] *= -6
    for side in (slice(None, -2), slice(2, None)):
        expected[c, c, c] += x[side, c, c] + x[c, side, c] + x[c, c, side]
    return Case("stencil3d", {"x": x, "out": np.zeros_like(x)}, [launch], {"out": (expected, 0, 0)})


def warp_reduction(rng, scale):
    rows, cols = int((1 << 18) * scale), 256
    x = rng.integers(-99, 100, (rows, cols)).astype(f32)
    arrays = {"x": x, "sums": np.zeros(rows, f32), "maxima": np.zeros(rows, f32), "columns": np.zeros(rows, i32)}
    arguments = ["x", i32(rows), i32(cols), "sums", "maxima", "columns"]
    launch = Launch("row_statistics<float>", (_up(rows, 8),), (256,), arguments)
    results = {"sums": x.sum(axis=1), "maxima": x.max(axis=1), "columns": x.argmax(axis=1)}
    return Case("warp_reduction", arrays, [launch], {name: (value, 0, 0) for name, value in results.items()})


def hash_table(rng, scale):
    n = int((1 << 22) * scale)
    capacity = 1 << max(4, (2 * n - 1).bit_length())
    keys = rng.integers(0, n, n).astype(u64) * u64(0x9E3779B97F4A7C15)
    arrays = {
        "keys": keys,
        "values": np.ones(n, u64),
        "table": np.full(capacity, 2**64 - 1, u64),
        "sums": np.zeros(capacity, u64),
        "rejected": np.zeros(1, u32),
    }
    arguments = ["keys", "values", u32(n), "table", "sums", u32(capacity), "rejected"]
    distinct = np.unique(keys)
    expected = {
        "table": lambda table: np.array_equal(np.sort(table)[: distinct.size], distinct),
        "sums": lambda sums: sums.sum() == n,
        "rejected": ([0], 0, 0),
    }
    return Case("hash_table", arrays, [Launch("table_add", (_up(n, 256),), (256,), arguments)], expected)


def random(rng, scale):
    n = int((1 << 26) * scale)
    launch = Launch("philox_uniform", (132 * 16,), (256,), ["out", u32(n), u64(20), u64(0)])
    mean = lambda out: abs(out.mean(dtype=np.float64) - 0.5) < 1e-3 and out.min() > 0 and out.max() <= 1
    return Case("random", {"out": np.zeros(n, f32)}, [launch], {"out": mean})


def fft(rng, scale):
    n, batch = 1024, max(1, int((1 << 15) * scale))
    x = rng.standard_normal((batch, n, 2), dtype=f32)
    some = slice(0, batch, _up(batch, 16))
    expected = np.fft.fft(x[some, :, 0] + 1j * x[some, :, 1])

    def right(out):
        return np.abs(out[some].astype(np.float64) @ [1, 1j] - expected).max() < 2e-6 * np.abs(expected).max()

    launch = Launch("fft_shared<1024>", (batch,), (n // 4,), ["x", "out", i32(-1)])
    return Case("fft", {"x": x, "out": np.zeros_like(x)}, [launch], {"out": right})


def ray_march(rng, scale):
    height = max(60, int(1080 * scale**0.5))
    width = height * 16 // 9
    camera = np.array((1.0, 2.5, -6.0, 0.0, 0.7, 0.0, 1.5), f32)
    arrays = {"depth": np.zeros((height, width), f32), "light": np.zeros((height, width), f32)}
    arguments = ["depth", "light", i32(width), i32(height), camera.view([("camera", f32, 7)])[0]]
    launch = Launch("render<true>", (_up(width, 16), _up(height, 8)), (16, 8), arguments)
    # tests/python/cuda_kernels compares whole images.
    expected = {
        "depth": lambda depth: 3 < depth.min() < 3.5 and 0.55 < (depth < 20).mean() < 0.65,
        "light": lambda light: light.min() == 0 and 0.9 < light.max() <= 1,
    }
    return Case("ray_march", arrays, [launch], expected)


CASES: dict[str, Callable[[np.random.Generator, float], Case]] = {
    case.__name__: case
    for case in (
        reduction,
        reduction_tree,
        scan,
        transpose,
        matmul,
        matmul_registers,
        convolution,
        histogram,
        bitonic_sort,
        compaction,
        nbody,
        stencil3d,
        warp_reduction,
        hash_table,
        random,
        fft,
        ray_march,
    )
}
"""By name; `scale` is the problem's size relative to what suits a large GPU."""
