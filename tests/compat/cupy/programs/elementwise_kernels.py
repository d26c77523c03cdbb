"""ElementwiseKernel: types, placeholders, raw arrays, preambles, several results, broadcasting."""

import cupy as cp
import numpy as np

squared_diff = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "squared_diff")
x = cp.arange(10, dtype=np.float32).reshape(2, 5)
y = cp.arange(5, dtype=np.float32)
expected = (x.get() - y.get()) ** 2
np.testing.assert_array_equal(squared_diff(x, y).get(), expected)
z = cp.empty((2, 5), dtype=np.float32)
assert squared_diff(x, y, z) is z
np.testing.assert_array_equal(z.get(), expected)
np.testing.assert_array_equal(squared_diff(x, 5).get(), (x.get() - 5) ** 2)

generic = cp.ElementwiseKernel("T x, T y", "T z", "z = x > y ? x : y", "larger")
for dtype in ("i4", "f8"):
    a = cp.arange(6, dtype=dtype)
    result = generic(a, a[::-1])
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.get(), np.maximum(np.arange(6), np.arange(6)[::-1]))

reverse = cp.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse")
a = cp.arange(7.0)
np.testing.assert_array_equal(reverse(a, a).get(), np.full(7, 6.0))

polar = cp.ElementwiseKernel(
    "float64 x, float64 y",
    "float64 r, float64 angle",
    "r = length(x, y); angle = atan2(y, x)",
    "polar",
    preamble="__device__ double length(double x, double y) { return sqrt(x * x + y * y); }",
)
u, v = cp.linspace(-1, 1, 11), cp.linspace(1, 2, 11)
r, angle = polar(u, v)
np.testing.assert_allclose(r.get(), np.hypot(u.get(), v.get()), rtol=1e-14)
np.testing.assert_allclose(angle.get(), np.arctan2(v.get(), u.get()), rtol=1e-14)

shifted = cp.ElementwiseKernel("raw float64 x, int32 n", "float64 y", "y = x[(i + 1) % n]", "shifted")
np.testing.assert_array_equal(shifted(a, 7, size=7).get(), np.roll(np.arange(7.0), -1))
print("elementwise", z.sum())
