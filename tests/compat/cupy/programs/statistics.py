"""Numbers about data: means, spreads, correlations, running sums, NaNs, axes, float16, complex numbers."""

import cupy as cp
import numpy as np

rng = np.random.default_rng(5)
host = rng.normal(3, 2, (200, 6)).astype(np.float32)
data = cp.asarray(host)

for name in ("mean", "std", "var", "sum", "min", "max", "ptp"):
    for axis in (None, 0, 1, (0, 1), -1):
        result = getattr(cp, name)(data, axis=axis)
        expected = getattr(np, name)(host.astype("f8") if name != "ptp" else host, axis=axis)
        assert isinstance(result, cp.ndarray)
        np.testing.assert_allclose(result.get(), expected, rtol=2e-4)
np.testing.assert_allclose(cp.prod(1 + data / 1000, axis=0).get(), np.prod(1 + host.astype("f8") / 1000, axis=0), rtol=1e-4)
for name in ("argmin", "argmax", "cumsum"):
    for axis in (None, 0, 1):
        expected = getattr(np, name)(host, axis=axis)
        np.testing.assert_allclose(getattr(cp, name)(data, axis=axis).get(), expected, rtol=1e-4)

standard = (data - data.mean(0)) / data.std(0, ddof=1)
correlation = standard.T @ standard / (len(data) - 1)
np.testing.assert_allclose(correlation.get(), np.corrcoef(host, rowvar=False), atol=1e-5)

gaps = data.copy()
gaps[::7, 2] = cp.nan
host_gaps = gaps.get()
assert bool(cp.isnan(gaps).any()) and int(cp.isnan(gaps).sum()) == np.isnan(host_gaps).sum()
np.testing.assert_allclose(cp.nanmean(gaps, axis=0).get(), np.nanmean(host_gaps, axis=0), rtol=1e-5)
np.testing.assert_allclose(cp.nanmax(gaps, axis=0).get(), np.nanmax(host_gaps, axis=0))
assert not cp.isnan(cp.nan_to_num(gaps)).any()

half = data.astype(cp.float16)
assert half.sum(dtype=cp.float32).dtype == cp.float32 and (half + half).dtype == cp.float16
assert (data + 1.5).dtype == cp.float32 and (data * np.float64(1)).dtype == cp.float64
assert (cp.arange(3) / 2).dtype == cp.float64 and (cp.arange(3, dtype="i1") + 100).dtype == cp.int8

z = cp.exp(1j * cp.linspace(0, cp.pi, 9))
np.testing.assert_allclose(cp.angle(z).get(), np.linspace(0, np.pi, 9), atol=1e-14)
np.testing.assert_allclose((z * z.conj()).real.get(), np.ones(9), rtol=1e-14)
z.real += 1
np.testing.assert_allclose(z.get(), 1 + np.exp(1j * np.linspace(0, np.pi, 9)), atol=1e-14)
print("statistics", data.mean(), correlation[0, 0])
