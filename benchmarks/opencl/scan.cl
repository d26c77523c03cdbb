// scan_blocks<int, 256> and add_offsets<int> of examples/cuda/scan.cu.
#define THREADS 256
#define COUNT (2 * THREADS)
#define PADDED(i) ((i) + (i) / 32)

__kernel void scan_blocks(__global const int* in, __global int* out, __global int* sums, uint n) {
    __local int tree[PADDED(COUNT)];
    const int t = get_local_id(0);
    const uint base = get_group_id(0) * COUNT;
    tree[PADDED(t)] = base + t < n ? in[base + t] : 0;
    tree[PADDED(t + THREADS)] = base + t + THREADS < n ? in[base + t + THREADS] : 0;

    int distance = 1;
    for (int active = THREADS; active > 0; active /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < active) {
            const int left = PADDED(distance * (2 * t + 1) - 1), right = PADDED(distance * (2 * t + 2) - 1);
            tree[right] += tree[left];
        }
        distance *= 2;
    }
    if (t == 0) {
        sums[get_group_id(0)] = tree[PADDED(COUNT - 1)];
        tree[PADDED(COUNT - 1)] = 0;
    }
    for (int active = 1; active <= THREADS; active *= 2) {
        distance /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < active) {
            const int left = PADDED(distance * (2 * t + 1) - 1), right = PADDED(distance * (2 * t + 2) - 1);
            const int moved = tree[left];
            tree[left] = tree[right];
            tree[right] += moved;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (base + t < n) out[base + t] = tree[PADDED(t)];
    if (base + t + THREADS < n) out[base + t + THREADS] = tree[PADDED(t + THREADS)];
}

__kernel void add_offsets(__global int* data, __global const int* offsets, uint run, uint n) {
    const uint i = get_global_id(0);
    if (i < n) data[i] += offsets[i / run];
}
