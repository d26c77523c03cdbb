// bfloat16, the upper half of a float: the types, conversions, operators and functions of __nv_bfloat16 and its pair.
#pragma once

extern "C++" {
#include "__lanewise/short_float_rounding.h"

/// The bits of the nearest bfloat16, ties to even.
__LANEWISE_BOTH unsigned short __lanewise_bfloat16_bits(float x) {
    const unsigned bits = __float_as_uint(x);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define __LANEWISE_H __nv_bfloat16
#define __LANEWISE_H2 __nv_bfloat162
#define __LANEWISE_H_RAW __nv_bfloat16_raw
#define __LANEWISE_H2_RAW __nv_bfloat162_raw
#define __LANEWISE_H_NAME bfloat16
#define __LANEWISE_H_BITS(x) __lanewise_bfloat16_bits(x)
#define __LANEWISE_H_FLOAT(bits) __uint_as_float(static_cast<unsigned>(bits) << 16)
#define __LANEWISE_H_FROM_INTEGER(x) __lanewise_odd_integer(x)
#define __LANEWISE_H_VALUE float
#define __LANEWISE_H_PAIR __lanewise_bfloat16_pair
#define __LANEWISE_H_LOAD(bits) __LANEWISE_H_FLOAT(bits)
#define __LANEWISE_H_STORE(x) __lanewise_bfloat16_bits(x)
#define __LANEWISE_H_INFINITY 0x7f80
// clang-format off: in the order of need
#include "__lanewise/short_float_class.h"
#include "__lanewise/short_float_conversions.h"
#include "__lanewise/short_float_functions.h"
#include "__lanewise/short_float_end.h"
// clang-format on

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__LANEWISE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
    return {x, x};
}
__LANEWISE_BOTH int __hisinf(__nv_bfloat16 x) {
    const unsigned short bits = __bfloat16_as_ushort(x);
    return bits == 0x7f80 ? 1 : bits == 0xff80 ? -1 : 0;
}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
}
