// The math functions for integers and for mixed arguments, min, max, abs and the classification of numbers.
#pragma once

template <class T>
struct __lanewise_is_integer {
    static constexpr bool value = false;
};
#define __LANEWISE_INTEGER(T)               \
    template <>                             \
    struct __lanewise_is_integer<T> {       \
        static constexpr bool value = true; \
    };
__LANEWISE_INTEGER(bool)
__LANEWISE_INTEGER(char)
__LANEWISE_INTEGER(signed char)
__LANEWISE_INTEGER(unsigned char)
__LANEWISE_INTEGER(wchar_t)
__LANEWISE_INTEGER(char16_t)
__LANEWISE_INTEGER(char32_t)
__LANEWISE_INTEGER(short)
__LANEWISE_INTEGER(unsigned short)
__LANEWISE_INTEGER(int)
__LANEWISE_INTEGER(unsigned)
__LANEWISE_INTEGER(long)
__LANEWISE_INTEGER(unsigned long)
__LANEWISE_INTEGER(long long)
__LANEWISE_INTEGER(unsigned long long)
#undef __LANEWISE_INTEGER

template <class T>
struct __lanewise_is_number {
    static constexpr bool value = __lanewise_is_integer<T>::value;
};
template <>
struct __lanewise_is_number<float> {
    static constexpr bool value = true;
};
template <>
struct __lanewise_is_number<double> {
    static constexpr bool value = true;
};

template <bool Condition, class T>
struct __lanewise_if {};
template <class T>
struct __lanewise_if<true, T> {
    using type = T;
};

// What an integer becomes.
template <class T, class R = double>
using __lanewise_promoted = typename __lanewise_if<__lanewise_is_integer<T>::value, R>::type;
// What different numbers become; equal ones have functions of their own.
template <class T, class U, class R = double>
using __lanewise_mixed = typename __lanewise_if<__lanewise_is_number<T>::value && __lanewise_is_number<U>::value &&
                                                    !(__is_same(T, U) && !__lanewise_is_integer<T>::value),
                                                R>::type;

#define __LANEWISE_INTEGER_UNARY(NAME)                 \
    template <class T>                                 \
    __LANEWISE_BOTH __lanewise_promoted<T> NAME(T x) { \
        return ::NAME(static_cast<double>(x));         \
    }
#define __LANEWISE_MIXED_TO(R, NAME)                                   \
    template <class T, class U>                                        \
    __LANEWISE_BOTH __lanewise_mixed<T, U, R> NAME(T x, U y) {         \
        return ::NAME(static_cast<double>(x), static_cast<double>(y)); \
    }
#define __LANEWISE_MIXED_BINARY(NAME) __LANEWISE_MIXED_TO(double, NAME)

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

#define __LANEWISE_INTEGER_TO(R, NAME)                    \
    template <class T>                                    \
    __LANEWISE_BOTH __lanewise_promoted<T, R> NAME(T x) { \
        return ::NAME(static_cast<double>(x));            \
    }
__LANEWISE_INTEGER_TO(int, ilogb)
__LANEWISE_INTEGER_TO(long, lrint)
__LANEWISE_INTEGER_TO(long, lround)
__LANEWISE_INTEGER_TO(long long, llrint)
__LANEWISE_INTEGER_TO(long long, llround)
__LANEWISE_INTEGER_TO(bool, isnan)
__LANEWISE_INTEGER_TO(bool, isinf)
__LANEWISE_INTEGER_TO(bool, isfinite)
__LANEWISE_INTEGER_TO(bool, signbit)
__LANEWISE_INTEGER_TO(bool, isnormal)
__LANEWISE_INTEGER_TO(int, fpclassify)
#undef __LANEWISE_INTEGER_TO

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
__LANEWISE_MIXED_TO(bool, isgreater)
__LANEWISE_MIXED_TO(bool, isgreaterequal)
__LANEWISE_MIXED_TO(bool, isless)
__LANEWISE_MIXED_TO(bool, islessequal)
__LANEWISE_MIXED_TO(bool, islessgreater)
__LANEWISE_MIXED_TO(bool, isunordered)
#undef __LANEWISE_MIXED_BINARY
#undef __LANEWISE_MIXED_TO

template <class T, class U, class V>
__LANEWISE_BOTH typename __lanewise_if<__lanewise_is_number<T>::value && __lanewise_is_number<U>::value &&
                                           __lanewise_is_number<V>::value &&
                                           !(__is_same(T, U) && __is_same(U, V) && !__lanewise_is_integer<T>::value),
                                       double>::type
fma(T x, U y, V z) {
    return ::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
template <class T>
__LANEWISE_BOTH __lanewise_promoted<T> ldexp(T x, int exponent) {
    return ::ldexp(static_cast<double>(x), exponent);
}
template <class T>
__LANEWISE_BOTH __lanewise_promoted<T> scalbn(T x, int exponent) {
    return ::scalbn(static_cast<double>(x), exponent);
}
template <class T>
__LANEWISE_BOTH __lanewise_promoted<T> scalbln(T x, long exponent) {
    return ::scalbln(static_cast<double>(x), exponent);
}
template <class T>
__LANEWISE_BOTH __lanewise_promoted<T> frexp(T x, int* exponent) {
    return ::frexp(static_cast<double>(x), exponent);
}
template <class T, class U>
__LANEWISE_BOTH __lanewise_mixed<T, U> remquo(T x, U y, int* quotient) {
    return ::remquo(static_cast<double>(x), static_cast<double>(y), quotient);
}
