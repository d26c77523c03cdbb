// Stream compaction: the elements that a predicate keeps, without gaps.

template <typename T>
struct Positive {
    __device__ bool operator()(T value) const { return value > T(0); }
};

template <typename T>
struct Even {
    __device__ bool operator()(T value) const { return value % 2 == 0; }
};

/// In any order: the kept elements of a warp get their places by one atomic on *count, which starts at zero.
template <typename T, typename Predicate>
__global__ void compact_unordered(const T* in, unsigned n, T* out, unsigned* count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const T value = i < n ? in[i] : T(0);
    const bool keep = i < n && Predicate{}(value);
    const unsigned kept = __ballot_sync(0xffffffffu, keep);
    unsigned base = 0;
    if (lane == 0 && kept != 0) base = atomicAdd(count, static_cast<unsigned>(__popc(kept)));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = value;
}

/// In order, first kernel: how many elements each block keeps.
template <typename T, typename Predicate>
__global__ void compact_count(const T* in, unsigned n, unsigned* counts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int kept = __syncthreads_count(i < n && Predicate{}(in[i]));
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

/// In order, second kernel, one block: counts become exclusive prefix sums, *total their sum.
extern "C" __global__ void compact_offsets(unsigned* counts, unsigned blocks, unsigned* total) {
    __shared__ unsigned sums[2][1024];
    unsigned carry = 0;
    for (unsigned base = 0; base < blocks; base += blockDim.x) {
        const unsigned i = base + threadIdx.x, own = i < blocks ? counts[i] : 0;
        int current = 0;
        sums[0][threadIdx.x] = own;
        __syncthreads();
        for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
            unsigned sum = sums[current][threadIdx.x];
            if (threadIdx.x >= offset) sum += sums[current][threadIdx.x - offset];
            current ^= 1;
            sums[current][threadIdx.x] = sum;
            __syncthreads();
        }
        if (i < blocks) counts[i] = carry + sums[current][threadIdx.x] - own;
        carry += sums[current][blockDim.x - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) *total = carry;
}

/// In order, third kernel: each kept element goes to its block's offset plus the number kept before it in the block.
template <typename T, typename Predicate>
__global__ void compact_scatter(const T* in, unsigned n, const unsigned* offsets, T* out) {
    __shared__ unsigned warp_counts[32];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T value = i < n ? in[i] : T(0);
    const bool keep = i < n && Predicate{}(value);
    const unsigned kept = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) warp_counts[warp] = __popc(kept);
    __syncthreads();
    unsigned place = offsets[blockIdx.x];
    for (unsigned w = 0; w < warp; ++w) place += warp_counts[w];
    if (keep) out[place + __popc(kept & ((1u << lane) - 1))] = value;
}
