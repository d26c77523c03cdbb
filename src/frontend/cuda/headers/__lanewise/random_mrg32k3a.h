// MRG32k3a (L'Ecuyer 1999): the difference of two linear recurrences of order 3. Seeds give cuRAND's sequences.
#pragma once

struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace __lanewise_random {

constexpr unsigned long long mrg_modulus_1 = 4294967087ull, mrg_modulus_2 = 4294944443ull;

__LANEWISE_BOTH mrg_matrix product(const mrg_matrix& a, const mrg_matrix& b, unsigned long long modulus) {
    mrg_matrix result;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            unsigned long long sum = 0;
            for (int k = 0; k < 3; ++k)
                sum = (sum + static_cast<unsigned long long>(a.rows[i][k]) * b.rows[k][j] % modulus) % modulus;
            result.rows[i][j] = static_cast<unsigned>(sum);
        }
    }
    return result;
}
__LANEWISE_BOTH void apply(const mrg_matrix& matrix, unsigned (&s)[3], unsigned long long modulus) {
    unsigned result[3];
    for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k)
            sum = (sum + static_cast<unsigned long long>(matrix.rows[i][k]) * s[k] % modulus) % modulus;
        result[i] = static_cast<unsigned>(sum);
    }
    for (int i = 0; i < 3; ++i) s[i] = result[i];
}
/// The `count`-th power of the matrix, applied.
__LANEWISE_EXTERN inline void mrg_jump(mrg_matrix matrix, unsigned (&s)[3], unsigned long long count,
                                       unsigned long long modulus) {
    for (; count != 0; count >>= 1) {
        if (count & 1) apply(matrix, s, modulus);
        matrix = product(matrix, matrix, modulus);
    }
}

/// The next number, from 1 to the first modulus.
__LANEWISE_BOTH unsigned mrg_next(curandStateMRG32k3a& state) {
    const unsigned long long m1 = mrg_modulus_1, m2 = mrg_modulus_2;
    const unsigned next_1 = static_cast<unsigned>((1403580ull * state.s1[1] + 810728ull * (m1 - state.s1[0])) % m1);
    const unsigned next_2 = static_cast<unsigned>((527612ull * state.s2[2] + 1370589ull * (m2 - state.s2[0])) % m2);
    state.s1[0] = state.s1[1], state.s1[1] = state.s1[2], state.s1[2] = next_1;
    state.s2[0] = state.s2[1], state.s2[1] = state.s2[2], state.s2[2] = next_2;
    return next_1 > next_2 ? next_1 - next_2 : static_cast<unsigned>(next_1 + m1 - next_2);
}

}  // namespace __lanewise_random

/// The number, stretched to 32 bits.
__LANEWISE_DEVICE unsigned curand(curandStateMRG32k3a* state) {
    return static_cast<unsigned>(static_cast<double>(__lanewise_random::mrg_next(*state)) * 1.000000048662);
}
__LANEWISE_DEVICE void __lanewise_skip(const __lanewise_random::mrg_matrix& first,
                                       const __lanewise_random::mrg_matrix& second, unsigned long long count,
                                       curandStateMRG32k3a* state) {
    __lanewise_random::mrg_jump(first, state->s1, count, __lanewise_random::mrg_modulus_1);
    __lanewise_random::mrg_jump(second, state->s2, count, __lanewise_random::mrg_modulus_2);
}
__LANEWISE_DEVICE void skipahead(unsigned long long count, curandStateMRG32k3a* state) {
    __lanewise_skip(__lanewise_random::mrg_step_1, __lanewise_random::mrg_step_2, count, state);
}
/// By `count` times 2^76 numbers.
__LANEWISE_DEVICE void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a* state) {
    __lanewise_skip(__lanewise_random::mrg_subsequence_1, __lanewise_random::mrg_subsequence_2, count, state);
}
/// By `count` times 2^127 numbers.
__LANEWISE_DEVICE void skipahead_sequence(unsigned long long count, curandStateMRG32k3a* state) {
    __lanewise_skip(__lanewise_random::mrg_sequence_1, __lanewise_random::mrg_sequence_2, count, state);
}
__LANEWISE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                   curandStateMRG32k3a* state) {
    *state = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
    if (seed != 0) {
        const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u;
        const unsigned long long high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < 3; ++i) {
            state->s1[i] = static_cast<unsigned>((i == 1 ? high : low) * 12345 % __lanewise_random::mrg_modulus_1);
            state->s2[i] = static_cast<unsigned>((i == 1 ? low : high) * 12345 % __lanewise_random::mrg_modulus_2);
        }
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}
