// Kernels with barriers.
#include "builtins.h"

KERNEL tree_reduce(const int* x, int* out, int n) {
    __shared__ int s[256];
    int t = TID_X, i = GLOBAL_X;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = DIM_X / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[BLOCK_X] = s[0];
}

KERNEL transpose(const int* in, int* out, int width, int height) {
    __shared__ int tile[16][17];
    int x = BLOCK_X * 16 + TID_X, y = BLOCK_Y * 16 + TID_Y;
    if (x < width && y < height) tile[TID_Y][TID_X] = in[y * width + x];
    __syncthreads();
    x = BLOCK_Y * 16 + TID_X;
    y = BLOCK_X * 16 + TID_Y;
    if (x < height && y < width) out[y * height + x] = tile[TID_X][TID_Y];
}

// 32 x 8 threads, four rows each.
KERNEL transpose_rows(const int* in, int* out, int width, int height) {
    __shared__ int tile[32][33];
    int x = BLOCK_X * 32 + TID_X, y = BLOCK_Y * 32 + TID_Y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height) tile[TID_Y + j][TID_X] = in[(y + j) * width + x];
    __syncthreads();
    x = BLOCK_Y * 32 + TID_X;
    y = BLOCK_X * 32 + TID_Y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[TID_X][TID_Y + j];
}

// Every step reads both neighbours, so it needs a barrier on each side of the write; the value lives across both.
KERNEL relax(const int* in, int* out, int steps) {
    __shared__ int s[256];
    int t = TID_X, n = DIM_X;
    s[t] = in[BLOCK_X * n + t];
    __syncthreads();
    for (int k = 0; k < steps; ++k) {
        int sum = s[(t + n - 1) % n] + s[(t + 1) % n];
        __syncthreads();
        s[t] = sum + k;
        __syncthreads();
    }
    out[BLOCK_X * n + t] = s[t];
}

// Inclusive scan; the loop counter doubles.
KERNEL scan(const int* in, int* out) {
    __shared__ int s[2][256];
    int t = TID_X, n = DIM_X, from = 0;
    s[0][t] = in[BLOCK_X * n + t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[BLOCK_X * n + t] = s[from][t];
}

KERNEL uniform_condition(int* out, int flag, int other) {
    __shared__ int s[256];
    int t = TID_X, n = DIM_X;
    s[t] = t;
    if (flag > 2) {
        __syncthreads();
        int v = s[n - 1 - t];
        if (other) {
            __syncthreads();
            v += 1000;
        }
        __syncthreads();
        s[t] = v;
    } else {
        s[t] += 7;
    }
    __syncthreads();
    out[BLOCK_X * n + t] = s[(t + 1) % n];
}

// The loop ends when shared memory says so.
KERNEL until_stable(int* x, int* rounds) {
    __shared__ int changed;
    int t = TID_X, n = DIM_X, count = 0;
    int* mine = x + BLOCK_X * n;
    do {
        __syncthreads();
        if (t == 0) changed = 0;
        __syncthreads();
        int left = t > 0 ? mine[t - 1] : mine[t];
        __syncthreads();
        if (left > mine[t]) {
            mine[t] = left;
            changed = 1;
        }
        ++count;
        __syncthreads();
    } while (changed);
    if (t == 0) rounds[BLOCK_X] = count;
}

KERNEL divergent_barrier(int* out) {
    __shared__ int s[256];
    int t = TID_X, n = DIM_X;
    s[t] = t;
    if (t < n / 3) {
        __syncthreads();
        out[BLOCK_X * n + t] = s[n - 1 - t];
    } else {
        s[t] += 100;
        __syncthreads();
        out[BLOCK_X * n + t] = s[n - 1 - t] * 2;
    }
}

// Threads with different trip counts meet as often as the shortest runs; the others must not wait for it.
KERNEL divergent_loop(int* out) {
    int t = TID_X, sum = 0;
    for (int k = 0; k <= t % 3; ++k) {
        __syncthreads();
        sum += k + 1;
    }
    out[BLOCK_X * DIM_X + t] = sum;
}

KERNEL early_return(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = TID_X, i = GLOBAL_X;
    s[t] = -1;
    if (i >= n) return;
    s[t] = in[i];
    __syncthreads();
    int next = s[(t + 1) % DIM_X];
    __syncthreads();
    s[t] = next * 2;
    __syncthreads();
    out[i] = next + s[t];
}

// Each round one thread leaves.
KERNEL return_in_loop(int* out) {
    __shared__ int s[64];
    int t = TID_X;
    s[t] = 0;
    for (int k = 0; k < 64; ++k) {
        __syncthreads();
        if (t == k) {
            out[BLOCK_X * DIM_X + t] = s[t];
            return;
        }
        s[t] += k;
        __syncthreads();
    }
}

KERNEL vote_barriers(const int* x, int* out) {
    int t = TID_X, v = x[BLOCK_X * DIM_X + t];
    int count = __nvvm_bar0_popc(v > 3);
    int all = __nvvm_bar0_and(v > 0);
    int any = __nvvm_bar0_or(v > 8);
    out[BLOCK_X * DIM_X + t] = count * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}

KERNEL vote_after_return(const int* x, int* out, int n) {
    int t = TID_X;
    if (t >= n) return;
    int v = x[t];
    int count = __nvvm_bar0_popc(v > 3);
    int all = __nvvm_bar0_and(v > 0);
    out[t] = count * 2 + (all ? 1 : 0);
}

// A local array written before a barrier and read, at a place known only then, behind it.
KERNEL local_array(const int* where, int* out) {
    int a[5];
    for (int k = 0; k < 5; ++k) a[k] = TID_X * 10 + k;
    __syncthreads();
    a[where[TID_X] % 5] += 1000;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; ++k) sum += a[k] * (k + 1);
    out[TID_X] = sum + a[(where[TID_X] + 1) % 5];
}

