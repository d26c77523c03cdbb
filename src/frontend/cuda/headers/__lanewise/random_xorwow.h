// XORWOW (Marsaglia 2003): a xorshift of 160 bits plus a Weyl sequence. Seeds give cuRAND's sequences.
#pragma once

/// The boxmuller members keep the second normal number of a pair until the next call.
struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

namespace __lanewise_random {

__LANEWISE_BOTH void xorwow_advance(unsigned (&v)[5]) {
    const unsigned mixed = v[0] ^ (v[0] >> 2);
    const unsigned next = (v[4] ^ (v[4] << 4)) ^ (mixed ^ (mixed << 1));
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4], v[4] = next;
}

/// As many steps ahead as row k of the table stands for, for each bit k of `count`: a polynomial of the step, applied.
__LANEWISE_EXTERN inline void xorwow_jump(unsigned (&v)[5], unsigned long long count, const unsigned (*table)[5]) {
    for (; count != 0; count >>= 1, ++table) {
        if (!(count & 1)) continue;
        unsigned sum[5] = {};
        for (int i = 0; i < 160; ++i) {
            const unsigned chosen = 0u - ((*table)[i / 32] >> (i % 32) & 1);
            for (int j = 0; j < 5; ++j) sum[j] ^= v[j] & chosen;
            xorwow_advance(v);
        }
        for (int j = 0; j < 5; ++j) v[j] = sum[j];
    }
}

}  // namespace __lanewise_random

__LANEWISE_DEVICE unsigned curand(curandStateXORWOW* state) {
    __lanewise_random::xorwow_advance(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}
__LANEWISE_DEVICE void skipahead(unsigned long long count, curandStateXORWOW* state) {
    __lanewise_random::xorwow_jump(state->v, count, __lanewise_random::xorwow_step);
    state->d += 362437 * static_cast<unsigned>(count);
}
/// By `count` times 2^67 numbers; that many Weyl steps come to none.
__LANEWISE_DEVICE void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) {
    __lanewise_random::xorwow_jump(state->v, count, __lanewise_random::xorwow_sequence);
}
__LANEWISE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                   curandStateXORWOW* state) {
    const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
    const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
    *state = {6615241 + high + low,
              {123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
              0,
              0,
              0,
              0};
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}
