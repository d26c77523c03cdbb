"""Files, printing, pickling, and conversions to Python."""

import copy
import os
import pickle
import tempfile

import cupy as cp
import numpy as np

x = cp.arange(6, dtype=cp.float32).reshape(2, 3)
assert str(x) == str(x.get()) and repr(x) == repr(x.get())
assert f"{cp.float64(2.0) * cp.ones(()):.2f}" == "2.00"
np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)).get(), x.get())
assert isinstance(pickle.loads(pickle.dumps(x)), cp.ndarray)
np.testing.assert_array_equal(copy.deepcopy(x).get(), x.get())
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x.npy")
    cp.save(path, x)
    np.testing.assert_array_equal(np.load(path), x.get())
    assert isinstance(cp.load(path), cp.ndarray)
    path = os.path.join(folder, "both.npz")
    cp.savez(path, x=x, y=x * 2)
    with cp.load(path) as both:
        assert sorted(both.files) == ["x", "y"]
        np.testing.assert_array_equal(both["y"].get(), 2 * x.get())
assert x.item(4) == 4.0 and x[1, 1].item() == 4.0
assert bool(x.any()) and int(x.max()) == 5 and complex(x[0, 1]) == 1
cp.testing.assert_array_equal(x * 0, cp.zeros_like(x))
cp.testing.assert_allclose(x, np.arange(6).reshape(2, 3))
print(x)
