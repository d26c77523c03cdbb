// What it declares for kernels is in curand_kernel.h.
#pragma once

#include <curand_kernel.h>
