"""Filters of images: Sobel with pad, a box blur with cumulative sums, a histogram, dithering by thresholds."""

import cupy as cp
import cupyx
import numpy as np

rows, columns = 48, 64
y, x = cp.mgrid[0:rows, 0:columns]
image = (cp.sin(x / 5.0) * cp.cos(y / 7.0) * 127 + 128).astype(cp.uint8)
host = cp.asnumpy(image)

padded = cp.pad(image.astype(cp.float32), 1, mode="edge")
gx = padded[:-2, 2:] + 2 * padded[1:-1, 2:] + padded[2:, 2:] - padded[:-2, :-2] - 2 * padded[1:-1, :-2] - padded[2:, :-2]
gy = padded[2:, :-2] + 2 * padded[2:, 1:-1] + padded[2:, 2:] - padded[:-2, :-2] - 2 * padded[:-2, 1:-1] - padded[:-2, 2:]
edges = cp.hypot(gx, gy)
hp = np.pad(host.astype(np.float32), 1, mode="edge")
hx = hp[:-2, 2:] + 2 * hp[1:-1, 2:] + hp[2:, 2:] - hp[:-2, :-2] - 2 * hp[1:-1, :-2] - hp[2:, :-2]
hy = hp[2:, :-2] + 2 * hp[2:, 1:-1] + hp[2:, 2:] - hp[:-2, :-2] - 2 * hp[:-2, 1:-1] - hp[:-2, 2:]
np.testing.assert_allclose(edges.get(), np.hypot(hx, hy), rtol=1e-6)

k = 5
table = cp.pad(cp.cumsum(cp.cumsum(image, axis=0, dtype=cp.int64), axis=1), ((1, 0), (1, 0)))
box = table[k:, k:] - table[:-k, k:] - table[k:, :-k] + table[:-k, :-k]
windows = np.lib.stride_tricks.sliding_window_view(host, (k, k)).sum((2, 3))
np.testing.assert_array_equal(box.get(), windows)

histogram = cp.zeros(16, dtype=cp.int32)
cupyx.scatter_add(histogram, (image // 16).ravel(), 1)
np.testing.assert_array_equal(histogram.get(), np.bincount((host // 16).ravel(), minlength=16))
np.testing.assert_array_equal(cp.bincount(image.ravel(), minlength=256).get(), np.bincount(host.ravel(), minlength=256))

flipped = cp.rot90(cp.flipud(image))
np.testing.assert_array_equal(flipped.get(), np.rot90(np.flipud(host)))
binary = cp.where(image > image.mean(), 255, 0).astype(cp.uint8)
np.testing.assert_array_equal(binary.get(), np.where(host > host.mean(), 255, 0))
print("filters", edges.max(), int(binary.sum()))
