"""The first steps of a tutorial: arrays, their device, norms, moving data, indexing."""

import cupy as cp
import numpy as np

x_gpu = cp.array([1, 2, 3])
assert isinstance(x_gpu, cp.ndarray) and x_gpu.dtype == np.int64
print(x_gpu, repr(x_gpu), x_gpu.device)

norm = cp.sqrt((x_gpu**2).sum())
assert norm.ndim == 0 and isinstance(norm, cp.ndarray)
assert abs(float(norm) - np.linalg.norm([1, 2, 3])) < 1e-12

with cp.cuda.Device(0):
    on_first = cp.arange(6).reshape(2, 3)
assert on_first.device == cp.cuda.Device(0)
np.testing.assert_array_equal(on_first.get(), np.arange(6).reshape(2, 3))
assert on_first.T.shape == (3, 2) and on_first.T.flags.f_contiguous

back = cp.asnumpy(on_first)
assert isinstance(back, np.ndarray)
again = cp.asarray(back)
np.testing.assert_array_equal((again[1] * 10 + again[0, ::-1]).get(), back[1] * 10 + back[0, ::-1])

try:
    np.asarray(x_gpu)
except TypeError as error:
    print("refused:", str(error).split(".")[0])
else:
    raise AssertionError("an implicit conversion went through")

assert cp.asarray(x_gpu) is x_gpu
assert cp.array(x_gpu) is not x_gpu
nested = cp.array([x_gpu, x_gpu * 2])
np.testing.assert_array_equal(nested.get(), [[1, 2, 3], [2, 4, 6]])
for row in nested:
    assert isinstance(row, cp.ndarray) and row.shape == (3,)
assert nested.tolist() == [[1, 2, 3], [2, 4, 6]]
assert int(nested[1, 2]) == 6 and nested[1, 2].ndim == 0
