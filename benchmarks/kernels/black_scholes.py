"""Black-Scholes call and put prices of 2^23 options in float32: exp, log, erfc."""

import math

import numpy as np

from . import Case

NAME = "black_scholes"


def python(cuda):
    half = np.float32(0.5)
    root_half = np.float32(math.sqrt(0.5))
    one = np.float32(1)

    def black_scholes(spot, strike, years, rate, volatility, call, put):
        i = cuda.grid(1)
        if i < spot.size:
            s = spot[i]
            k = strike[i]
            t = years[i]
            root = math.sqrt(t)
            d1 = (math.log(s / k) + (rate + half * volatility * volatility) * t) / (volatility * root)
            d2 = d1 - volatility * root
            n1 = half * math.erfc(-d1 * root_half)
            n2 = half * math.erfc(-d2 * root_half)
            discounted = k * math.exp(-rate * t)
            call[i] = s * n1 - discounted * n2
            put[i] = discounted * (one - n2) - s * (one - n1)

    return black_scholes


CUDA = r"""
extern "C" __global__ void black_scholes(const float* spot, long long n, const float* strike, long long,
                                         const float* years, long long, float rate, float volatility,
                                         float* call, long long, float* put, long long) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) {
        float s = spot[i], k = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root;
        float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f);
        float discounted = k * expf(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
"""


def setup(rng, scale=1.0):
    n = int((1 << 23) * scale)
    spot = (5 + 25 * rng.random(n)).astype(np.float32)
    strike = (1 + 99 * rng.random(n)).astype(np.float32)
    years = (0.25 + 9.75 * rng.random(n)).astype(np.float32)
    rate, volatility = np.float32(0.02), np.float32(0.3)
    call, put = np.zeros(n, np.float32), np.zeros(n, np.float32)
    sample = slice(0, 4096)
    s, k, t = (a[sample].astype(np.float64) for a in (spot, strike, years))
    d1 = (np.log(s / k) + (0.02 + 0.5 * 0.09) * t) / (0.3 * np.sqrt(t))
    d2 = d1 - 0.3 * np.sqrt(t)
    cdf = np.vectorize(lambda d: 0.5 * math.erfc(-d * math.sqrt(0.5)))
    expected = s * cdf(d1) - k * np.exp(-0.02 * t) * cdf(d2)
    arguments = [spot, strike, years, rate, volatility, call, put]
    case = Case(arguments, ((n + 255) // 256,), (256,), {}, 20.0 * n)
    case.sample = (5, sample, expected, 5e-4)
    return case
