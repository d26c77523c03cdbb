// reduce_sequential<float> of examples/cuda/reduction.cu.
__kernel void reduce_sequential(__global const float* in, __global float* out, uint n, __local float* buffer) {
    const uint t = get_local_id(0), i = get_global_id(0);
    buffer[t] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (t < half_size) buffer[t] += buffer[t + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = buffer[0];
}
