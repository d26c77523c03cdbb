// Reductions of a warp or a part of one: by cooperative groups, by plain shuffles, and by the warp's own instructions.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename Group, typename T>
__device__ T group_sum(const Group& group, T value) {
    for (unsigned offset = group.size() / 2; offset > 0; offset /= 2) value += group.shfl_down(value, offset);
    return value;
}

/// out[s] = sum of the s-th run of TILE elements; TILE is a power of two up to 32.
template <typename T, int TILE>
__global__ void sum_runs(const T* in, T* out, unsigned n) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<TILE>(block);
    const unsigned i = blockIdx.x * blockDim.x + block.thread_rank();
    const T sum = group_sum(tile, i < n ? in[i] : T(0));
    if (tile.thread_rank() == 0 && i < n) out[i / TILE] = sum;
}

/// One warp a row: sum, maximum and the maximum's lowest column of each row of a rows x cols matrix, every lane with
/// the result at the end.
template <typename T>
__global__ void row_statistics(const T* in, int rows, int cols, T* sums, T* maxima, int* columns) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    T sum = T(0), top = in[size_t(row) * cols];
    int column = 0;
    for (int c = lane; c < cols; c += 32) {
        const T value = in[size_t(row) * cols + c];
        sum += value;
        if (value > top) {
            top = value;
            column = c;
        }
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
        const T other = __shfl_xor_sync(0xffffffffu, top, mask);
        const int where = __shfl_xor_sync(0xffffffffu, column, mask);
        if (other > top || (other == top && where < column)) {
            top = other;
            column = where;
        }
    }
    if (lane == 0) {
        sums[row] = sum;
        maxima[row] = top;
        columns[row] = column;
    }
}

/// The block's sum by a tree of shuffles in two stages, added to *out, which starts at zero.
template <typename T>
__global__ void sum_by_shuffles(const T* in, T* out, unsigned n) {
    __shared__ T partial[32];
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T value = i < n ? in[i] : T(0);
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    if (warp > 0) return;
    value = lane < blockDim.x / 32 ? partial[lane] : T(0);
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (lane == 0) atomicAdd(out, value);
}

/// Counts the elements above `limit`: the threads that found one elect a leader, which adds for all of them.
extern "C" __global__ void count_above(const int* in, unsigned n, int limit, unsigned* count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > limit) {
        const cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) atomicAdd(count, static_cast<unsigned>(active.size()));
    }
}

/// Per warp: whether all, whether any of its elements are positive, their smallest and largest value and their
/// exclusive or. n is a multiple of 32.
extern "C" __global__ void warp_votes(const int* in, unsigned n, int* all, int* any, int* smallest, int* largest,
                                      unsigned* parity) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int value = in[i];
    const int every = __all_sync(0xffffffffu, value > 0), some = __any_sync(0xffffffffu, value > 0);
    const int low = __reduce_min_sync(0xffffffffu, value), high = __reduce_max_sync(0xffffffffu, value);
    const unsigned bits = __reduce_xor_sync(0xffffffffu, static_cast<unsigned>(value));
    if (threadIdx.x % 32 == 0) {
        all[i / 32] = every;
        any[i / 32] = some;
        smallest[i / 32] = low;
        largest[i / 32] = high;
        parity[i / 32] = bits;
    }
}
