// A 7-point stencil in three dimensions, x fastest: out = centre * in + side * (sum of the six neighbours). Points on
// the border keep their value.

/// A block of X x Y threads walks along z. The planes before and behind live in registers, the current one in shared
/// memory with a halo of one.
template <typename T, int X, int Y>
__global__ void stencil7(const T* in, T* out, int nx, int ny, int nz, T centre, T side) {
    __shared__ T plane[Y + 2][X + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
    const bool inside = x < nx && y < ny, inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    const size_t pitch = size_t(nx) * ny, column = size_t(y) * nx + x;
    T behind = T(0), here = inside ? in[column] : T(0), ahead = inside && nz > 1 ? in[pitch + column] : T(0);
    for (int z = 0; z < nz; ++z) {
        const size_t at = z * pitch + column;
        __syncthreads();
        plane[ty][tx] = here;
        if (inside) {
            if (threadIdx.x == 0 && x > 0) plane[ty][0] = in[at - 1];
            if (threadIdx.x == X - 1 && x < nx - 1) plane[ty][X + 1] = in[at + 1];
            if (threadIdx.y == 0 && y > 0) plane[0][tx] = in[at - nx];
            if (threadIdx.y == Y - 1 && y < ny - 1) plane[Y + 1][tx] = in[at + nx];
        }
        __syncthreads();
        if (inner && z > 0 && z < nz - 1) {
            const T around = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
            out[at] = centre * here + side * (around + behind + ahead);
        } else if (inside) {
            out[at] = here;
        }
        behind = here;
        here = ahead;
        if (inside && z + 2 < nz) ahead = in[(z + 2) * pitch + column];
    }
}
