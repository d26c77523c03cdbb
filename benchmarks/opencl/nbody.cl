// accelerations<256> of examples/cuda/nbody.cu.
#define TILE 256

__kernel void accelerations(__global const float4* bodies, __global float4* result, int n, float softening) {
    __local float4 tile[TILE];
    const int t = get_local_id(0), i = get_global_id(0);
    const float4 body = i < n ? bodies[i] : (float4)(0);
    float x = 0, y = 0, z = 0;
    for (int start = 0; start < n; start += TILE) {
        const int j = start + t;
        tile[t] = j < n ? bodies[j] : (float4)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) {
            const float4 other = tile[k];
            const float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float scale = other.w * inverse * inverse * inverse;
            x = fma(dx, scale, x);
            y = fma(dy, scale, y);
            z = fma(dz, scale, z);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) result[i] = (float4)(x, y, z, 0);
}
