"""Random numbers within kernels: cuRAND's sequences, and the distributions' moments."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

pytestmark = pytest.mark.usefixtures("device")

STATES = {
    "xorwow": "curandStateXORWOW_t",
    "philox": "curandStatePhilox4_32_10_t",
    "mrg": "curandStateMRG32k3a_t",
}
# Seed, sequence and offset, with six numbers and then a uniform float, a uniform double, a normal float and a normal
# double, as cuRAND 10.4 gives them when its functions are compiled for the host.
SEQUENCES = [
    ("xorwow", 0, 0, 0, [3179217846, 1883133293, 2220552389, 674260989, 306521119, 1986458431],
     [0.227643266, 0.14406516578192247, -0.927174926, -0.18590160600548308]),
    ("xorwow", 1234, 5, 7, [3351265907, 3629609298, 415430802, 1173093345, 689711927, 2227153417],
     [0.126060918, 0.1904287413044618, -0.459682643, 0.47423037477429747]),
    ("xorwow", 0xDEADBEEFCAFE1234, 123456, 98765432101,
     [2340228999, 780104775, 3772377782, 3983588400, 3176546809, 2896313509],
     [0.233350649, 0.54545122563456339, 0.261346579, -1.5422595918278583]),
    ("xorwow", 42, 1 << 40, 3, [1164493765, 2433681842, 2183983902, 4104728878, 4106186164, 2365968189],
     [0.462465376, 0.91444588340440003, -0.433725178, -0.93902658879968459]),
    ("philox", 0, 0, 0, [1713891541, 3781805453, 3159862348, 2600524760, 4175744164, 1555169499],
     [0.693930924, 0.037094080820679665, 2.54409719, 0.82078075640742854]),
    ("philox", 1234, 5, 7, [1925342002, 648658203, 3633236749, 143597841, 3521664514, 3248267170],
     [0.219480887, 0.32289216038770974, -0.0460085049, 1.851623372735377]),
    ("philox", 0xDEADBEEFCAFE1234, 123456, 98765432101,
     [766422786, 1482469354, 394168785, 2177856269, 1407603347, 940535131],
     [0.675351262, 0.27852426306344569, -0.513771355, 0.098161391810104123]),
    ("mrg", 0, 0, 0, [545508615, 1368065476, 1327943825, 3546985268, 951893240, 2290915747],
     [0.480774194, 0.35555987952091145, -1.99624109, 0.56285740085741398]),
    ("mrg", 1234, 5, 7, [2068833513, 469510173, 681930214, 929420860, 3667764238, 2341050593],
     [0.912206352, 0.25469013332162005, 0.827352166, -0.31623460499105677]),
    ("mrg", 0xDEADBEEFCAFE1234, 123456, 98765432101,
     [1059249906, 2760047419, 3622078424, 3227914019, 4274433540, 1708127471],
     [0.668175995, 0.72808434352502882, 1.1016413, 0.90115181289625235]),
]  # fmt: skip


@pytest.mark.parametrize("generator, seed, sequence, offset, integers, reals", SEQUENCES)
def test_seeds_give_curands_sequences(generator, seed, sequence, offset, integers, reals):
    kernel = RawKernel(
        f"""#include <curand_kernel.h>
extern "C" __global__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                unsigned* integers, double* reals) {{
    {STATES[generator]} state;
    curand_init(seed, sequence, offset, &state);
    for (int i = 0; i < 6; ++i) integers[i] = curand(&state);
    reals[0] = curand_uniform(&state);
    reals[1] = curand_uniform_double(&state);
    reals[2] = curand_normal(&state);
    curand_normal(&state);  // the other of the pair
    reals[3] = curand_normal_double(&state);
}}""",
        "draw",
        backend="clang",
    )
    got_integers, got_reals = _core.Array.empty(6, np.uint32), _core.Array.empty(4, np.float64)
    kernel(1, 1, (np.uint64(seed), np.uint64(sequence), np.uint64(offset), got_integers, got_reals))
    np.testing.assert_array_equal(got_integers.to_host(), integers)
    np.testing.assert_allclose(got_reals.to_host(), reals, rtol=2e-6)


def draw(generator, expression, threads=2048, each=32):
    """What many threads with sequences of their own draw."""
    kernel = RawKernel(
        f"""#include <curand_kernel.h>
