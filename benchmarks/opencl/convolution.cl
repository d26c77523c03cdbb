// convolve_tiled<3, 16> of examples/cuda/convolution.cu; the mask is a further argument.
#define RADIUS 3
#define TILE 16
#define EDGE (TILE + 2 * RADIUS)

__kernel void convolve_tiled(__global const float* in, __global float* out, int rows, int cols,
                             __constant float* mask) {
    __local float tile[EDGE][EDGE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x0 = get_group_id(0) * TILE, y0 = get_group_id(1) * TILE;
    for (int ty = ly; ty < EDGE; ty += TILE)
        for (int tx = lx; tx < EDGE; tx += TILE) {
            const int sx = x0 + tx - RADIUS, sy = y0 + ty - RADIUS;
            const bool inside = sx >= 0 && sx < cols && sy >= 0 && sy < rows;
            tile[ty][tx] = inside ? in[sy * cols + sx] : 0.0f;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = x0 + lx, y = y0 + ly;
    if (x >= cols || y >= rows) return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * RADIUS; ++dy)
#pragma unroll
        for (int dx = 0; dx <= 2 * RADIUS; ++dx) sum += mask[dy * (2 * RADIUS + 1) + dx] * tile[ly + dy][lx + dx];
    out[y * cols + x] = sum;
}
