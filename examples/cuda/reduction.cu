// Sums of an array, from the textbook's tree to grid-stride accumulation with atomics.
//
// Any n will do. A block is a power of two of 64 to 1024 threads; the first three kernels want sizeof(T) bytes of
// dynamic shared memory a thread. All but the last two leave one partial sum a block in out[blockIdx.x].

template <typename T>
__device__ T* shared_array() {
    extern __shared__ __align__(16) unsigned char bytes[];
    return reinterpret_cast<T*>(bytes);
}

template <typename T>
__device__ T warp_sum(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

/// Neighbours first: the active threads are spread over all warps.
template <typename T>
__global__ void reduce_interleaved(const T* in, T* out, unsigned n) {
    T* buffer = shared_array<T>();
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) buffer[t] += buffer[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = buffer[0];
}

/// Neighbours first, by consecutive threads: whole warps retire, but the accesses stride over the banks.
template <typename T>
__global__ void reduce_strided(const T* in, T* out, unsigned n) {
    T* buffer = shared_array<T>();
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned left = 2 * stride * t;
        if (left < blockDim.x) buffer[left] += buffer[left + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = buffer[0];
}

/// Halves: consecutive threads on consecutive elements.
template <typename T>
__global__ void reduce_sequential(const T* in, T* out, unsigned n) {
    T* buffer = shared_array<T>();
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) buffer[t] += buffer[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = buffer[0];
}

/// Two elements a thread on load, all steps unrolled, the last warp by shuffles.
template <typename T, int BLOCK>
__global__ void reduce_unrolled(const T* in, T* out, unsigned n) {
    static_assert(BLOCK >= 64 && (BLOCK & (BLOCK - 1)) == 0, "a power of two from 64 on");
    __shared__ T buffer[BLOCK];
    const unsigned t = threadIdx.x, i = blockIdx.x * (2 * BLOCK) + t;
    T value = i < n ? in[i] : T(0);
    if (i + BLOCK < n) value += in[i + BLOCK];
    buffer[t] = value;
    __syncthreads();
    if constexpr (BLOCK >= 1024) {
        if (t < 512) buffer[t] += buffer[t + 512];
        __syncthreads();
    }
    if constexpr (BLOCK >= 512) {
        if (t < 256) buffer[t] += buffer[t + 256];
        __syncthreads();
    }
    if constexpr (BLOCK >= 256) {
        if (t < 128) buffer[t] += buffer[t + 128];
        __syncthreads();
    }
    if constexpr (BLOCK >= 128) {
        if (t < 64) buffer[t] += buffer[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        value = warp_sum(buffer[t] + buffer[t + 32]);
        if (t == 0) out[blockIdx.x] = value;
    }
}

/// Any grid covers any n; the block's sum goes to out[0] by one atomic.
template <typename T>
__global__ void reduce_grid_stride(const T* in, T* out, unsigned n) {
    __shared__ T warp_sums[32];
    T value = T(0);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) value += in[i];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_sum(value);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : T(0));
        if (lane == 0) atomicAdd(out, value);
    }
}

/// The same for float with 16-byte loads; `in` is aligned to 16 bytes.
extern "C" __global__ void reduce_float4(const float* in, float* out, unsigned n) {
    __shared__ float warp_sums[32];
    const float4* quads = reinterpret_cast<const float4*>(in);
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
    float value = 0;
    for (unsigned i = first; i < n / 4; i += step) {
        const float4 q = quads[i];
        value += (q.x + q.y) + (q.z + q.w);
    }
    if (first < n % 4) value += in[n / 4 * 4 + first];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) atomicAdd(out, value);
    }
}
