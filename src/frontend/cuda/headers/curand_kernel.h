// Random numbers within kernels: XORWOW, Philox and MRG32k3a.
#pragma once

extern "C++" {
// clang-format off: in the order of need
#include "__lanewise/random_jumps.h"
#include "__lanewise/random_xorwow.h"
#include "__lanewise/random_philox.h"
#include "__lanewise/random_mrg32k3a.h"
#include "__lanewise/random_distributions.h"
#include "__lanewise/random_poisson.h"
// clang-format on
}
