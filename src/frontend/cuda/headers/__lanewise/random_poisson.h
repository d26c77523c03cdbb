// Poisson numbers: by products of uniform numbers (Knuth) for small means, by transformed rejection (Hormann 1993,
// PTRS) from 64 on, and as rounded normal numbers above 4000.
#pragma once

namespace __lanewise_random {

template <class State>
__LANEWISE_DEVICE unsigned poisson_small(State* state, double mean) {
    unsigned count = 0;
    float product = expf(static_cast<float>(mean));
    do {
        ++count;
        product *= curand_uniform(state);
    } while (product > 1.0f);
    return count - 1;
}
template <class State>
__LANEWISE_DEVICE unsigned poisson_rejection(State* state, double mean) {
    const double root = sqrt(mean), log_mean = log(mean);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
        const double distance = 0.5 - fabs(u);
        const double k = floor((2 * a / distance + b) * u + mean + 0.43);
        if (distance >= 0.07 && v <= accepted) return static_cast<unsigned>(k);
        if (k < 0 || (distance < 0.013 && v > distance)) continue;
        if (log(v * inverse_alpha / (a / (distance * distance) + b)) <= k * log_mean - mean - lgamma(k + 1))
            return static_cast<unsigned>(k);
    }
}

}  // namespace __lanewise_random

template <class State>
__LANEWISE_DEVICE unsigned curand_poisson(State* state, double mean) {
    if (mean < 64) return __lanewise_random::poisson_small(state, mean);
    if (mean <= 4000) return __lanewise_random::poisson_rejection(state, mean);
    return static_cast<unsigned>(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
}
__LANEWISE_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10* state, double mean) {
    uint4 result;
    result.x = curand_poisson(state, mean);
    result.y = curand_poisson(state, mean);
    result.z = curand_poisson(state, mean);
    result.w = curand_poisson(state, mean);
    return result;
}
