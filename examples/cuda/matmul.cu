// Matrix products c = a * b of row-major matrices: a is m x k, b is k x n. Any sizes will do.

/// One element of c a thread, through TILE x TILE tiles; the block is TILE x TILE.
template <typename T, int TILE>
__global__ void matmul_tiled(const T* a, const T* b, T* c, int m, int n, int k) {
    __shared__ T tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    T sum = T(0);
    for (int start = 0; start < k; start += TILE) {
        tile_a[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : T(0);
        tile_b[ty][tx] = start + ty < k && col < n ? b[(start + ty) * n + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/// PER x PER elements of c a thread, kept in registers. The block has SIZE / PER squared threads in one dimension and
/// computes a tile of SIZE x SIZE in slices of DEPTH along k.
template <typename T, int SIZE, int DEPTH, int PER>
__global__ void matmul_registers(const T* a, const T* b, T* c, int m, int n, int k) {
    constexpr int ROW = SIZE / PER, THREADS = ROW * ROW;
    __shared__ T slice_a[DEPTH][SIZE], slice_b[DEPTH][SIZE];
    const int t = threadIdx.x, tx = t % ROW, ty = t / ROW;
    const int row0 = blockIdx.y * SIZE, col0 = blockIdx.x * SIZE;
    T sums[PER][PER] = {};
    for (int start = 0; start < k; start += DEPTH) {
        for (int i = t; i < SIZE * DEPTH; i += THREADS) {
            const int d = i % DEPTH, r = i / DEPTH;
            slice_a[d][r] = row0 + r < m && start + d < k ? a[(row0 + r) * k + start + d] : T(0);
        }
        for (int i = t; i < SIZE * DEPTH; i += THREADS) {
            const int d = i / SIZE, q = i % SIZE;
            slice_b[d][q] = start + d < k && col0 + q < n ? b[(start + d) * n + col0 + q] : T(0);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            T from_a[PER], from_b[PER];
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
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < PER; ++i)
#pragma unroll
        for (int j = 0; j < PER; ++j) {
            const int row = row0 + ty + i * ROW, col = col0 + tx + j * ROW;
            if (row < m && col < n) c[row * n + col] = sums[i][j];
        }
}
