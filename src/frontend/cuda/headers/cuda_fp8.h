// Floating-point numbers of 8 bits, to store and to convert: __nv_fp8_e4m3, __nv_fp8_e5m2, their pairs and fours.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C++" {
#include "__lanewise/minifloat.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#define __LANEWISE_Q(SUFFIX) __nv_fp8##SUFFIX##_e4m3
#define __LANEWISE_Q_FORMAT __lanewise_minifloat::e4m3
#include "__lanewise/minifloat_class.h"
#undef __LANEWISE_Q
#undef __LANEWISE_Q_FORMAT
#define __LANEWISE_Q(SUFFIX) __nv_fp8##SUFFIX##_e5m2
#define __LANEWISE_Q_FORMAT __lanewise_minifloat::e5m2
#include "__lanewise/minifloat_class.h"
#undef __LANEWISE_Q
#undef __LANEWISE_Q_FORMAT

__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t format) {
    const bool saturates = saturation == __NV_SATFINITE;
    return format == __NV_E4M3 ? __lanewise_minifloat::encode<__lanewise_minifloat::e4m3>(x, saturates)
                               : __lanewise_minifloat::encode<__lanewise_minifloat::e5m2>(x, saturates);
}
__LANEWISE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
    return __half(format == __NV_E4M3 ? __lanewise_minifloat::decode<__lanewise_minifloat::e4m3>(x)
                                      : __lanewise_minifloat::decode<__lanewise_minifloat::e5m2>(x));
}
__LANEWISE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), format).x,
            __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

#define __LANEWISE_TO_FP8(NAME, NAME2, T, T2, WIDE)                                                          \
    __LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_##NAME##_to_fp8(T x, __nv_saturation_t saturation,           \
                                                                __nv_fp8_interpretation_t format) {          \
        return __nv_cvt_float_to_fp8(WIDE(x), saturation, format);                                           \
    }                                                                                                        \
    __LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_##NAME2##_to_fp8x2(T2 v, __nv_saturation_t saturation,     \
                                                                     __nv_fp8_interpretation_t format) {     \
        return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_##NAME##_to_fp8(T{v.x}, saturation, format) |      \
                                                 __nv_cvt_##NAME##_to_fp8(T{v.y}, saturation, format) << 8); \
    }
__LANEWISE_TO_FP8(double, double2, double, double2, __lanewise_odd_float)
__LANEWISE_TO_FP8(halfraw, halfraw2, __half_raw, __half2_raw, __half)
__LANEWISE_TO_FP8(bfloat16raw, bfloat16raw2, __nv_bfloat16_raw, __nv_bfloat162_raw, __nv_bfloat16)
#undef __LANEWISE_TO_FP8
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t format) {
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(v.x, saturation, format) |
                                             __nv_cvt_float_to_fp8(v.y, saturation, format) << 8);
}
}
