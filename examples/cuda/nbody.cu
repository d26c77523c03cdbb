// Gravitation between all pairs of n bodies: position in x, y, z of a float4, mass in w.

__device__ inline float3 attraction(float3 sum, float4 body, float4 other, float softening) {
    const float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
    const float scale = other.w * inverse * inverse * inverse;
    sum.x = fmaf(dx, scale, sum.x);
    sum.y = fmaf(dy, scale, sum.y);
    sum.z = fmaf(dz, scale, sum.z);
    return sum;
}

/// Accelerations of all bodies; the block is TILE threads, which share a tile of TILE bodies at a time. `softening` is
/// added to squared distances.
template <int TILE>
__global__ void accelerations(const float4* bodies, float4* result, int n, float softening) {
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int start = 0; start < n; start += TILE) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) sum = attraction(sum, body, tile[k], softening);
        __syncthreads();
    }
    if (i < n) result[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

/// A step of the leapfrog: velocities (w unused), then positions.
extern "C" __global__ void advance(float4* bodies, float4* velocities, const float4* accelerations, int n, float step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 a = accelerations[i];
    float4 v = velocities[i], p = bodies[i];
    v.x += a.x * step;
    v.y += a.y * step;
    v.z += a.z * step;
    p.x += v.x * step;
    p.y += v.y * step;
    p.z += v.z * step;
    velocities[i] = v;
    bodies[i] = p;
}
