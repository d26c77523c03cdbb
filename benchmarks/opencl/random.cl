// philox_uniform of examples/cuda/random.cu.
static uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const uint low0 = 0xd2511f53u * counter.x, high0 = mul_hi(0xd2511f53u, counter.x);
        const uint low1 = 0xcd9e8d57u * counter.z, high1 = mul_hi(0xcd9e8d57u, counter.z);
        counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

static float unit(uint bits) { return (bits >> 8) * 0x1p-24f + 0x1p-25f; }

__kernel void philox_uniform(__global float* out, uint n, ulong seed, ulong offset) {
    const uint2 key = (uint2)((uint)seed, (uint)(seed >> 32));
    for (uint i = get_global_id(0); 4 * i < n; i += get_global_size(0)) {
        const ulong index = offset + i;
        const uint4 words = philox((uint4)((uint)index, (uint)(index >> 32), 0, 0), key);
        const float four[4] = {unit(words.x), unit(words.y), unit(words.z), unit(words.w)};
#pragma unroll
        for (uint j = 0; j < 4; ++j)
            if (4 * i + j < n) out[4 * i + j] = four[j];
    }
}
