// Histograms: each block counts in shared memory and adds its counts to the global bins once. The bins start at zero.

/// 256 bins of bytes, read four at a time; `data` is aligned to 4 bytes.
extern "C" __global__ void histogram_bytes(const unsigned char* data, unsigned n, unsigned* bins) {
    __shared__ unsigned counts[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    const uchar4* words = reinterpret_cast<const uchar4*>(data);
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
    for (unsigned i = first; i < n / 4; i += step) {
        const uchar4 four = words[i];
        atomicAdd(&counts[four.x], 1u);
        atomicAdd(&counts[four.y], 1u);
        atomicAdd(&counts[four.z], 1u);
        atomicAdd(&counts[four.w], 1u);
    }
    if (first < n % 4) atomicAdd(&counts[data[n / 4 * 4 + first]], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
        if (counts[b] != 0) atomicAdd(&bins[b], counts[b]);
}

/// `bins` bins of equal width over [low, high); values outside are not counted. Dynamic shared memory: 4 bytes a bin.
template <typename T>
__global__ void histogram_range(const T* data, unsigned n, unsigned* result, int bins, T low, T high) {
    extern __shared__ unsigned counts[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const T value = data[i];
        if (value >= low && value < high) {
            const int bin = static_cast<int>((value - low) / (high - low) * T(bins));
            atomicAdd(&counts[bin < bins ? bin : bins - 1], 1u);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        if (counts[b] != 0) atomicAdd(&result[b], counts[b]);
}

/// The lanes of a warp that hold the same key add to its bin together. Any number of bins, in global memory.
extern "C" __global__ void histogram_matched(const int* keys, unsigned n, unsigned* bins) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned base = blockIdx.x * blockDim.x; base < n; base += blockDim.x * gridDim.x) {
        const unsigned i = base + threadIdx.x;
        const unsigned present = __ballot_sync(0xffffffffu, i < n);
        if (i < n) {
            const int key = keys[i];
            const unsigned same = __match_any_sync(present, key);
            if (lane == __ffs(same) - 1u) atomicAdd(&bins[key], static_cast<unsigned>(__popc(same)));
        }
    }
}
