// What math_promotions.h has for functions of one and two numbers, for the others: those with further arguments or
// results, and the classification of numbers.
#pragma once

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

__LANEWISE_MIXED_TO(bool, isgreater)
__LANEWISE_MIXED_TO(bool, isgreaterequal)
__LANEWISE_MIXED_TO(bool, isless)
__LANEWISE_MIXED_TO(bool, islessequal)
__LANEWISE_MIXED_TO(bool, islessgreater)
__LANEWISE_MIXED_TO(bool, isunordered)
#undef __LANEWISE_MIXED_TO

template <class T, class U, class V>
__LANEWISE_BOTH typename __lanewise_if<
    __lanewise_is_number<T>::value && __lanewise_is_number<U>::value && __lanewise_is_number<V>::value &&
        !(__lanewise_is_same<T, U>::value && __lanewise_is_same<U, V>::value && !__lanewise_is_integer<T>::value),
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
