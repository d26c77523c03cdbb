// The math functions need no #include.
#pragma once

typedef float float_t;
typedef double double_t;
#define FP_ILOGB0 (-__INT_MAX__ - 1)
#define FP_ILOGBNAN (-__INT_MAX__ - 1)
