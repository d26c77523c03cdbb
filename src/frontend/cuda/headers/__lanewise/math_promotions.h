// The math functions for integers and for mixed arguments, as in the C++ standard: they compute in double. Also given
// to NVRTC, which knows float and double alone.
#pragma once

#include <__lanewise/number_traits.h>

extern "C++" {
// What an integer becomes.
template <class T, class R = double>
using __lanewise_promoted = typename __lanewise_if<__lanewise_is_integer<T>::value, R>::type;
// What different numbers become; equal ones have functions of their own.
template <class T, class U, class R = double>
using __lanewise_mixed =
    typename __lanewise_if<__lanewise_is_number<T>::value && __lanewise_is_number<U>::value &&
                               !(__lanewise_is_same<T, U>::value && !__lanewise_is_integer<T>::value),
                           R>::type;

#define __LANEWISE_INTEGER_UNARY(NAME)                 \
    template <class T>                                 \
    __LANEWISE_BOTH __lanewise_promoted<T> NAME(T x) { \
        return ::NAME(static_cast<double>(x));         \
    }
__LANEWISE_INTEGER_UNARY(acos)
__LANEWISE_INTEGER_UNARY(acosh)
__LANEWISE_INTEGER_UNARY(asin)
__LANEWISE_INTEGER_UNARY(asinh)
__LANEWISE_INTEGER_UNARY(atan)
__LANEWISE_INTEGER_UNARY(atanh)
__LANEWISE_INTEGER_UNARY(cbrt)
__LANEWISE_INTEGER_UNARY(ceil)
__LANEWISE_INTEGER_UNARY(cos)
__LANEWISE_INTEGER_UNARY(cosh)
__LANEWISE_INTEGER_UNARY(erf)
__LANEWISE_INTEGER_UNARY(erfc)
__LANEWISE_INTEGER_UNARY(exp)
__LANEWISE_INTEGER_UNARY(exp2)
__LANEWISE_INTEGER_UNARY(expm1)
__LANEWISE_INTEGER_UNARY(fabs)
__LANEWISE_INTEGER_UNARY(floor)
__LANEWISE_INTEGER_UNARY(lgamma)
__LANEWISE_INTEGER_UNARY(log)
__LANEWISE_INTEGER_UNARY(log10)
__LANEWISE_INTEGER_UNARY(log1p)
__LANEWISE_INTEGER_UNARY(log2)
__LANEWISE_INTEGER_UNARY(logb)
__LANEWISE_INTEGER_UNARY(nearbyint)
__LANEWISE_INTEGER_UNARY(rint)
__LANEWISE_INTEGER_UNARY(round)
__LANEWISE_INTEGER_UNARY(sin)
__LANEWISE_INTEGER_UNARY(sinh)
__LANEWISE_INTEGER_UNARY(sqrt)
__LANEWISE_INTEGER_UNARY(tan)
__LANEWISE_INTEGER_UNARY(tanh)
__LANEWISE_INTEGER_UNARY(tgamma)
__LANEWISE_INTEGER_UNARY(trunc)
#undef __LANEWISE_INTEGER_UNARY

// math_overloads.h goes on with it.
#define __LANEWISE_MIXED_TO(R, NAME)                                   \
    template <class T, class U>                                        \
    __LANEWISE_BOTH __lanewise_mixed<T, U, R> NAME(T x, U y) {         \
        return ::NAME(static_cast<double>(x), static_cast<double>(y)); \
    }
#define __LANEWISE_MIXED_BINARY(NAME) __LANEWISE_MIXED_TO(double, NAME)
__LANEWISE_MIXED_BINARY(atan2)
__LANEWISE_MIXED_BINARY(copysign)
__LANEWISE_MIXED_BINARY(fdim)
__LANEWISE_MIXED_BINARY(fmax)
__LANEWISE_MIXED_BINARY(fmin)
__LANEWISE_MIXED_BINARY(fmod)
__LANEWISE_MIXED_BINARY(hypot)
__LANEWISE_MIXED_BINARY(nextafter)
__LANEWISE_MIXED_BINARY(pow)
__LANEWISE_MIXED_BINARY(remainder)
#undef __LANEWISE_MIXED_BINARY
}
