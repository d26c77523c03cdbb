"""Masked assignment, boolean selection, integer indices, scatter updates."""

import cupy as cp
import cupyx
import numpy as np

x = cp.arange(24, dtype=cp.float32).reshape(4, 6)
h = np.arange(24, dtype=np.float32).reshape(4, 6)

x[x % 2 == 0] *= -1
h[h % 2 == 0] *= -1
np.testing.assert_array_equal(x.get(), h)

np.testing.assert_array_equal(x[x > 5].get(), h[h > 5])
rows = cp.array([3, 0, 0])
np.testing.assert_array_equal(x[rows].get(), h[[3, 0, 0]])
np.testing.assert_array_equal(x[rows, cp.array([1, 2, 5])].get(), h[[3, 0, 0], [1, 2, 5]])
np.testing.assert_array_equal(x[[0, 2], 1:3].get(), h[[0, 2], 1:3])
x[:, [0, 5]] = 7
h[:, [0, 5]] = 7
np.testing.assert_array_equal(x.get(), h)

# Unlike in NumPy, arrays of indices wrap.
line = cp.arange(5)
np.testing.assert_array_equal(line[cp.array([5, -1, 12, -6])].get(), [0, 4, 2, 4])
line[cp.array([6, 9])] = -1
np.testing.assert_array_equal(line.get(), [0, -1, 2, 3, -1])
cp.put(line, cp.array([10]), 50)
assert int(line[0]) == 50
np.testing.assert_array_equal(cp.take(line, cp.array([5, 7])).get(), [50, 2])

bins = cp.zeros(4, dtype=cp.int32)
cupyx.scatter_add(bins, cp.array([0, 1, 1, 3, 1]), 1)
np.testing.assert_array_equal(bins.get(), [1, 3, 0, 1])
best = cp.zeros(3, dtype=cp.float32)
cupyx.scatter_max(best, cp.array([0, 0, 2]), cp.array([1.5, 4.0, 2.0], dtype=cp.float32))
np.testing.assert_array_equal(best.get(), [4, 0, 2])
print("masks", x.sum())
