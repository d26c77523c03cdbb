"""Stream compaction and run lengths from cumsum, diff, masks, repeat; choose, select, piecewise, compress, extract."""

import cupy as cp
import numpy as np

rng = np.random.RandomState(4)
h = np.repeat(rng.randint(0, 5, 80), rng.randint(1, 9, 80)).astype(np.int32)


def run_lengths(xp, v):
    change = xp.concatenate([xp.array([True]), v[1:] != v[:-1]])
    starts = xp.flatnonzero(change)
    lengths = xp.diff(xp.concatenate([starts, xp.array([len(v)])]))
    return v[starts], lengths


def compact(xp, v, keep):
    place = xp.cumsum(keep) - 1
    out = xp.zeros(int(keep.sum()), v.dtype)
    out[place[keep]] = v[keep]
    return out


x = cp.asarray(h)
values, lengths = run_lengths(cp, x)
hv, hl = run_lengths(np, h)
assert (values.get() == hv).all() and (lengths.get() == hl).all()
rebuilt = cp.repeat(values, lengths.tolist())
assert (rebuilt == x).all()
keep = x % 2 == 1
assert (compact(cp, x, keep).get() == h[h % 2 == 1]).all()
print(len(values), int(lengths.max()), compact(cp, x, keep)[:6], cp.extract(keep, x).shape, x.compress(keep).shape)
labels = cp.choose(x, [cp.zeros_like(x), x * 10, x * 100, -x, x + 7])
expected = np.choose(h, [np.zeros_like(h), h * 10, h * 100, -h, h + 7])
assert (labels.get() == expected).all()
s = cp.select([x < 1, x < 3], [x - 1, x * x], default=-9)
assert (s.get() == np.select([h < 1, h < 3], [h - 1, h * h], default=-9)).all()
pw = cp.piecewise(x.astype(float), [x < 2, x >= 4], [lambda v: -v, lambda v: v**2, 0.5])
assert (pw.get() == np.piecewise(h.astype(float), [h < 2, h >= 4], [lambda v: -v, lambda v: v**2, 0.5])).all()
y = x.copy()
cp.putmask(y, y > 2, cp.array([7, 8], dtype=cp.int32))
hy = h.copy()
np.putmask(hy, hy > 2, np.array([7, 8], dtype=np.int32))
assert (y.get() == hy).all()
y = x.copy()
cp.place(y, y == 0, cp.array([-1, -2]))
y.put([0, 1, -1], [50, 51, 52])
print(labels[:8], s[:8], pw[:4], y[:3], y[-1], cp.count_nonzero(y < 0))
i, j = cp.nonzero(x[:20].reshape(4, 5) == 2)
print(
    i,
    j,
    cp.argwhere(x[:10] > 2).ravel(),
    cp.where(x[:6] > 1, x[:6], -1),
    cp.tril(cp.ones((3, 3), int))[2],
    cp.triu_indices(3)[0],
)
