// What CUDA C++ offers without an #include: the compiler includes this file before the program.
#pragma once

#include "__lanewise/keywords.h"
#include "limits.h"

extern "C++" {
// clang-format off: in the order of need
#include "__lanewise/vector_types.h"
#include "__lanewise/index.h"
#include "__lanewise/math_constants.h"
#include "__lanewise/math_functions.h"
#include "__lanewise/comparisons.h"
#include "__lanewise/math_promotions.h"
#include "__lanewise/math_overloads.h"
#include "__lanewise/integer_functions.h"
#include "__lanewise/packed_integers.h"
#include "__lanewise/conversions.h"
#include "__lanewise/rounded_arithmetic.h"
#include "__lanewise/synchronisation.h"
#include "__lanewise/warp.h"
#include "__lanewise/atomics.h"
#include "__lanewise/memory.h"
#include "__lanewise/runtime.h"
#include "driver_types.h"
#include "__lanewise/std_math.h"
#include "__lanewise/std_math_more.h"
#include "__lanewise/std_min_max.h"
// clang-format on
}
