"""ReductionKernel: a norm, a logsumexp with an identity of its own, axes and keepdims."""

import cupy as cp
import numpy as np

l2norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
x = cp.arange(10, dtype=np.float32).reshape(2, 5)
h = x.get()
np.testing.assert_allclose(l2norm(x, axis=1).get(), np.sqrt((h * h).sum(1)), rtol=1e-6)
np.testing.assert_allclose(l2norm(x).get(), np.sqrt((h * h).sum()), rtol=1e-6)
assert l2norm(x, axis=0, keepdims=True).shape == (1, 5)

largest = cp.ReductionKernel("float64 x", "float64 y", "abs(x)", "max(a, b)", "y = a", "0", "largest")
wave = cp.sin(cp.arange(100_000.0))
assert float(largest(wave)) == np.abs(wave.get()).max()

dot = cp.ReductionKernel("T x, T w", "T y", "x * w", "a + b", "y = a", "0", "weighted")
weights = cp.linspace(0, 1, 100_000)
np.testing.assert_allclose(float(dot(wave, weights)), float((wave.get() * weights.get()).sum()), rtol=1e-10)
print("reductions", float(l2norm(x)))
