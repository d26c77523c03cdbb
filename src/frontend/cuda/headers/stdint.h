// Integer types of a stated width; those of 64 bits are long long, as NVRTC has them.
#pragma once

#define __LANEWISE_INT(BITS, T)                                              \
    typedef signed T int##BITS##_t, int_least##BITS##_t, int_fast##BITS##_t; \
    typedef unsigned T uint##BITS##_t, uint_least##BITS##_t, uint_fast##BITS##_t;
__LANEWISE_INT(8, char)
__LANEWISE_INT(16, short)
__LANEWISE_INT(32, int)
__LANEWISE_INT(64, long long)
#undef __LANEWISE_INT
typedef int64_t intptr_t, intmax_t;
typedef uint64_t uintptr_t, uintmax_t;

#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-128)
#define INT16_MIN (-32767 - 1)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define SIZE_MAX UINT64_MAX

#define INT8_C(value) value
#define INT16_C(value) value
#define INT32_C(value) value
#define INT64_C(value) value##LL
#define UINT8_C(value) value
#define UINT16_C(value) value
#define UINT32_C(value) value##U
#define UINT64_C(value) value##ULL
#define INTMAX_C(value) value##LL
#define UINTMAX_C(value) value##ULL
