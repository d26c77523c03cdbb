// IEEE half precision: the types, conversions, operators and functions of __half and __half2.
#pragma once

extern "C++" {
#include "__lanewise/short_float_rounding.h"

#define __LANEWISE_H __half
#define __LANEWISE_H2 __half2
#define __LANEWISE_H_RAW __half_raw
#define __LANEWISE_H2_RAW __half2_raw
#define __LANEWISE_H_NAME half
#define __LANEWISE_H_BITS(x) __builtin_bit_cast(unsigned short, static_cast<_Float16>(x))
#define __LANEWISE_H_FLOAT(bits) static_cast<float>(__builtin_bit_cast(_Float16, bits))
#define __LANEWISE_H_FROM_INTEGER(x) static_cast<float>(x)
#define __LANEWISE_H_VALUE _Float16
#define __LANEWISE_H_PAIR __lanewise_half_pair
#define __LANEWISE_H_LOAD(bits) __builtin_bit_cast(_Float16, bits)
#define __LANEWISE_H_STORE(x) __builtin_bit_cast(unsigned short, x)
#define __LANEWISE_H_INFINITY 0x7c00
#define __LANEWISE_H_IS_NATIVE
// clang-format off: in the order of need
#include "__lanewise/short_float_class.h"
#include "__lanewise/short_float_conversions.h"
#include "__lanewise/short_float_functions.h"
#include "__lanewise/short_float_end.h"
// clang-format on

typedef __half half, nv_half, __nv_half;
typedef __half2 half2, nv_half2, __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

__LANEWISE_BOTH __half2 __half2half2(__half x) {
    return {x, x};
}
__LANEWISE_BOTH int __hisinf(__half x) {
    const unsigned short bits = __half_as_ushort(x);
    return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
}
