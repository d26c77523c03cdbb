"""y = a * x + y three ways: operators, a ufunc with out=, and a kernel of one's own."""

import cupy as cp
import numpy as np

a = np.float32(2.5)
x = cp.linspace(0, 1, 10_001, dtype=cp.float32)
y = cp.full_like(x, 0.5)
expected = a * cp.asnumpy(x) + cp.asnumpy(y)

by_operators = a * x + y
assert by_operators.dtype == cp.float32
np.testing.assert_array_equal(by_operators.get(), expected)

out = cp.empty_like(x)
cp.multiply(x, a, out=out)
cp.add(out, y, out=out)
np.testing.assert_array_equal(cp.asnumpy(out), expected)

saxpy = cp.ElementwiseKernel("float32 a, float32 x", "float32 y", "y = a * x + y", "saxpy")
in_place = y.copy()
saxpy(a, x, in_place)
np.testing.assert_allclose(in_place.get(), expected, rtol=1e-6)
print("saxpy", float(by_operators.sum()))
