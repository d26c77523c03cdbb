// Kernels with warp operations.
#include "builtins.h"

#define down(v, d) __nvvm_shfl_sync_down_i32(FULL, v, d, 31)
#define up(v, d) __nvvm_shfl_sync_up_i32(FULL, v, d, 0)
#define flip(v, m) __nvvm_shfl_sync_bfly_i32(FULL, v, m, 31)
#define from(v, l) __nvvm_shfl_sync_idx_i32(FULL, v, l, 31)

KERNEL shuffles(const int* x, int* out, int amount) {
    int t = (TID_Z * DIM_Y + TID_Y) * DIM_X + TID_X, n = DIM_X * DIM_Y * DIM_Z, v = x[t];
    out[t] = down(v, 3);
    out[n + t] = up(v, 5);
    out[2 * n + t] = flip(v, 7);
    out[3 * n + t] = from(v, 9);
    out[4 * n + t] = from(v, (v + amount) & 31);
    out[5 * n + t] = __nvvm_shfl_sync_down_i32(FULL, v, amount, ((32 - 8) << 8) | 31);
    out[6 * n + t] = __nvvm_shfl_sync_up_i32(FULL, v, amount, (32 - 8) << 8);
    out[7 * n + t] = __nvvm_shfl_sync_idx_i32(FULL, v, amount, ((32 - 16) << 8) | 31);
}

KERNEL votes(const int* x, int* out) {
    int t = TID_X, n = DIM_X, v = x[t];
    out[t] = __nvvm_vote_ballot_sync(FULL, v > 2);
    out[n + t] = __nvvm_vote_all_sync(FULL, v > -1);
    out[2 * n + t] = __nvvm_vote_any_sync(FULL, v > 6);
    out[3 * n + t] = __nvvm_vote_uni_sync(FULL, v > 2);
    out[4 * n + t] = __nvvm_match_any_sync_i32(FULL, v / 3);
    int same = 0;
    out[5 * n + t] = __nvvm_match_all_sync_i32p(FULL, v / 100, &same);
    out[6 * n + t] = same;
    out[7 * n + t] = __nvvm_redux_sync_add(v, FULL);
    out[8 * n + t] = __nvvm_redux_sync_min(v - 4, FULL);
    out[9 * n + t] = __nvvm_redux_sync_umax(v, FULL);
}

// The lanes of a branch take part with the mask that names them.
KERNEL partial_masks(const int* x, int* out) {
    int t = TID_X, n = DIM_X, v = x[t];
    if (LANE < 12) {
        out[t] = __nvvm_vote_ballot_sync(0xfffu, v > 2);
        out[n + t] = __nvvm_shfl_sync_down_i32(0xfffu, v, 4, 31);
    } else {
        out[t] = __nvvm_vote_ballot_sync(0xfffff000u, v > 4);
        out[n + t] = __nvvm_shfl_sync_idx_i32(0xfffff000u, v, 20, 31);
    }
}

KERNEL active_lanes(int* out) {
    unsigned t = TID_X, mask;
    if (t % 3 == 0) {
        __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
        out[t] = mask;
    } else {
        out[t] = 0;
    }
    __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
    out[DIM_X + t] = mask;
}

KERNEL block_reduce(const int* x, int* out, int n) {
    __shared__ int s[32];
    int t = TID_X, i = GLOBAL_X;
    int v = i < n ? x[i] : 0;
    for (int d = 16; d; d /= 2) v += down(v, d);
    if (LANE == 0) s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < (DIM_X + 31) / 32 ? s[t] : 0;
        for (int d = 16; d; d /= 2) v += flip(v, d);
        if (t == 0) out[BLOCK_X] = v;
    }
}

// One warp for each row of a ragged matrix.
KERNEL warp_rows(const int* start, const int* value, int* out, int rows) {
    int row = GLOBAL_X / 32;
    if (row >= rows) return;
    int sum = 0;
    for (int k = start[row] + LANE; k < start[row + 1]; k += 32) sum += value[k];
    for (int d = 16; d; d /= 2) sum += down(sum, d);
    if (LANE == 0) out[row] = sum;
}

// The loop ends for a warp together, after different numbers of rounds.
KERNEL warp_loop(const int* x, int* out) {
    int t = TID_X, v = x[t], rounds = 0;
    while (__nvvm_vote_any_sync(FULL, v > 0)) {
        v -= 1 + (LANE & 1);
        ++rounds;
    }
    out[t] = rounds * 100 + v;
}

// Returned lanes do not count.
KERNEL vote_after_return(const int* x, int* out, int n) {
    int t = TID_X;
    if (t >= n) return;
    int v = x[t];
    out[t] = __nvvm_vote_ballot_sync(FULL, 1);
    out[DIM_X + t] = down(v, 1);
}

// Lanes that share a key add up through their leader.
KERNEL aggregate(const int* key, int* count) {
    int k = key[TID_X];
    unsigned peers = __nvvm_match_any_sync_i32(FULL, k);
    int leader = __builtin_ctz(peers);
    if ((int)LANE == leader) __nvvm_atom_add_gen_i(&count[k], __builtin_popcount(peers));
    count[100 + TID_X] = __nvvm_shfl_sync_idx_i32(peers, TID_X, leader, 31);
}

KERNEL float_shuffle(const float* x, float* out) {
    float v = x[TID_X];
    for (int d = 16; d; d /= 2) v += __nvvm_shfl_sync_bfly_f32(FULL, v, d, 31);
    out[TID_X] = v;
}

// A warp barrier orders what the lanes write to shared memory.
KERNEL warp_barrier(const int* x, int* out) {
    __shared__ int s[128];
    int t = TID_X;
    s[t] = x[t];
    __nvvm_bar_warp_sync(FULL);
    int v = s[t ^ 1];
    __nvvm_bar_warp_sync(FULL);
    s[t] = v * 3;
    __nvvm_bar_warp_sync(FULL);
    out[t] = s[t ^ 2];
}
