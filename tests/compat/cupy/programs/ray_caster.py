"""A RawModule with structs, device functions and several kernels that share a header; grid-stride loops."""

import cupy as cp
import numpy as np

source = r"""
#include <cupy/complex.cuh>
struct Sphere { float3 c; float r; };
__device__ __constant__ float light[3];
__device__ bool hit(const Sphere& s, float3 o, float3 d, float* t) {
    float3 oc = make_float3(o.x - s.c.x, o.y - s.c.y, o.z - s.c.z);
    float b = oc.x * d.x + oc.y * d.y + oc.z * d.z;
    float c = oc.x * oc.x + oc.y * oc.y + oc.z * oc.z - s.r * s.r;
    float q = b * b - c;
    if (q < 0) return false;
    *t = -b - sqrtf(q);
    return *t > 0;
}
extern "C" {
__global__ void render(const Sphere* spheres, int count, float* image, int w, int h) {
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h; p += gridDim.x * blockDim.x) {
        float x = (p % w + 0.5f) / w * 2 - 1, y = (p / w + 0.5f) / h * 2 - 1;
        float3 o = make_float3(x * 2, y * 2, -5), d = make_float3(0, 0, 1);
        float best = 1e30f, shade = 0;
        for (int k = 0; k < count; ++k) {
            float t;
            if (hit(spheres[k], o, d, &t) && t < best) {
                best = t;
                float nx = (o.x - spheres[k].c.x) / spheres[k].r, ny = (o.y - spheres[k].c.y) / spheres[k].r;
                float nz = (o.z + t - spheres[k].c.z) / spheres[k].r;
                shade = fmaxf(0.f, nx * light[0] + ny * light[1] + nz * light[2]);
            }
        }
        image[p] = shade;
    }
}
__global__ void tonemap(const float* image, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (unsigned char)(255.f * powf(image[i], 0.5f));
}
__global__ void conj_all(complex<float>* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = conj(z[i]);
}
}"""
module = cp.RawModule(code=source, backend="nvrtc", options=("--std=c++17",))
spheres = np.array([((0, 0, 0), 1.0), ((1.2, 0.4, -1), 0.5)], dtype=[("c", "f4", 3), ("r", "f4")])
device_spheres = cp.asarray(spheres.view(np.uint8).reshape(-1))
light = cp.ndarray(3, cp.float32, module.get_global("light"))
light[:] = cp.asarray([0.0, -0.6, -0.8], dtype=cp.float32)
w, h = 48, 32
image = cp.zeros((h, w), cp.float32)
out = cp.empty((h, w), cp.uint8)
module.get_function("render")((4,), (128,), (device_spheres, 2, image, w, h))
module.get_function("tonemap")((w * h // 128,), (128,), (image, out, w * h))
xx, yy = np.meshgrid((np.arange(w) + 0.5) / w * 4 - 2, (np.arange(h) + 0.5) / h * 4 - 2)
expected, depth = np.zeros((h, w)), np.full((h, w), np.inf)
for (cx, cy, cz), r in spheres.tolist():
    q = r * r - (xx - cx) ** 2 - (yy - cy) ** 2
    z = cz - np.sqrt(np.maximum(q, 0))
    shade = np.maximum(0, (yy - cy) / r * -0.6 + (z - cz) / r * -0.8)
    front = (q >= 0) & (z < depth)
    expected[front], depth[front] = shade[front], z[front]
assert (abs(image.get() - expected) > 1e-3).mean() < 0.01
z = cp.arange(4, dtype=cp.complex64) * 1j
module.get_function("conj_all")((1,), (32,), (z, 4))
print(out.dtype, int((out > 0).sum()), f"{float(image.max()):.3f}", z)
for row in out.get()[::4, ::2]:
    print("".join(" .:-=+*#%@"[int(v) * 9 // 255] for v in row))
