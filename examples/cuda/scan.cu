// Prefix sums: a work-efficient scan of each block and the addition of the blocks' offsets, a scan by warp shuffles,
// and a scan in a single pass in which each tile looks back at its predecessors.

/// One element of padding after every 32 keeps the tree's strides off the same bank.
__device__ constexpr int padded(int i) {
    return i + i / 32;
}

/// out = exclusive prefix sums within runs of 2 * THREADS elements, sums[block] = the run's total.
template <typename T, int THREADS>
__global__ void scan_blocks(const T* in, T* out, T* sums, unsigned n) {
    constexpr int COUNT = 2 * THREADS;
    __shared__ T tree[padded(COUNT)];
    const int t = threadIdx.x;
    const unsigned base = blockIdx.x * COUNT;
    tree[padded(t)] = base + t < n ? in[base + t] : T(0);
    tree[padded(t + THREADS)] = base + t + THREADS < n ? in[base + t + THREADS] : T(0);

    int distance = 1;
    for (int active = THREADS; active > 0; active /= 2) {
        __syncthreads();
        if (t < active) {
            const int left = padded(distance * (2 * t + 1) - 1), right = padded(distance * (2 * t + 2) - 1);
            tree[right] += tree[left];
        }
        distance *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[padded(COUNT - 1)];
        tree[padded(COUNT - 1)] = T(0);
    }
    for (int active = 1; active <= THREADS; active *= 2) {
        distance /= 2;
        __syncthreads();
        if (t < active) {
            const int left = padded(distance * (2 * t + 1) - 1), right = padded(distance * (2 * t + 2) - 1);
            const T moved = tree[left];
            tree[left] = tree[right];
            tree[right] += moved;
        }
    }
    __syncthreads();
    if (base + t < n) out[base + t] = tree[padded(t)];
    if (base + t + THREADS < n) out[base + t + THREADS] = tree[padded(t + THREADS)];
}

/// Adds offsets[run] to each element of runs of `run` elements.
template <typename T>
__global__ void add_offsets(T* data, const T* offsets, unsigned run, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += offsets[i / run];
}

/// Inclusive sum over the block's threads; `warp_sums` holds 32 elements. Ends with all threads past a barrier.
template <typename T>
__device__ T block_inclusive_scan(T value, T* warp_sums) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        const T other = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) value += other;
    }
    if (lane == 31) warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        T sum = lane < blockDim.x / 32 ? warp_sums[lane] : T(0);
        for (int offset = 1; offset < 32; offset *= 2) {
            const T other = __shfl_up_sync(0xffffffffu, sum, offset);
            if (lane >= offset) sum += other;
        }
        warp_sums[lane] = sum;
    }
    __syncthreads();
    return warp > 0 ? value + warp_sums[warp - 1] : value;
}

/// out = inclusive prefix sums within each block, a multiple of 32 threads.
template <typename T>
__global__ void scan_warps(const T* in, T* out, unsigned n) {
    __shared__ T warp_sums[32];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const T value = block_inclusive_scan(i < n ? in[i] : T(0), warp_sums);
    if (i < n) out[i] = value;
}

/// Exclusive prefix sums of the whole array in one pass. Tiles are numbered in the order in which blocks start, so a
/// tile waits only for blocks that run already. state (one word a tile) and counter are zero at the start.
///
/// A word of state: 0, or 1 in the upper half and the tile's own sum in the lower, or 2 and the sum of all up to the
/// tile.
extern "C" __global__ void scan_lookback(const unsigned* in, unsigned* out, unsigned long long* state,
                                         unsigned* counter, unsigned n) {
    __shared__ unsigned warp_sums[32];
    __shared__ unsigned tile, before;
    if (threadIdx.x == 0) tile = atomicAdd(counter, 1u);
    __syncthreads();
    const unsigned i = tile * blockDim.x + threadIdx.x;
    const unsigned value = i < n ? in[i] : 0;
    const unsigned inclusive = block_inclusive_scan(value, warp_sums);
    if (threadIdx.x == blockDim.x - 1) {
        unsigned sum = 0;
        if (tile > 0) {
            atomicExch(&state[tile], 1ull << 32 | inclusive);
            for (unsigned previous = tile; previous-- > 0;) {
                unsigned long long word;
                do word = *static_cast<volatile unsigned long long*>(&state[previous]);
                while (word == 0);
                sum += static_cast<unsigned>(word);
                if (word >> 32 == 2) break;
            }
        }
        atomicExch(&state[tile], 2ull << 32 | (sum + inclusive));
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = before + inclusive - value;
}