extern "C" __global__ void draw(double* out) {{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    {STATES[generator]} state;
    curand_init(99, t, 0, &state);
    for (int i = 0; i < {each}; ++i) out[t * {each} + i] = {expression};
}}""",
        "draw",
        backend="clang",
    )
    out = _core.Array.empty(threads * each, np.float64)
    kernel(threads // 64, 64, (out,))
    return out.to_host()


# Expression, mean and variance; the fourth moment bounds the error of the variance.
DISTRIBUTIONS = {
    "curand_uniform(&state)": (0.5, 1 / 12),
    "curand_uniform_double(&state)": (0.5, 1 / 12),
    "curand_normal(&state)": (0, 1),
    "curand_normal_double(&state)": (0, 1),
    "curand_normal2(&state).y": (0, 1),
    "curand_log_normal(&state, 0.5f, 0.25f)": (np.exp(0.53125), (np.exp(0.0625) - 1) * np.exp(1.0625)),
    "curand_poisson(&state, 0.5)": (0.5, 0.5),
    "curand_poisson(&state, 20)": (20, 20),
    "curand_poisson(&state, 64)": (64, 64),
    "curand_poisson(&state, 700.5)": (700.5, 700.5),
    "curand_poisson(&state, 10000)": (10000, 10000),
}


@pytest.mark.parametrize("generator", STATES)
@pytest.mark.parametrize("expression", DISTRIBUTIONS)
def test_distributions_have_their_moments(generator, expression):
    mean, variance = DISTRIBUTIONS[expression]
    values = draw(generator, expression)
    count = values.size
    assert abs(values.mean() - mean) < 5 * np.sqrt(variance / count)
    fourth = ((values - values.mean()) ** 4).mean()
    assert abs(values.var() - variance) < 5 * np.sqrt((fourth - variance**2) / count) + 1e-3 * variance


def test_poisson_numbers_by_rejection_have_the_distribution():
    values = draw("xorwow", "curand_poisson(&state, 70)", each=128).astype(int)
    k = np.arange(40, 101)
    log_factorial = np.cumsum(np.log(np.maximum(np.arange(200), 1)))
    expected = np.exp(k * np.log(70) - 70 - log_factorial[k]) * values.size
    counted = np.array([(values == i).sum() for i in k])
    chi_squared = ((counted - expected) ** 2 / expected).sum()
    assert chi_squared < 61 + 5 * np.sqrt(2 * 61)


@pytest.mark.parametrize("generator", STATES)
def test_skipping_ahead_is_drawing(generator):
    kernel = RawKernel(
        f"""#include <curand_kernel.h>
extern "C" __global__ void skip(unsigned* out) {{
    {STATES[generator]} a, b;
    curand_init(3, 4, 5, &a);
    curand_init(3, 4, 0, &b);
    for (int i = 0; i < 5 + 1000; ++i) curand(&b);
    skipahead(1000, &a);
    out[0] = curand(&a);
    out[1] = curand(&b);
}}""",
        "skip",
        backend="clang",
    )
    out = _core.Array.empty(2, np.uint32)
    kernel(1, 1, (out,))
    skipped, drawn = out.to_host()
    assert skipped == drawn


def test_four_numbers_of_a_philox_counter_are_the_next_four():
    kernel = RawKernel(
        """#include <curand_kernel.h>
extern "C" __global__ void four(unsigned* out) {
    for (int first = 0; first < 4; ++first) {
        curandStatePhilox4_32_10_t a, b;
        curand_init(3, 4, first, &a);
        curand_init(3, 4, first, &b);
        const uint4 v = curand4(&a);
        unsigned* o = out + 10 * first;
        o[0] = v.x; o[1] = v.y; o[2] = v.z; o[3] = v.w; o[4] = curand(&a);
        for (int i = 5; i < 10; ++i) o[i] = curand(&b);
    }
}""",
        "four",
        backend="clang",
    )
    out = _core.Array.empty(40, np.uint32)
    kernel(1, 1, (out,))
    values = out.to_host().reshape(4, 2, 5)
    np.testing.assert_array_equal(values[:, 0], values[:, 1])
