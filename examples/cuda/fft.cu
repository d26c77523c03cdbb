// Fast Fourier transforms of complex numbers by Stockham's self-sorting algorithm. `sign` is -1 forward, 1 backward;
// nothing is scaled.

__device__ inline float2 operator+(float2 a, float2 b) {
    return make_float2(a.x + b.x, a.y + b.y);
}
__device__ inline float2 operator-(float2 a, float2 b) {
    return make_float2(a.x - b.x, a.y - b.y);
}
__device__ inline float2 operator*(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// exp(i pi x)
__device__ inline float2 turn(float x) {
    float sine, cosine;
    sincospif(x, &sine, &cosine);
    return make_float2(cosine, sine);
}

/// sign * i * a
__device__ inline float2 quarter(float2 a, int sign) {
    return make_float2(-sign * a.y, sign * a.x);
}

/// Transform of N = 4^p or 2 * 4^p values a block, in shared memory, by steps of radix 4 and a last one of radix 2
/// where needed. The block has N / 4 threads.
template <int N>
__global__ void fft_shared(const float2* in, float2* out, int sign) {
    static_assert(N >= 4 && N <= 4096 && (N & (N - 1)) == 0, "a power of two that fits");
    constexpr int QUARTER = N / 4;
    __shared__ float2 values[N];
    const int t = threadIdx.x;
    const size_t base = size_t(blockIdx.x) * N;
    float2 v[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) v[r] = in[base + t + r * QUARTER];
    int done = 1;
#pragma unroll
    for (; done * 4 <= N; done *= 4) {
        const int k = t & (done - 1);
        const float angle = sign * 0.5f * k / done;
#pragma unroll
        for (int r = 1; r < 4; ++r) v[r] = v[r] * turn(angle * r);
        const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = quarter(v[1] - v[3], sign);
        const float2 w[4] = {a + c, b + d, a - c, b - d};
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; ++r) values[(t - k) * 4 + k + r * done] = w[r];
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; ++r) v[r] = values[t + r * QUARTER];
    }
    if (done < N) {
        // Half of the values are done as even, half as odd ones: v[0], v[1] and their partners v[2], v[3].
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int k = t + h * QUARTER;
            const float2 even = v[h], odd = v[h + 2] * turn(sign * 1.0f * k / done);
            v[h] = even + odd;
            v[h + 2] = even - odd;
        }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) out[base + t + r * QUARTER] = v[r];
}

/// One step of radix 2 of transforms of n values in global memory, one after the other; runs of `done` values are done.
/// A thread a pair.
extern "C" __global__ void fft_step(const float2* in, float2* out, unsigned n, unsigned done, int sign) {
    const unsigned half = n / 2, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= half) return;
    const size_t base = size_t(blockIdx.y) * n;
    const unsigned k = j & (done - 1);
    const float2 even = in[base + j], odd = in[base + j + half] * turn(sign * static_cast<float>(k) / done);
    const unsigned place = (j - k) * 2 + k;
    out[base + place] = even + odd;
    out[base + place + done] = even - odd;
}
