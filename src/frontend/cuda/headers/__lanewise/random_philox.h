// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): ten rounds of multiplications of a counter of 128 bits, four
// numbers at a time. Seeds give cuRAND's sequences.
#pragma once

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;  ///< how many of `output` are used
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace __lanewise_random {

__LANEWISE_BOTH uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long x = 0xd2511f53ull * counter.x, z = 0xcd9e8d57ull * counter.z;
        counter = {static_cast<unsigned>(z >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(z),
                   static_cast<unsigned>(x >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(x)};
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}
/// Adds to the low and to the high half of a counter.
__LANEWISE_BOTH void add_to_counter(uint4& counter, unsigned long long low, unsigned long long high) {
    const unsigned long long old = static_cast<unsigned long long>(counter.y) << 32 | counter.x;
    const unsigned long long sum = old + low;
    high += (static_cast<unsigned long long>(counter.w) << 32 | counter.z) + (sum < old);
    counter = {static_cast<unsigned>(sum), static_cast<unsigned>(sum >> 32), static_cast<unsigned>(high),
               static_cast<unsigned>(high >> 32)};
}
__LANEWISE_BOTH unsigned element(const uint4& v, unsigned i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

}  // namespace __lanewise_random

__LANEWISE_DEVICE unsigned curand(curandStatePhilox4_32_10* state) {
    const unsigned number = __lanewise_random::element(state->output, state->STATE++);
    if (state->STATE == 4) {
        __lanewise_random::add_to_counter(state->ctr, 1, 0);
        state->output = __lanewise_random::philox(state->ctr, state->key);
        state->STATE = 0;
    }
    return number;
}
__LANEWISE_DEVICE uint4 curand4(curandStatePhilox4_32_10* state) {
    const uint4 old = state->output;
    __lanewise_random::add_to_counter(state->ctr, 1, 0);
    const uint4 next = state->output = __lanewise_random::philox(state->ctr, state->key);
    switch (state->STATE) {
        case 0:
            return old;
        case 1:
            return {old.y, old.z, old.w, next.x};
        case 2:
            return {old.z, old.w, next.x, next.y};
        default:
            return {old.w, next.x, next.y, next.z};
    }
}
__LANEWISE_DEVICE void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
    const unsigned used = state->STATE + static_cast<unsigned>(count & 3);
    state->STATE = used & 3;
    __lanewise_random::add_to_counter(state->ctr, (count >> 2) + (used >> 2), 0);
    state->output = __lanewise_random::philox(state->ctr, state->key);
}
/// By `count` times 2^66 numbers: the high half of the counter.
__LANEWISE_DEVICE void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
    __lanewise_random::add_to_counter(state->ctr, 0, count);
    state->output = __lanewise_random::philox(state->ctr, state->key);
}
__LANEWISE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   curandStatePhilox4_32_10* state) {
    *state = {};
    state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
