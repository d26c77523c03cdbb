// matmul_tiled<float, 16> and matmul_registers<float, 64, 8, 4> of examples/cuda/matmul.cu.
#define TILE 16
#define SIZE 64
#define DEPTH 8
#define PER 4
#define ROW (SIZE / PER)
#define THREADS (ROW * ROW)

__kernel void matmul_tiled(__global const float* a, __global const float* b, __global float* c, int m, int n, int k) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int row = get_group_id(1) * TILE + ty, col = get_group_id(0) * TILE + tx;
    float sum = 0;
    for (int start = 0; start < k; start += TILE) {
        tile_a[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        tile_b[ty][tx] = start + ty < k && col < n ? b[(start + ty) * n + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__kernel void matmul_registers(__global const float* a, __global const float* b, __global float* c, int m, int n,
                               int k) {
    __local float slice_a[DEPTH][SIZE], slice_b[DEPTH][SIZE];
    const int t = get_local_id(0), tx = t % ROW, ty = t / ROW;
    const int row0 = get_group_id(1) * SIZE, col0 = get_group_id(0) * SIZE;
    float sums[PER][PER] = {{0}};
    for (int start = 0; start < k; start += DEPTH) {
        for (int i = t; i < SIZE * DEPTH; i += THREADS) {
            const int d = i % DEPTH, r = i / DEPTH;
            slice_a[d][r] = row0 + r < m && start + d < k ? a[(row0 + r) * k + start + d] : 0.0f;
        }
        for (int i = t; i < SIZE * DEPTH; i += THREADS) {
            const int d = i / SIZE, q = i % SIZE;
            slice_b[d][q] = start + d < k && col0 + q < n ? b[(start + d) * n + col0 + q] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            float from_a[PER], from_b[PER];
#pragma unroll
            for (int i = 0; i < PER; ++i) {
                from_a[i] = slice_a[d][ty + i * ROW];
                from_b[i] = slice_b[d][tx + i * ROW];
            }
#pragma unroll
            for (int i = 0; i < PER; ++i)
#pragma unroll
                for (int j = 0; j < PER; ++j) sums[i][j] += from_a[i] * from_b[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < PER; ++i)
#pragma unroll
        for (int j = 0; j < PER; ++j) {
            const int row = row0 + ty + i * ROW, col = col0 + tx + j * ROW;
            if (row < m && col < n) c[row * n + col] = sums[i][j];
        }
}
