// Random numbers: the counter-based Philox4x32-10 and streams of xorshift128 and MT19937.

struct Philox {
    uint2 key;

    /// Four words of the generator's output for one counter.
    __device__ uint4 operator()(uint4 counter) const {
        uint2 k = key;
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            const unsigned low0 = 0xd2511f53u * counter.x, high0 = __umulhi(0xd2511f53u, counter.x);
            const unsigned low1 = 0xcd9e8d57u * counter.z, high1 = __umulhi(0xcd9e8d57u, counter.z);
            counter = make_uint4(high1 ^ counter.y ^ k.x, low1, high0 ^ counter.w ^ k.y, low0);
            k.x += 0x9e3779b9u;
            k.y += 0xbb67ae85u;
        }
        return counter;
    }
};

__device__ inline Philox seeded(unsigned long long seed) {
    return Philox{make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32))};
}

__device__ inline uint4 counter_at(unsigned long long index) {
    return make_uint4(static_cast<unsigned>(index), static_cast<unsigned>(index >> 32), 0, 0);
}

/// In (0, 1]: the upper 24 bits, centred by half a step from zero.
__device__ inline float unit(unsigned bits) {
    return (bits >> 8) * 0x1p-24f + 0x1p-25f;
}

extern "C" __global__ void philox_words(const uint4* counters, const uint2* keys, uint4* out, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = Philox{keys[i]}(counters[i]);
}

/// Four numbers a thread; the result does not depend on grid and block.
extern "C" __global__ void philox_uniform(float* out, unsigned n, unsigned long long seed, unsigned long long offset) {
    const Philox generate = seeded(seed);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; 4 * i < n; i += blockDim.x * gridDim.x) {
        const uint4 words = generate(counter_at(offset + i));
        const float four[4] = {unit(words.x), unit(words.y), unit(words.z), unit(words.w)};
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
            if (4 * i + j < n) out[4 * i + j] = four[j];
    }
}

/// Standard normal numbers by the method of Box and Muller, a pair a thread.
extern "C" __global__ void philox_normal(float2* out, unsigned n, unsigned long long seed) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint4 words = seeded(seed)(counter_at(i));
    const float radius = sqrtf(-2.0f * logf(unit(words.x)));
    float sine, cosine;
    sincospif(2.0f * unit(words.y), &sine, &cosine);
    out[i] = make_float2(radius * cosine, radius * sine);
}

/// Marsaglia's xorshift128: thread s continues states[s] and writes `count` words to out[k * streams + s].
extern "C" __global__ void xorshift128(uint4* states, unsigned* out, unsigned streams, unsigned count) {
    const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= streams) return;
    uint4 state = states[s];
    for (unsigned k = 0; k < count; ++k) {
        const unsigned t = state.x ^ state.x << 11;
        state.x = state.y;
        state.y = state.z;
        state.z = state.w;
        state.w ^= state.w >> 19 ^ t ^ t >> 8;
        out[k * streams + s] = state.w;
    }
    states[s] = state;
}

/// MT19937, a block a stream, seeded by seeds[block] as init_genrand does: `count` words to out[block * count]. The
/// block has at least 227 threads, as that many words of the next state depend on the last one only.
extern "C" __global__ void mt19937(const unsigned* seeds, unsigned* out, unsigned count) {
    constexpr unsigned SIZE = 624, MIDDLE = 397, STEP = SIZE - MIDDLE;
    __shared__ unsigned state[SIZE];
    const unsigned t = threadIdx.x;
    if (t == 0) {
        state[0] = seeds[blockIdx.x];
        for (unsigned i = 1; i < SIZE; ++i) state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
    }
    __syncthreads();
    for (unsigned start = 0; start < count; start += SIZE) {
        for (unsigned base = 0; base < SIZE; base += STEP) {
            const unsigned i = base + t;
            const bool active = t < STEP && i < SIZE;
            unsigned next = 0;
            if (active) {
                const unsigned y = (state[i] & 0x80000000u) | (state[(i + 1) % SIZE] & 0x7fffffffu);
                next = state[(i + MIDDLE) % SIZE] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0u);
            }
            __syncthreads();
            if (active) state[i] = next;
            __syncthreads();
        }
        for (unsigned i = t; i < SIZE && start + i < count; i += blockDim.x) {
            unsigned y = state[i];
            y ^= y >> 11;
            y ^= y << 7 & 0x9d2c5680u;
            y ^= y << 15 & 0xefc60000u;
            out[size_t(blockIdx.x) * count + start + i] = y ^ y >> 18;
        }
        __syncthreads();
    }
}
