// Uniform, normal, log-normal and Poisson numbers. The uniform ones are cuRAND's; so are the normal ones, to rounding.
#pragma once

namespace __lanewise_random {

// (0, 1], from 32 bits and from 53.
__LANEWISE_BOTH float to_uniform(unsigned x) {
    return static_cast<float>(x) * 2.3283064365386963e-10f + 1.16415321826934814e-10f;
}
__LANEWISE_BOTH double to_uniform_double(unsigned x, unsigned y) {
    const unsigned long long bits = x ^ static_cast<unsigned long long>(y) << 21;
    return static_cast<double>(bits) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}

// Two normal numbers of two uniform ones (Box and Muller).
__LANEWISE_DEVICE float2 to_normal(float u, float angle) {
    const float radius = sqrtf(-2.0f * logf(u));
    float2 result;
    sincosf(angle, &result.x, &result.y);
    return {result.x * radius, result.y * radius};
}
__LANEWISE_DEVICE double2 to_normal(double u, double half_turns) {
    const double radius = sqrt(-2.0 * log(u));
    double2 result;
    sincospi(half_turns, &result.x, &result.y);
    return {result.x * radius, result.y * radius};
}
__LANEWISE_DEVICE float2 normal_of_bits(unsigned x, unsigned y) {
    return to_normal(to_uniform(x), static_cast<float>(y) * 1.46291807e-9f + 7.31459035e-10f);
}
__LANEWISE_DEVICE double2 normal_of_bits(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
    const unsigned long long turn = y0 ^ static_cast<unsigned long long>(y1) << 21;
    return to_normal(to_uniform_double(x0, x1),
                     static_cast<double>(turn) * 2.2204460492503131e-16 + 1.1102230246251565e-16);
}

template <class State>
__LANEWISE_DEVICE float2 normal_pair(State* state) {
    const unsigned x = curand(state), y = curand(state);
    return normal_of_bits(x, y);
}
template <class State>
__LANEWISE_DEVICE double2 normal_pair_double(State* state) {
    const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return normal_of_bits(x0, x1, y0, y1);
}

}  // namespace __lanewise_random

__LANEWISE_DEVICE float curand_uniform(curandStateXORWOW* state) {
    return __lanewise_random::to_uniform(curand(state));
}
__LANEWISE_DEVICE float curand_uniform(curandStatePhilox4_32_10* state) {
    return __lanewise_random::to_uniform(curand(state));
}
__LANEWISE_DEVICE double curand_uniform_double(curandStateXORWOW* state) {
    const unsigned x = curand(state), y = curand(state);
    return __lanewise_random::to_uniform_double(x, y);
}
/// As in cuRAND, of 32 bits; curand_uniform2_double() has 53.
__LANEWISE_DEVICE double curand_uniform_double(curandStatePhilox4_32_10* state) {
    return static_cast<double>(curand(state)) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}

__LANEWISE_DEVICE double curand_uniform_double(curandStateMRG32k3a* state) {
    return static_cast<double>(__lanewise_random::mrg_next(*state)) * 2.328306549295727688e-10;
}
__LANEWISE_DEVICE float curand_uniform(curandStateMRG32k3a* state) {
    return static_cast<float>(curand_uniform_double(state));
}
namespace __lanewise_random {
__LANEWISE_DEVICE float2 normal_pair(curandStateMRG32k3a* state) {
    const float u = curand_uniform(state);
    return to_normal(u, curand_uniform(state) * 6.2831853071795860f);
}
__LANEWISE_DEVICE double2 normal_pair_double(curandStateMRG32k3a* state) {
    const double u = curand_uniform_double(state);
    return to_normal(u, curand_uniform_double(state) * 2);
}
}  // namespace __lanewise_random

// One normal number; the second of its pair is kept for the next call.
template <class State>
__LANEWISE_DEVICE float curand_normal(State* state) {
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    const float2 pair = __lanewise_random::normal_pair(state);
    state->boxmuller_flag = 1;
    state->boxmuller_extra = pair.y;
    return pair.x;
}
template <class State>
__LANEWISE_DEVICE double curand_normal_double(State* state) {
    if (state->boxmuller_flag_double) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    const double2 pair = __lanewise_random::normal_pair_double(state);
    state->boxmuller_flag_double = 1;
    state->boxmuller_extra_double = pair.y;
    return pair.x;
}
template <class State>
__LANEWISE_DEVICE float2 curand_normal2(State* state) {
    return __lanewise_random::normal_pair(state);
}
template <class State>
__LANEWISE_DEVICE double2 curand_normal2_double(State* state) {
    return __lanewise_random::normal_pair_double(state);
}

template <class State>
__LANEWISE_DEVICE float curand_log_normal(State* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
template <class State>
__LANEWISE_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}
template <class State>
__LANEWISE_DEVICE float2 curand_log_normal2(State* state, float mean, float deviation) {
    const float2 pair = curand_normal2(state);
    return {expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
template <class State>
__LANEWISE_DEVICE double2 curand_log_normal2_double(State* state, double mean, double deviation) {
    const double2 pair = curand_normal2_double(state);
    return {exp(mean + deviation * pair.x), exp(mean + deviation * pair.y)};
}

// Four at a time, of one Philox counter.
__LANEWISE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return {__lanewise_random::to_uniform(bits.x), __lanewise_random::to_uniform(bits.y),
            __lanewise_random::to_uniform(bits.z), __lanewise_random::to_uniform(bits.w)};
}
__LANEWISE_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return {__lanewise_random::to_uniform_double(bits.x, bits.y), __lanewise_random::to_uniform_double(bits.z, bits.w)};
}
__LANEWISE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    const float2 first = __lanewise_random::normal_of_bits(bits.x, bits.y);
    const float2 second = __lanewise_random::normal_of_bits(bits.z, bits.w);
    return {first.x, first.y, second.x, second.y};
}
__LANEWISE_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
    const float4 v = curand_normal4(state);
    return {expf(mean + deviation * v.x), expf(mean + deviation * v.y), expf(mean + deviation * v.z),
            expf(mean + deviation * v.w)};
}
