// Kernels whose threads never meet.
#include "builtins.h"

extern "C" __device__ int vprintf(const char*, void*);
extern "C" __device__ void __lanewise_raise(int site, const long long* values, int count);
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, unsigned long);
extern "C" __device__ double __nv_sin(double);

KERNEL coordinates(int* out) {
    int block = (BLOCK_Z * GRID_Y + BLOCK_Y) * GRID_X + BLOCK_X;
    int thread = (TID_Z * DIM_Y + TID_Y) * DIM_X + TID_X;
    int* mine = out + (block * DIM_X * DIM_Y * DIM_Z + thread) * 6;
    mine[0] = TID_X, mine[1] = TID_Y, mine[2] = TID_Z;
    mine[3] = BLOCK_X, mine[4] = BLOCK_Y, mine[5] = BLOCK_Z;
}

struct Mixed { char c; double d; short s; };
KERNEL parameters(char a, double b, short c, Mixed m, bool flag, float f, long long* out) {
    if (TID_X) return;
    m.s += 1;
    out[0] = a, out[1] = (long long)(b * 2), out[2] = c, out[3] = m.c, out[4] = (long long)(m.d * 4), out[5] = m.s;
    out[6] = flag, out[7] = (long long)(f * 8);
}

KERNEL grid_stride(const float* x, float* y, int n) {
    for (int i = GLOBAL_X; i < n; i += GRID_X * DIM_X) y[i] = x[i] * 2 + i;
}

KERNEL histogram(const int* x, int* bins, int n) {
    __shared__ int s[16];
    if (TID_X < 16) s[TID_X] = 0;
    __syncthreads();
    if (GLOBAL_X < n) __nvvm_atom_add_gen_i(&s[x[GLOBAL_X] & 15], 1);
    __syncthreads();
    if (TID_X < 16) __nvvm_atom_add_gen_i(&bins[TID_X], s[TID_X]);
}

KERNEL atomics(int* out, float* sum) {
    __nvvm_atom_add_gen_i(&out[0], 1);
    __nvvm_atom_max_gen_i(&out[1], (int)GLOBAL_X);
    __nvvm_atom_inc_gen_ui((unsigned*)&out[2], 9);
    __nvvm_atom_add_gen_f(sum, 0.5f);
    while (__nvvm_atom_cas_gen_i(&out[3], 0, 1) != 0) {}
    out[4] = out[4] * 1 + 2;
    __nvvm_membar_gl();
    __nvvm_atom_xchg_gen_i(&out[3], 0);
}

KERNEL print(int n) {
    struct { int thread; double half; const char* text; long long big; } packed;
    if (TID_X >= n) return;
    packed.thread = TID_X, packed.half = TID_X * 0.5, packed.text = "ab%", packed.big = 1ll << 40;
    vprintf("%d %.2f %s %lld %%\n", &packed);
}

KERNEL raise(const int* x, int n) {
    int i = GLOBAL_X;
    if (i >= n) return;
    if (x[i] < 0) {
        long long values[2] = {i, x[i]};
        __lanewise_raise(7, values, 2);
        __nvvm_exit();
    }
    const_cast<int*>(x)[i] = 100;
}

// A thread that raises counts as ended at the barriers behind.
KERNEL raise_before_barrier(int* x) {
    __shared__ int s[64];
    int t = TID_X;
    s[t] = t;
    if (x[t] < 0) {
        __lanewise_raise(3, nullptr, 0);
        __nvvm_exit();
    }
    __syncthreads();
    x[t] = s[63 - t];
}

KERNEL trap(int* x) {
    x[TID_X] = 1;
    if (TID_X == 5) __builtin_trap();
    x[TID_X] = 2;
}

KERNEL assertion(int* x) {
    if (TID_X == 2) __assertfail("x == 1", "file.cu", 12, "assertion", 1);
    x[TID_X] = 2;
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
KERNEL recursion(int* out) { out[GLOBAL_X] = fibonacci(TID_X % 12); }

__device__ int descend(int n, int* out) {
    __shared__ int depth[64];
    depth[TID_X] = n;
    if (n == 7) {
        out[GLOBAL_X] = 70 + BLOCK_X;
        __nvvm_exit();
    }
    if (n == 0) return depth[TID_X] + 1;
    return descend(n - 1, out) + 1;
}
KERNEL recursion_with_slots(int* out) {
    int v = descend(TID_X % 10, out);
    out[GLOBAL_X] = v;
}

__device__ int add_one(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2 + BLOCK_X; }
__constant__ int (*const table[2])(int) = {add_one, twice};
KERNEL function_pointers(const int* which, int* out) { out[GLOBAL_X] = table[which[TID_X]](TID_X); }

__constant__ int weights[4] = {1, 10, 100, 1000};
__device__ int global_state[4] = {5, 6, 7, 8};
KERNEL globals(int* out) {
    out[TID_X] = weights[TID_X % 4] + global_state[TID_X % 4];
    if (TID_X < 4) global_state[TID_X] = TID_X;
}

KERNEL local_table(const int* index, int* out) {
    int a[8];
    for (int k = 0; k < 8; ++k) a[k] = k * k + TID_X;
    out[GLOBAL_X] = a[index[GLOBAL_X] & 7];
}

KERNEL escape_time(float* out, int width, int height, int limit) {
    int x = BLOCK_X * DIM_X + TID_X, y = BLOCK_Y * DIM_Y + TID_Y;
    if (x >= width || y >= height) return;
    float cr = -2.0f + 3.0f * x / width, ci = -1.5f + 3.0f * y / height, zr = 0, zi = 0;
    int k = 0;
    while (k < limit && zr * zr + zi * zi < 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        ++k;
    }
    out[y * width + x] = k;
}

KERNEL device_memory(int* out) {
    int* p = (int*)__builtin_malloc(8);
    p[0] = TID_X, p[1] = 3;
    out[TID_X] = p[0] * p[1];
    __builtin_free(p);
}

KERNEL sine(const double* x, double* y, int n) {
    int i = GLOBAL_X;
    if (i < n) y[i] = __nv_sin(x[i]);
}

KERNEL spaces(int* out, int* global) {
    __shared__ int s[4];
    int local = 1;
    out[0] = __nvvm_isspacep_shared(s), out[1] = __nvvm_isspacep_shared(global);
    out[2] = __nvvm_isspacep_global(global), out[3] = __nvvm_isspacep_local(&local), out[4] = __nvvm_isspacep_const(weights);
}