// The address of a local variable survives the barrier.
__device__ __attribute__((noinline)) void bump(int* p, int by) { *p += by; }
KERNEL local_address(int* out) {
    int a = TID_X, b = 2 * TID_X;
    int* p = TID_X % 2 ? &a : &b;
    __syncthreads();
    bump(p, 5);
    __syncthreads();
    out[TID_X] = a * 1000 + b;
}

KERNEL nested_loops(const int* x, int* out, int outer, int inner) {
    __shared__ int s[128];
    int t = TID_X, n = DIM_X, sum = 0;
    s[t] = x[t];
    for (int i = 0; i < outer; ++i) {
        for (int j = 0; j < inner + i; ++j) {
            __syncthreads();
            int v = s[(t + j) % n];
            __syncthreads();
            s[t] = v + i;
            sum += v;
        }
        __syncthreads();
        if (i % 2) continue;
        s[t] -= 1;
    }
    __syncthreads();
    out[BLOCK_X * n + t] = sum + s[t];
}

extern __shared__ int dynamic_shared[];
KERNEL reverse_dynamic(int* x, int n) {
    __shared__ int offset;
    int t = TID_X;
    if (t == 0) offset = 5;
    for (int i = t; i < n; i += DIM_X) dynamic_shared[i] = x[i];
    __syncthreads();
    for (int i = t; i < n; i += DIM_X) x[i] = dynamic_shared[n - 1 - i] + offset;
}

// Three dimensions; the barrier is reached by all of them.
KERNEL cube(int* out) {
    __shared__ int s[2][3][5];
    s[TID_Z][TID_Y][TID_X] = TID_Z * 100 + TID_Y * 10 + TID_X;
    __syncthreads();
    int block = (BLOCK_Z * GRID_Y + BLOCK_Y) * GRID_X + BLOCK_X;
    int linear = (TID_Z * DIM_Y + TID_Y) * DIM_X + TID_X;
    out[block * 30 + linear] = s[1 - TID_Z][2 - TID_Y][4 - TID_X] + block * 1000;
}

__device__ int counter_of_blocks;
KERNEL last_block(const int* x, int* partial, int* out, int n) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = TID_X;
    s[t] = GLOBAL_X < n ? x[GLOBAL_X] : 0;
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        partial[BLOCK_X] = s[0];
        __nvvm_membar_gl();
        last = __nvvm_atom_add_gen_i(&counter_of_blocks, 1) == (int)GRID_X - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int i = 0; i < (int)GRID_X; ++i) sum += partial[i];
        *out = sum;
        counter_of_blocks = 0;
    }
}

// Two groups of threads, each with a barrier of its own.
KERNEL named_barriers(int* out) {
    __shared__ int s[128];
    int t = TID_X;
    s[t] = t;
    if (t < 64) {
        __nvvm_barrier_sync_cnt(1, 64);
        out[t] = s[63 - t];
    } else {
        __nvvm_barrier_sync_cnt(2, 64);
        out[t] = s[191 - t] + 1000;
    }
}

// Some threads wait for a barrier that the others never reach.
KERNEL mismatch(int* out) {
    int t = TID_X;
    if (t < 32) __nvvm_barrier_sync_cnt(1, 64);
    out[t] = 1;
}

extern "C" __device__ void __lanewise_grid_barrier();
KERNEL grid_barrier(int* x, int* out) {
    __shared__ int s[32];
    int t = TID_X, n = GRID_X * DIM_X;
    x[GLOBAL_X] = GLOBAL_X;
    s[t] = t;
    __lanewise_grid_barrier();
    out[GLOBAL_X] = x[(GLOBAL_X + DIM_X) % n] + s[t];
}
