// stencil7<float, 32, 8> of examples/cuda/stencil3d.cu.
#define X 32
#define Y 8

__kernel void stencil7(__global const float* in, __global float* out, int nx, int ny, int nz, float centre, float side) {
    __local float plane[Y + 2][X + 2];
    const int lx = get_local_id(0), ly = get_local_id(1), tx = lx + 1, ty = ly + 1;
    const int x = get_group_id(0) * X + lx, y = get_group_id(1) * Y + ly;
    const bool inside = x < nx && y < ny, inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    const size_t pitch = (size_t)nx * ny, column = (size_t)y * nx + x;
    float behind = 0, here = inside ? in[column] : 0.0f, ahead = inside && nz > 1 ? in[pitch + column] : 0.0f;
    for (int z = 0; z < nz; ++z) {
        const size_t at = z * pitch + column;
        barrier(CLK_LOCAL_MEM_FENCE);
        plane[ty][tx] = here;
        if (inside) {
            if (lx == 0 && x > 0) plane[ty][0] = in[at - 1];
            if (lx == X - 1 && x < nx - 1) plane[ty][X + 1] = in[at + 1];
            if (ly == 0 && y > 0) plane[0][tx] = in[at - nx];
            if (ly == Y - 1 && y < ny - 1) plane[Y + 1][tx] = in[at + nx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inner && z > 0 && z < nz - 1) {
            const float around = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
            out[at] = centre * here + side * (around + behind + ahead);
        } else if (inside) {
            out[at] = here;
        }
        behind = here;
        here = ahead;
        if (inside && z + 2 < nz) ahead = in[(z + 2) * pitch + column];
    }
}
