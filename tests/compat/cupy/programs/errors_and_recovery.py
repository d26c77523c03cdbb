"""A program goes on after errors: each is told at its line, and what was computed before or is pending is kept."""

import cupy as cp
import numpy as np

a = cp.arange(6.0).reshape(2, 3)
pending = a * 2
bad = {
    "shapes": (ValueError, lambda: pending + cp.ones(4)),
    "axis": (cp.AxisError, lambda: pending.sum(axis=5)),
    "reshape": (ValueError, lambda: pending.reshape(4, 4)),
    "dtype": (ValueError, lambda: cp.zeros(3, dtype="O")),
    "index": (IndexError, lambda: pending[5]),
    "many indices": (IndexError, lambda: pending[0, 0, 0]),
    "matmul": (ValueError, lambda: pending @ pending),
    "concatenate": (ValueError, lambda: cp.concatenate([pending, cp.ones((3, 2))])),
    "stack": (ValueError, lambda: cp.stack([pending, cp.ones(3)])),
    "bits": (TypeError, lambda: pending & 1),
    "where": (ValueError, lambda: cp.where(pending > 1, cp.ones(5), 0)),
    "truth": (ValueError, lambda: bool(pending)),
    "number": (TypeError, lambda: float(pending)),
    "compile": (Exception, lambda: cp.ElementwiseKernel("T x", "T y", "y = nothing(x)", "bad")(pending)),
    "types": (TypeError, lambda: cp.ElementwiseKernel("T x, T z", "T y", "y = x + z", "two")(pending, cp.arange(3))),
    "out": (ValueError, lambda: cp.add(pending, 1, out=cp.empty(2))),
    "assignment": (ValueError, lambda: pending.__setitem__((slice(None), 0), cp.ones(3))),
    "nothing": (ValueError, lambda: cp.zeros(0).max()),
    "overflow": (OverflowError, lambda: cp.array([1], dtype=cp.uint8) + 300),
    "host": (TypeError, lambda: pending + np.ones(3)),
}
for name, (error, call) in bad.items():
    try:
        call()
    except error:
        continue
    raise AssertionError(f"{name}: nothing was raised")
np.testing.assert_array_equal(pending.get(), np.arange(6.0).reshape(2, 3) * 2)

pool = cp.get_default_memory_pool()
pool.set_limit(size=32 << 20)
later = pending + 1
try:
    big = pending[0, 1] + cp.zeros(6 << 20)
    big.get()
    raise AssertionError("the limit was ignored")
except cp.cuda.memory.OutOfMemoryError as error:
    assert isinstance(error, MemoryError)
pool.set_limit(size=0)
assert float(big.get()[-1]) == 2
np.testing.assert_array_equal(later.get(), np.arange(6.0).reshape(2, 3) * 2 + 1)
print("recovered", float(later.sum()))
