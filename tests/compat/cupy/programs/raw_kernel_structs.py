"""RawKernel with complex numbers, structures by value and in arrays, shared memory, and scalars of all kinds."""

import cupy as cp
import numpy as np

rotate = cp.RawKernel(
    r"""
    #include <cupy/complex.cuh>
    extern "C" __global__ void rotate(const complex<float> *z, complex<float> factor, complex<float> *out, int n) {
        int i = blockDim.x * blockIdx.x + threadIdx.x;
        if (i < n) out[i] = z[i] * factor + conj(z[i]);
    }
    """,
    "rotate",
)
z = (cp.arange(100) + 1j * cp.arange(100, 0, -1)).astype(cp.complex64)
out = cp.empty_like(z)
rotate((1,), (128,), (z, np.complex64(1j), out, 100))
np.testing.assert_allclose(out.get(), z.get() * np.complex64(1j) + z.get().conj(), rtol=1e-6)

particle = np.dtype([("mass", "f4"), ("charge", "f4"), ("id", "i4")], align=True)
move = cp.RawKernel(
    r"""
    struct Particle { float mass, charge; int id; };
    struct Field { double strength; int axis; };
    extern "C" __global__ void force(const Particle *p, Field field, double *out, unsigned int n, bool flip) {
        unsigned int i = blockDim.x * blockIdx.x + threadIdx.x;
        if (i >= n) return;
        double value = p[i].charge * field.strength / p[i].mass + field.axis;
        out[p[i].id] = flip ? -value : value;
    }
    """,
    "force",
)
particles = np.zeros(10, particle)
particles["mass"] = np.arange(1, 11)
particles["charge"] = 3
particles["id"] = np.arange(10)[::-1]
field = np.zeros((), np.dtype([("strength", "f8"), ("axis", "i4")], align=True))
field["strength"], field["axis"] = 2.5, 1
bytes_on_device = cp.asarray(particles.view(np.uint8))
forces = cp.zeros(10)
move((1,), (32,), (bytes_on_device, field, forces, np.uint32(10), True))
np.testing.assert_allclose(forces.get()[::-1], -(3 * 2.5 / np.arange(1, 11, dtype="f4") + 1), rtol=1e-6)

block_sum = cp.RawKernel(
    r"""
    extern "C" __global__ void block_sum(const float *x, float *out, long long n) {
        extern __shared__ float part[];
        long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
        part[threadIdx.x] = i < n ? x[i] : 0.0f;
        __syncthreads();
        for (int half = blockDim.x / 2; half; half /= 2) {
            if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0) atomicAdd(out, part[0]);
    }
    """,
    "block_sum",
)
ones = cp.ones(1000, dtype=cp.float32)
total = cp.zeros((), dtype=cp.float32)
block_sum((4,), (256,), (ones, total, ones.size), shared_mem=256 * 4)
assert float(total) == 1000
assert block_sum.attributes["max_threads_per_block"] >= 256
print("structs", float(forces.sum()))
