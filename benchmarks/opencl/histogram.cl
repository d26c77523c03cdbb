// histogram_bytes of examples/cuda/histogram.cu.
__kernel void histogram_bytes(__global const uchar* data, uint n, __global uint* bins) {
    __local uint counts[256];
    const uint t = get_local_id(0), threads = get_local_size(0);
    for (uint b = t; b < 256; b += threads) counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global const uchar4* words = (__global const uchar4*)data;
    const uint first = get_global_id(0), step = get_global_size(0);
    for (uint i = first; i < n / 4; i += step) {
        const uchar4 four = words[i];
        atomic_inc(&counts[four.x]);
        atomic_inc(&counts[four.y]);
        atomic_inc(&counts[four.z]);
        atomic_inc(&counts[four.w]);
    }
    if (first < n % 4) atomic_inc(&counts[data[n / 4 * 4 + first]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = t; b < 256; b += threads)
        if (counts[b] != 0) atomic_add(&bins[b], counts[b]);
}
