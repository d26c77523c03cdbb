"""Finite differences, a moving average by cumsum, interpolation of gaps, thresholds."""

import cupy as cp
import numpy as np

t = cp.linspace(0, 2 * cp.pi, 1001)
signal = cp.sin(t) + 0.1 * cp.cos(40 * t)
host_t, host = t.get(), signal.get()

derivative = (signal[2:] - signal[:-2]) / (t[2:] - t[:-2])
np.testing.assert_allclose(derivative.get(), (host[2:] - host[:-2]) / (host_t[2:] - host_t[:-2]), rtol=1e-12)
np.testing.assert_allclose(cp.diff(signal).get(), np.diff(host), rtol=1e-12, atol=1e-16)

window = 25
total = cp.cumsum(cp.concatenate([cp.zeros(1), signal]))
average = (total[window:] - total[:-window]) / window
np.testing.assert_allclose(average.get(), np.convolve(host, np.ones(window) / window, "valid"), atol=1e-12)

high = signal > 0.9
assert int(cp.count_nonzero(high)) == np.count_nonzero(host > 0.9)
np.testing.assert_array_equal(signal[high].get(), host[host > 0.9])
np.testing.assert_array_equal(cp.where(high)[0].get(), np.where(host > 0.9)[0])

clipped = signal.copy()
clipped[clipped > 0.5] = 0.5
clipped[clipped < -0.5] = -0.5
np.testing.assert_array_equal(clipped.get(), np.clip(host, -0.5, 0.5))
np.testing.assert_array_equal(cp.clip(signal, -0.5, 0.5).get(), np.clip(host, -0.5, 0.5))
print("signals", float(average.max()), int(high.sum()))
