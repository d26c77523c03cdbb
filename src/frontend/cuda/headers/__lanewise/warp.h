// Votes, matches, reductions and shuffles of a warp.
#pragma once

__LANEWISE_DEVICE unsigned __activemask() {
    return __nvvm_activemask();
}
__LANEWISE_DEVICE void __syncwarp(unsigned mask = 0xffffffff) {
    __nvvm_bar_warp_sync(mask);
}

__LANEWISE_DEVICE int __all_sync(unsigned mask, int predicate) {
    return __nvvm_vote_all_sync(mask, predicate);
}
__LANEWISE_DEVICE int __any_sync(unsigned mask, int predicate) {
    return __nvvm_vote_any_sync(mask, predicate);
}
__LANEWISE_DEVICE int __uni_sync(unsigned mask, int predicate) {
    return __nvvm_vote_uni_sync(mask, predicate);
}
__LANEWISE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}

#define __LANEWISE_MATCH(T, WIDTH, WORD)                                            \
    __LANEWISE_DEVICE unsigned __match_any_sync(unsigned mask, T value) {           \
        return __nvvm_match_any_sync_i##WIDTH(mask, WORD(value));                   \
    }                                                                               \
    __LANEWISE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* all) { \
        return __nvvm_match_all_sync_i##WIDTH##p(mask, WORD(value), all);           \
    }
__LANEWISE_MATCH(int, 32, )
__LANEWISE_MATCH(unsigned, 32, )
__LANEWISE_MATCH(long, 64, )
__LANEWISE_MATCH(unsigned long, 64, )
__LANEWISE_MATCH(long long, 64, )
__LANEWISE_MATCH(unsigned long long, 64, )
__LANEWISE_MATCH(float, 32, __float_as_uint)
__LANEWISE_MATCH(double, 64, __double_as_longlong)
#undef __LANEWISE_MATCH

__LANEWISE_DEVICE int __reduce_add_sync(unsigned mask, int x) {
    return __nvvm_redux_sync_add(x, mask);
}
__LANEWISE_DEVICE int __reduce_min_sync(unsigned mask, int x) {
    return __nvvm_redux_sync_min(x, mask);
}
__LANEWISE_DEVICE int __reduce_max_sync(unsigned mask, int x) {
    return __nvvm_redux_sync_max(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_add(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_umin(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_umax(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_and(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_or(x, mask);
}
__LANEWISE_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned x) {
    return __nvvm_redux_sync_xor(x, mask);
}

// A shuffle's last operand: the lowest bits of the lane number that stay within a segment, and the last lane of a
// segment (the first, 0, for the upward direction).
#define __LANEWISE_SHUFFLE(NAME, MODE, LANE, LIMIT)                                                                 \
    __LANEWISE_DEVICE int NAME(unsigned mask, int value, LANE lane, int width = 32) {                               \
        return __nvvm_shfl_sync_##MODE##_i32(mask, value, lane, ((32 - width) << 8) | LIMIT);                       \
    }                                                                                                               \
    __LANEWISE_DEVICE float NAME(unsigned mask, float value, LANE lane, int width = 32) {                           \
        return __nvvm_shfl_sync_##MODE##_f32(mask, value, lane, ((32 - width) << 8) | LIMIT);                       \
    }                                                                                                               \
    __LANEWISE_DEVICE unsigned NAME(unsigned mask, unsigned value, LANE lane, int width = 32) {                     \
        return NAME(mask, static_cast<int>(value), lane, width);                                                    \
    }                                                                                                               \
    __LANEWISE_DEVICE unsigned long long NAME(unsigned mask, unsigned long long value, LANE lane, int width = 32) { \
        const unsigned low = NAME(mask, static_cast<unsigned>(value), lane, width);                                 \
        const unsigned high = NAME(mask, static_cast<unsigned>(value >> 32), lane, width);                          \
        return static_cast<unsigned long long>(high) << 32 | low;                                                   \
    }                                                                                                               \
    __LANEWISE_DEVICE long long NAME(unsigned mask, long long value, LANE lane, int width = 32) {                   \
        return NAME(mask, static_cast<unsigned long long>(value), lane, width);                                     \
    }                                                                                                               \
    __LANEWISE_DEVICE long NAME(unsigned mask, long value, LANE lane, int width = 32) {                             \
        return NAME(mask, static_cast<unsigned long long>(value), lane, width);                                     \
    }                                                                                                               \
    __LANEWISE_DEVICE unsigned long NAME(unsigned mask, unsigned long value, LANE lane, int width = 32) {           \
        return NAME(mask, static_cast<unsigned long long>(value), lane, width);                                     \
    }                                                                                                               \
    __LANEWISE_DEVICE double NAME(unsigned mask, double value, LANE lane, int width = 32) {                         \
        return __longlong_as_double(NAME(mask, __double_as_longlong(value), lane, width));                          \
    }
__LANEWISE_SHUFFLE(__shfl_sync, idx, int, 31)
__LANEWISE_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
__LANEWISE_SHUFFLE(__shfl_down_sync, down, unsigned, 31)
__LANEWISE_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef __LANEWISE_SHUFFLE

// The forms without a mask, which CUDA ended with compute capability 7.0.
#define __LANEWISE_GONE(R, NAME)                                                                                     \
    template <class... Arguments>                                                                                    \
    __attribute__((device, unavailable(#NAME "() ended with compute capability 7.0: use " #NAME "_sync()"))) R NAME( \
        Arguments...);
__LANEWISE_GONE(int, __shfl)
__LANEWISE_GONE(int, __shfl_up)
__LANEWISE_GONE(int, __shfl_down)
__LANEWISE_GONE(int, __shfl_xor)
__LANEWISE_GONE(int, __any)
__LANEWISE_GONE(int, __all)
__LANEWISE_GONE(unsigned, __ballot)
#undef __LANEWISE_GONE
