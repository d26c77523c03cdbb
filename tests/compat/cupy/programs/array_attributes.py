"""Attributes that programs set and ask: shape, flat, base, flags, real and imag; comparison with None; copies, pickles."""

import copy
import pickle

import cupy as cp
import numpy as np


def refused(error, function):
    try:
        function()
    except error:
        return True
    return False


a, h = cp.arange(12, dtype=cp.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
a.shape = (3, 4)
assert a.shape == (3, 4) and a.strides == h.strides and a.nbytes == 48 and len(a) == 3
a.shape = 2, -1
h = h.reshape(2, -1)
assert refused(AttributeError, lambda: setattr(a.T, "shape", (12,)))
assert refused(ValueError, lambda: setattr(a, "shape", (5, 3)))

assert float(a.flat[7]) == 7 and a.flat[2:5].get().tolist() == [2, 3, 4] and len(a.flat) == 12
assert [int(value) for value in a.flat] == list(range(12))
a.T.flat[1] = h.T.flat[1] = -5
a.flat[9:] = h.flat[9:] = [20, 30]
np.testing.assert_array_equal(a.get(), h)

assert a.flags.c_contiguous and a.T.flags.f_contiguous and not a.T.flags["C_CONTIGUOUS"]
assert a.flags.owndata and not a[1:].flags.owndata
assert a.base is None and a[1:].base is not None
assert not (a == None).any() and (a != None).all() and (a == Ellipsis).shape == a.shape  # noqa: E711

z, w = cp.arange(4) + 1j, np.arange(4) + 1j
for x in (z, w):
    x.imag *= 2
    x.real = 7
np.testing.assert_array_equal(z.get(), w)

c = copy.deepcopy(a)
c[0, 0] = 99
d = pickle.loads(pickle.dumps(c))
assert float(a[0, 0]) == 0 and float(d[0, 0]) == 99 and type(d) is cp.ndarray
assert f"{a.sum():.1f}" == f"{h.sum():.1f}" and "%d" % int(a[0, 2]) == "2" and bytes(a) == h.tobytes()
assert [float(row.sum()) for row in a] == [float(row.sum()) for row in h]
print("attributes", a.shape, z)
