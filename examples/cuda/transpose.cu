// Matrix transposition, directly and through a tile in shared memory. Matrices are row-major, out has cols x rows.

template <typename T>
__global__ void transpose_direct(const T* in, T* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[size_t(x) * rows + y] = in[size_t(y) * cols + x];
}

/// A block of TILE x STEP threads moves a tile of TILE x TILE. The column of padding lets a warp read the tile's
/// columns from 32 different banks.
template <typename T, int TILE, int STEP>
__global__ void transpose_tiled(const T* in, T* out, int rows, int cols) {
    static_assert(TILE % STEP == 0, "the block walks the tile in whole steps");
    __shared__ T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += STEP)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE; j += STEP)
        if (x < rows && y + j < cols) out[size_t(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
