"""All-pairs gravity of 16384 bodies with positions staged in shared memory."""

import numpy as np

from . import Case

NAME = "nbody"
THREADS = 256


def python(cuda):
    import math

    softening = np.float32(1e-4)
    one = np.float32(1)

    def nbody(px, py, pz, mass, ax, ay, az):
        sx = cuda.shared.array(THREADS, np.float32)
        sy = cuda.shared.array(THREADS, np.float32)
        sz = cuda.shared.array(THREADS, np.float32)
        sm = cuda.shared.array(THREADS, np.float32)
        tid = cuda.threadIdx.x
        i = cuda.grid(1)
        x = px[i]
        y = py[i]
        z = pz[i]
        fx = np.float32(0)
        fy = np.float32(0)
        fz = np.float32(0)
        for base in range(0, px.size, THREADS):
            sx[tid] = px[base + tid]
            sy[tid] = py[base + tid]
            sz[tid] = pz[base + tid]
            sm[tid] = mass[base + tid]
            cuda.syncthreads()
            for j in range(THREADS):
                dx = sx[j] - x
                dy = sy[j] - y
                dz = sz[j] - z
                inverse = one / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
                s = sm[j] * inverse * inverse * inverse
                fx += s * dx
                fy += s * dy
                fz += s * dz
            cuda.syncthreads()
        ax[i] = fx
        ay[i] = fy
        az[i] = fz

    return nbody


CUDA = r"""
extern "C" __global__ void nbody(const float* px, long long n, const float* py, long long, const float* pz, long long,
                                 const float* mass, long long, float* ax, long long, float* ay, long long,
                                 float* az, long long) {
    __shared__ float sx[256], sy[256], sz[256], sm[256];
    int tid = threadIdx.x;
    long long i = blockIdx.x * (long long)blockDim.x + tid;
    float x = px[i], y = py[i], z = pz[i], fx = 0, fy = 0, fz = 0;
    for (long long base = 0; base < n; base += 256) {
        sx[tid] = px[base + tid]; sy[tid] = py[base + tid]; sz[tid] = pz[base + tid]; sm[tid] = mass[base + tid];
        __syncthreads();
        for (int j = 0; j < 256; ++j) {
            float dx = sx[j] - x, dy = sy[j] - y, dz = sz[j] - z;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            float s = sm[j] * inverse * inverse * inverse;
            fx += s * dx; fy += s * dy; fz += s * dz;
        }
        __syncthreads();
    }
    ax[i] = fx; ay[i] = fy; az[i] = fz;
}
"""


def setup(rng, scale=1.0):
    n = max(256, int(16384 * scale**0.5) // 256 * 256)
    p = [rng.random(n, dtype=np.float32) for _ in range(3)]
    m = rng.random(n, dtype=np.float32)
    acceleration = [np.zeros(n, np.float32) for _ in range(3)]
    sample = slice(0, 64)
    d = [c[None, :].astype(np.float64) - c[sample, None] for c in p]
    s = m / np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + 1e-4) ** 3
    expected = acceleration[0].astype(np.float64)
    expected[sample] = (s * d[0]).sum(axis=1)
    case = Case([*p, m, *acceleration], (n // THREADS,), (THREADS,), {}, 20.0 * n * n, unit="GFLOP/s")
    case.sample = (4, sample, expected[sample], 2e-3)
    return case
