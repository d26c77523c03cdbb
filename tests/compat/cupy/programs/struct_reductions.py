"""Reduction kernels with structs in a preamble: min and max with positions, mean and variance together, log-sum-exp."""

import cupy as cp
import numpy as np

argminmax = cp.ReductionKernel(
    in_params="T x",
    out_params="int64 lo, int64 hi",
    map_expr="MinMax<T>(x, _J)",
    reduce_expr="join(a, b)",
    post_map_expr="lo = a.imin; hi = a.imax",
    identity="MinMax<T>()",
    name="argminmax",
    reduce_type="MinMax<T>",
    preamble=r"""
    template <typename T> struct MinMax {
        T vmin, vmax; long long imin, imax;
        __device__ MinMax() : imin(-1), imax(-1) {}
        __device__ MinMax(T v, long long i) : vmin(v), vmax(v), imin(i), imax(i) {}
    };
    template <typename T> __device__ MinMax<T> join(const MinMax<T>& a, const MinMax<T>& b) {
        if (a.imin < 0) return b;
        if (b.imin < 0) return a;
        MinMax<T> r = a;
        if (b.vmin < r.vmin || (b.vmin == r.vmin && b.imin < r.imin)) { r.vmin = b.vmin; r.imin = b.imin; }
        if (b.vmax > r.vmax || (b.vmax == r.vmax && b.imax < r.imax)) { r.vmax = b.vmax; r.imax = b.imax; }
        return r;
    }""",
)
moments = cp.ReductionKernel(
    "T x",
    "float64 mean, float64 var",
    "Welford(x)",
    "merge(a, b)",
    "mean = a.mean; var = a.m2 / a.n",
    "Welford()",
    "moments",
    reduce_type="Welford",
    preamble=r"""
    struct Welford {
        double n, mean, m2;
        __device__ Welford() : n(0), mean(0), m2(0) {}
        __device__ Welford(double x) : n(1), mean(x), m2(0) {}
    };
    __device__ Welford merge(Welford a, Welford b) {
        Welford r;
        r.n = a.n + b.n;
        if (r.n == 0) return r;
        double d = b.mean - a.mean;
        r.mean = a.mean + d * b.n / r.n;
        r.m2 = a.m2 + b.m2 + d * d * a.n * b.n / r.n;
        return r;
    }""",
)
logsumexp = cp.ReductionKernel("T x, T m", "T y", "exp(x - m)", "a + b", "y = log(a)", "0", "lse")
l2norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")

rng = np.random.RandomState(5)
host = rng.randn(7, 33).astype(np.float32)
x = cp.asarray(host)
lo, hi = moments_in = argminmax(x, axis=1)
assert (lo.get() == host.argmin(1)).all() and (hi.get() == host.argmax(1)).all(), (lo, hi)
lo, hi = argminmax(x, axis=0)
assert (lo.get() == host.argmin(0)).all() and (hi.get() == host.argmax(0)).all()
mean, var = moments(x, axis=1)
cp.testing.assert_allclose(mean, host.astype("f8").mean(1), rtol=1e-6)
cp.testing.assert_allclose(var, host.astype("f8").var(1), rtol=1e-6)
m = x.max(axis=1, keepdims=True)
lse = logsumexp(x, m, axis=1) + m[:, 0]
cp.testing.assert_allclose(lse, np.log(np.exp(host).sum(1)), rtol=1e-5)
norms = l2norm(x, axis=0, keepdims=True)
assert norms.shape == (1, 33)
out = cp.empty(7, cp.float32)
assert l2norm(x, out, axis=1) is out
cp.testing.assert_allclose(out, np.sqrt((host**2).sum(1)), rtol=1e-5)
print(lo[:8], hi[:8], mean.round(4)[:3], out.round(3)[:3], f"{float(l2norm(x)):.4f}")
