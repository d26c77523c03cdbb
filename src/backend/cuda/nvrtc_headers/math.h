// Mathematical constants, and functions of integers, of mixed types and in std::, which NVRTC lacks.
#pragma once

#include <__lanewise/traits.h>
#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define HUGE_VALF INFINITY
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
// As in the C++ standard; NVRTC itself knows float and double alone.
extern "C++" {
#define __LANEWISE_UNARY(name)                                                                                   \
    template <class T>                                                                                           \
    __device__ __forceinline__ typename __lanewise_if<__lanewise_is_integer<T>::value, double>::type name(T x) { \
        return name(static_cast<double>(x));                                                                     \
    }
__LANEWISE_UNARY(acos)
__LANEWISE_UNARY(acosh)
__LANEWISE_UNARY(asin)
__LANEWISE_UNARY(asinh)
__LANEWISE_UNARY(atan)
__LANEWISE_UNARY(atanh)
__LANEWISE_UNARY(cbrt)
__LANEWISE_UNARY(ceil)
__LANEWISE_UNARY(cos)
__LANEWISE_UNARY(cosh)
__LANEWISE_UNARY(erf)
__LANEWISE_UNARY(erfc)
__LANEWISE_UNARY(exp)
__LANEWISE_UNARY(exp2)
__LANEWISE_UNARY(expm1)
__LANEWISE_UNARY(fabs)
__LANEWISE_UNARY(floor)
__LANEWISE_UNARY(lgamma)
__LANEWISE_UNARY(log)
__LANEWISE_UNARY(log10)
__LANEWISE_UNARY(log1p)
__LANEWISE_UNARY(log2)
__LANEWISE_UNARY(nearbyint)
__LANEWISE_UNARY(rint)
__LANEWISE_UNARY(round)
__LANEWISE_UNARY(sin)
__LANEWISE_UNARY(sinh)
__LANEWISE_UNARY(sqrt)
__LANEWISE_UNARY(tan)
__LANEWISE_UNARY(tanh)
__LANEWISE_UNARY(tgamma)
__LANEWISE_UNARY(trunc)
#undef __LANEWISE_UNARY
#define __LANEWISE_BINARY(name)                                                                                \
    template <class T, class U>                                                                                \
    __device__ __forceinline__                                                                                 \
        typename __lanewise_if<__lanewise_is_number<T>::value && __lanewise_is_number<U>::value, double>::type \
        name(T x, U y) {                                                                                       \
        return name(static_cast<double>(x), static_cast<double>(y));                                           \
    }
__LANEWISE_BINARY(atan2)
__LANEWISE_BINARY(copysign)
__LANEWISE_BINARY(fdim)
__LANEWISE_BINARY(fmax)
__LANEWISE_BINARY(fmin)
__LANEWISE_BINARY(fmod)
__LANEWISE_BINARY(hypot)
__LANEWISE_BINARY(nextafter)
__LANEWISE_BINARY(pow)
__LANEWISE_BINARY(remainder)
#undef __LANEWISE_BINARY
}
namespace std {
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::lgamma;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::scalbn;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}  // namespace std
