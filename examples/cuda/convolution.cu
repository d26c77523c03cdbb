// Two-dimensional correlation with a mask in constant memory; the image continues as zero beyond its border.

constexpr int MAX_RADIUS = 7;

/// The mask, row-major, (2 * RADIUS + 1) squared elements of it in use. The host fills it.
__constant__ float mask[(2 * MAX_RADIUS + 1) * (2 * MAX_RADIUS + 1)];

template <int RADIUS>
__global__ void convolve_direct(const float* in, float* out, int rows, int cols) {
    static_assert(RADIUS <= MAX_RADIUS, "the mask has no more room");
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            const int sx = x + dx, sy = y + dy;
            if (sx >= 0 && sx < cols && sy >= 0 && sy < rows)
                sum += mask[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS] * in[sy * cols + sx];
        }
    out[y * cols + x] = sum;
}

/// A block of TILE x TILE threads loads its tile and a halo of RADIUS around it.
template <int RADIUS, int TILE>
__global__ void convolve_tiled(const float* in, float* out, int rows, int cols) {
    static_assert(RADIUS <= MAX_RADIUS, "the mask has no more room");
    constexpr int EDGE = TILE + 2 * RADIUS;
    __shared__ float tile[EDGE][EDGE];
    const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
    for (int ty = threadIdx.y; ty < EDGE; ty += TILE)
        for (int tx = threadIdx.x; tx < EDGE; tx += TILE) {
            const int sx = x0 + tx - RADIUS, sy = y0 + ty - RADIUS;
            const bool inside = sx >= 0 && sx < cols && sy >= 0 && sy < rows;
            tile[ty][tx] = inside ? in[sy * cols + sx] : 0.0f;
        }
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * RADIUS; ++dy)
#pragma unroll
        for (int dx = 0; dx <= 2 * RADIUS; ++dx)
            sum += mask[dy * (2 * RADIUS + 1) + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * cols + x] = sum;
}
