// The built-in vector types have nvcc's sizes, alignments, members and make_ functions.
#include "same.h"

#define VECTOR(NAME, SIZE, ALIGN)               \
    static_assert(sizeof(NAME) == SIZE, #NAME); \
    static_assert(alignof(NAME) == ALIGN, #NAME);
#define VECTORS(NAME, T, A2, A4)                              \
    VECTOR(NAME##1, sizeof(T), alignof(T))                    \
    VECTOR(NAME##2, 2 * sizeof(T), A2)                        \
    VECTOR(NAME##3, 3 * sizeof(T), alignof(T))                \
    VECTOR(NAME##4, 4 * sizeof(T), A4)                        \
    SAME(of<NAME##4>().w, T);                                 \
    SAME(make_##NAME##1(of<T>()), NAME##1);                   \
    SAME(make_##NAME##2(of<T>(), of<T>()), NAME##2);          \
    SAME(make_##NAME##3(of<T>(), of<T>(), of<T>()), NAME##3); \
    SAME(make_##NAME##4(of<T>(), of<T>(), of<T>(), of<T>()), NAME##4);
#define WIDE(NAME, T)                                                          \
    VECTOR(NAME##4_16a, 32, 16)                                                \
    VECTOR(NAME##4_32a, 32, 32)                                                \
    SAME(make_##NAME##4_16a(of<T>(), of<T>(), of<T>(), of<T>()), NAME##4_16a); \
    SAME(make_##NAME##4_32a(of<T>(), of<T>(), of<T>(), of<T>()), NAME##4_32a);

VECTORS(char, signed char, 2, 4)
VECTORS(uchar, unsigned char, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(ushort, unsigned short, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(uint, unsigned, 8, 16)
VECTORS(long, long, 16, 16)
VECTORS(ulong, unsigned long, 16, 16)
VECTORS(longlong, long long, 16, 16)
VECTORS(ulonglong, unsigned long long, 16, 16)
VECTORS(float, float, 8, 16)
VECTORS(double, double, 16, 16)
WIDE(long, long)
WIDE(ulong, unsigned long)
WIDE(longlong, long long)
WIDE(ulonglong, unsigned long long)
WIDE(double, double)
VECTOR(dim3, 12, 4)

static_assert(dim3().x == 1 && dim3(2).y == 1 && dim3(2, 3).y == 3 && dim3(2, 3).z == 1, "");
SAME(threadIdx.x, unsigned);
SAME(blockDim.z, unsigned);
SAME(warpSize, const int);

__device__ unsigned of_dim3(dim3 d) {
    return d.x;
}
__device__ unsigned of_uint3(uint3 v) {
    return v.x;
}
__device__ unsigned of_reference(const uint3& v) {
    return v.x;
}

__global__ void indices(unsigned* out) {
    const uint3 thread = threadIdx;
    const dim3 block = blockDim;
    dim3 grid(gridDim);
    dim3 from_thread = threadIdx;
    dim3 from_block(blockIdx);
    uint3 of_grid = gridDim;
    const uint3& reference = threadIdx;
    auto copy = threadIdx;
    out[0] = thread.x + block.x + grid.x + from_thread.x + from_block.x + of_grid.x + reference.x + copy.x;
    out[1] = of_dim3(threadIdx) + of_dim3(blockDim) + of_uint3(threadIdx) + of_uint3(gridDim) + of_reference(blockIdx);
    out[2] = dim3(threadIdx).x + uint3(blockDim).y;
}
