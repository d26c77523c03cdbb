// Bitonic sort of any n keys. Each merge begins with a mirrored step, so every exchange puts the lesser key at the
// lower index and a partner beyond the end simply does not exist.
//
// sort_tiles, then for size = 4 * blockDim.x, 8 * blockDim.x, ... while size / 2 < n:
//     merge_mirrored(size); merge_step(distance) for distance = size / 4 down to 2 * blockDim.x; merge_tiles

struct Less {
    template <typename Key>
    __device__ bool operator()(const Key& a, const Key& b) const {
        return a < b;
    }
};

struct Greater {
    template <typename Key>
    __device__ bool operator()(const Key& a, const Key& b) const {
        return b < a;
    }
};

template <typename Order, typename Key>
__device__ void exchange(Key* keys, unsigned low, unsigned high, unsigned n) {
    if (high >= n) return;
    const Key a = keys[low], b = keys[high];
    if (Order{}(b, a)) {
        keys[low] = b;
        keys[high] = a;
    }
}

/// Start of the run of `size` keys that pair t belongs to.
__device__ inline unsigned run_start(unsigned t, unsigned size) {
    return t / (size / 2) * size;
}

/// Exchanges at distances `distance`, distance / 2, ... 1 within the tile.
template <typename Order, typename Key>
__device__ void merge_in_tile(Key* tile, unsigned distance, unsigned count) {
    for (; distance > 0; distance /= 2) {
        __syncthreads();
        const unsigned low = 2 * threadIdx.x - threadIdx.x % distance;
        exchange<Order>(tile, low, low + distance, count);
    }
    __syncthreads();
}

template <typename Key>
__device__ unsigned load_tile(const Key* keys, Key* tile, unsigned n) {
    const unsigned base = blockIdx.x * 2 * blockDim.x, count = min(n - base, 2 * blockDim.x);
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) tile[i] = keys[base + i];
    return count;
}

template <typename Key>
__device__ void store_tile(Key* keys, const Key* tile, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) keys[blockIdx.x * 2 * blockDim.x + i] = tile[i];
}

/// Sorts each run of 2 * blockDim.x keys (a power of two up to 2048) in shared memory.
template <typename Key, typename Order>
__global__ void sort_tiles(Key* keys, unsigned n) {
    __shared__ Key tile[2048];
    const unsigned count = load_tile(keys, tile, n);
    for (unsigned size = 2; size <= 2 * blockDim.x; size *= 2) {
        __syncthreads();
        const unsigned start = run_start(threadIdx.x, size), offset = threadIdx.x % (size / 2);
        exchange<Order>(tile, start + offset, start + size - 1 - offset, count);
        merge_in_tile<Order>(tile, size / 4, count);
    }
    store_tile(keys, tile, count);
}

/// First step of the merge of neighbouring runs of size / 2 keys. One thread a pair.
template <typename Key, typename Order>
__global__ void merge_mirrored(Key* keys, unsigned size, unsigned n) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned start = run_start(t, size), offset = t % (size / 2);
    exchange<Order>(keys, start + offset, start + size - 1 - offset, n);
}

/// A step between keys at `distance`. One thread a pair.
template <typename Key, typename Order>
__global__ void merge_step(Key* keys, unsigned distance, unsigned n) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned low = 2 * t - t % distance;
    exchange<Order>(keys, low, low + distance, n);
}

/// The steps at distances blockDim.x and below, in shared memory.
template <typename Key, typename Order>
__global__ void merge_tiles(Key* keys, unsigned n) {
    __shared__ Key tile[2048];
    const unsigned count = load_tile(keys, tile, n);
    merge_in_tile<Order>(tile, blockDim.x, count);
    store_tile(keys, tile, count);
}
