// One order's kernels: BEFORE compares, PASTED makes a name of the order's own.

#define EXCHANGE(keys, low, high, count)         \
    if ((high) < (count)) {                      \
        const int a = keys[low], b = keys[high]; \
        if (BEFORE(b, a)) {                      \
            keys[low] = b;                       \
            keys[high] = a;                      \
        }                                        \
    }

#define MERGE_IN_TILE(distance_from)                                   \
    for (uint distance = distance_from; distance > 0; distance /= 2) { \
        barrier(CLK_LOCAL_MEM_FENCE);                                  \
        const uint low = 2 * t - t % distance;                         \
        EXCHANGE(tile, low, low + distance, count)                     \
    }                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

__kernel void PASTED(sort_tiles)(__global int* keys, uint n) {
    __local int tile[2048];
    const uint t = get_local_id(0), threads = get_local_size(0);
    const uint base = get_group_id(0) * 2 * threads, count = min(n - base, 2 * threads);
    for (uint i = t; i < count; i += threads) tile[i] = keys[base + i];
    for (uint size = 2; size <= 2 * threads; size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint start = t / (size / 2) * size, offset = t % (size / 2);
        EXCHANGE(tile, start + offset, start + size - 1 - offset, count)
        MERGE_IN_TILE(size / 4)
    }
    for (uint i = t; i < count; i += threads) keys[base + i] = tile[i];
}

__kernel void PASTED(merge_mirrored)(__global int* keys, uint size, uint n) {
    const uint t = get_global_id(0);
    const uint start = t / (size / 2) * size, offset = t % (size / 2);
    EXCHANGE(keys, start + offset, start + size - 1 - offset, n)
}

__kernel void PASTED(merge_step)(__global int* keys, uint distance, uint n) {
    const uint t = get_global_id(0);
    const uint low = 2 * t - t % distance;
    EXCHANGE(keys, low, low + distance, n)
}

__kernel void PASTED(merge_tiles)(__global int* keys, uint n) {
    __local int tile[2048];
    const uint t = get_local_id(0), threads = get_local_size(0);
    const uint base = get_group_id(0) * 2 * threads, count = min(n - base, 2 * threads);
    for (uint i = t; i < count; i += threads) tile[i] = keys[base + i];
    MERGE_IN_TILE(threads)
    for (uint i = t; i < count; i += threads) keys[base + i] = tile[i];
}

#undef EXCHANGE
#undef MERGE_IN_TILE
