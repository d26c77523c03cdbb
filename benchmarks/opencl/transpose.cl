// transpose_tiled<float, 32, 8> of examples/cuda/transpose.cu.
#define TILE 32
#define STEP 8

__kernel void transpose_tiled(__global const float* in, __global float* out, int rows, int cols) {
    __local float tile[TILE][TILE + 1];
    const int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * TILE + tx, y = get_group_id(1) * TILE + ty;
#pragma unroll
    for (int j = 0; j < TILE; j += STEP)
        if (x < cols && y + j < rows) tile[ty + j][tx] = in[(size_t)(y + j) * cols + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + tx;
    y = get_group_id(0) * TILE + ty;
#pragma unroll
    for (int j = 0; j < TILE; j += STEP)
        if (x < rows && y + j < cols) out[(size_t)(y + j) * rows + x] = tile[tx][ty + j];
}
