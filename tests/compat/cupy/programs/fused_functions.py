"""fuse, vectorize and memoize."""

import cupy as cp
import numpy as np


@cp.fuse()
def squared_diff(x, y):
    return (x - y) * (x - y)


@cp.fuse(kernel_name="rms")
def rms(x):
    return cp.sqrt(cp.sum(x * x) / x.size)


@cp.vectorize
def clamp(x, low, high):
    if x < low:
        return low
    return high if x > high else x


calls = []


@cp.memoize()
def table(n):
    calls.append(n)
    return cp.arange(n) ** 2


x = cp.arange(10.0)
y = x[::-1]
result = squared_diff(x, y)
assert isinstance(result, cp.ndarray)
np.testing.assert_array_equal(result.get(), (np.arange(10.0) - np.arange(10.0)[::-1]) ** 2)
np.testing.assert_array_equal(squared_diff(np.arange(3.0), 1.0), (np.arange(3.0) - 1) ** 2)
np.testing.assert_allclose(float(rms(x)), np.sqrt((np.arange(10.0) ** 2).mean()))
np.testing.assert_array_equal(clamp(x, 2.0, 5.0).get(), np.clip(np.arange(10.0), 2, 5))

assert table(5) is table(5) and calls == [5]
cp.clear_memo()
table(5)
assert calls == [5, 5]
print("fused", result.sum())
