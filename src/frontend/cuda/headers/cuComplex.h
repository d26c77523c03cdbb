// Complex numbers as pairs: cuFloatComplex and cuDoubleComplex.
#pragma once

extern "C++" {
#include "__lanewise/complex.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __LANEWISE_CU_COMPLEX(C, T, SUFFIX)                                                                       \
    __LANEWISE_BOTH T cuCreal##SUFFIX(C z) {                                                                      \
        return z.x;                                                                                               \
    }                                                                                                             \
    __LANEWISE_BOTH T cuCimag##SUFFIX(C z) {                                                                      \
        return z.y;                                                                                               \
    }                                                                                                             \
    __LANEWISE_BOTH C make_##C(T re, T im) {                                                                      \
        return {re, im};                                                                                          \
    }                                                                                                             \
    __LANEWISE_BOTH C cuConj##SUFFIX(C z) {                                                                       \
        return {z.x, -z.y};                                                                                       \
    }                                                                                                             \
    __LANEWISE_BOTH C cuCadd##SUFFIX(C z, C w) {                                                                  \
        return {z.x + w.x, z.y + w.y};                                                                            \
    }                                                                                                             \
    __LANEWISE_BOTH C cuCsub##SUFFIX(C z, C w) {                                                                  \
        return {z.x - w.x, z.y - w.y};                                                                            \
    }                                                                                                             \
    __LANEWISE_BOTH C cuCmul##SUFFIX(C z, C w) {                                                                  \
        return {z.x * w.x - z.y * w.y, z.x * w.y + z.y * w.x};                                                    \
    }                                                                                                             \
    __LANEWISE_BOTH C cuCdiv##SUFFIX(C z, C w) {                                                                  \
        const __lanewise::complex<T> ratio = __lanewise::complex<T>(z.x, z.y) / __lanewise::complex<T>(w.x, w.y); \
        return {ratio.real(), ratio.imag()};                                                                      \
    }                                                                                                             \
    __LANEWISE_BOTH T cuCabs##SUFFIX(C z) {                                                                       \
        return hypot(z.x, z.y);                                                                                   \
    }                                                                                                             \
    __LANEWISE_BOTH C cuCfma##SUFFIX(C z, C w, C d) {                                                             \
        return {z.x * w.x + d.x - z.y * w.y, z.x * w.y + d.y + z.y * w.x};                                        \
    }
__LANEWISE_CU_COMPLEX(cuFloatComplex, float, f)
__LANEWISE_CU_COMPLEX(cuDoubleComplex, double, )
#undef __LANEWISE_CU_COMPLEX

__LANEWISE_BOTH cuComplex make_cuComplex(float re, float im) {
    return {re, im};
}
__LANEWISE_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
    return {z.x, z.y};
}
__LANEWISE_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
}
