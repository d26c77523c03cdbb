"""Bellman-Ford and BFS over an edge list with scatter_min and atomics, loops until nothing changes."""

import cupy as cp
import cupyx
import numpy as np

rng = np.random.RandomState(8)
n, m = 200, 900
src, dst = rng.randint(0, n, m), rng.randint(0, n, m)
weight = rng.randint(1, 20, m).astype(np.float64)
s, d, w = map(cp.asarray, (src, dst, weight))

dist = cp.full(n, cp.inf)
dist[0] = 0
rounds = 0
while True:
    new = dist.copy()
    cupyx.scatter_min(new, d, dist[s] + w)
    rounds += 1
    if bool((new == dist).all()):
        break
    dist = new
host = np.full(n, np.inf)
host[0] = 0
for _ in range(n):
    before = host.copy()
    np.minimum.at(host, dst, before[src] + weight)
    if (before == host).all():
        break
assert (dist.get() == host).all()

relax = cp.RawKernel(
    r"""
extern "C" __global__ void bfs(const long long* src, const long long* dst, int m, int* level, int depth,
                               bool* changed) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    if (level[src[e]] == depth && atomicCAS(level + dst[e], -1, depth + 1) == -1) *changed = true;
}""",
    "bfs",
)
level = cp.full(n, -1, dtype=cp.int32)
level[0] = 0
changed = cp.ones(1, dtype=bool)
depth = 0
while changed.item():
    changed.fill(False)
    relax(((m + 255) // 256,), (256,), (s, d, m, level, depth, changed))
    depth += 1
hl = np.full(n, -1)
hl[0] = 0
for k in range(n):
    reach = dst[(hl[src] == k)]
    reach = reach[hl[reach] == -1]
    if len(reach) == 0:
        break
    hl[reach] = k + 1
assert (level.get() == hl).all()
finite = cp.isfinite(dist)
print(
    int(finite.sum()),
    float(dist[finite].max()),
    f"{float(dist[finite].mean()):.4f}",
    depth,
    cp.bincount(level[level >= 0]),
)
