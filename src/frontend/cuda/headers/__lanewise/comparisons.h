// min, max, abs and the classification of floating-point numbers.
#pragma once

#define __LANEWISE_MIN_MAX(R, T, U, SUFFIX)                                             \
    __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R min(T, U) __asm__("__nv_" SUFFIX "min"); \
    __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R max(T, U) __asm__("__nv_" SUFFIX "max");
__LANEWISE_MIN_MAX(int, int, int, "")
__LANEWISE_MIN_MAX(unsigned, unsigned, unsigned, "u")
__LANEWISE_MIN_MAX(unsigned, int, unsigned, "u")
__LANEWISE_MIN_MAX(unsigned, unsigned, int, "u")
__LANEWISE_MIN_MAX(long, long, long, "ll")
__LANEWISE_MIN_MAX(unsigned long, unsigned long, unsigned long, "ull")
__LANEWISE_MIN_MAX(unsigned long, long, unsigned long, "ull")
__LANEWISE_MIN_MAX(unsigned long, unsigned long, long, "ull")
__LANEWISE_MIN_MAX(long long, long long, long long, "ll")
__LANEWISE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long, "ull")
__LANEWISE_MIN_MAX(unsigned long long, long long, unsigned long long, "ull")
__LANEWISE_MIN_MAX(unsigned long long, unsigned long long, long long, "ull")
#undef __LANEWISE_MIN_MAX

__LANEWISE_2(float, min, float, float, "__nv_fminf")
__LANEWISE_2(float, max, float, float, "__nv_fmaxf")
__LANEWISE_2(double, min, double, double, "__nv_fmin")
__LANEWISE_2(double, max, double, double, "__nv_fmax")
__LANEWISE_YIELDING __LANEWISE_BOTH double min(float x, double y) {
    return min(static_cast<double>(x), y);
}
__LANEWISE_YIELDING __LANEWISE_BOTH double min(double x, float y) {
    return min(x, static_cast<double>(y));
}
__LANEWISE_YIELDING __LANEWISE_BOTH double max(float x, double y) {
    return max(static_cast<double>(x), y);
}
__LANEWISE_YIELDING __LANEWISE_BOTH double max(double x, float y) {
    return max(x, static_cast<double>(y));
}

__LANEWISE_2(unsigned, umin, unsigned, unsigned, "__nv_umin")
__LANEWISE_2(unsigned, umax, unsigned, unsigned, "__nv_umax")
__LANEWISE_2(long long, llmin, long long, long long, "__nv_llmin")
__LANEWISE_2(long long, llmax, long long, long long, "__nv_llmax")
__LANEWISE_2(unsigned long long, ullmin, unsigned long long, unsigned long long, "__nv_ullmin")
__LANEWISE_2(unsigned long long, ullmax, unsigned long long, unsigned long long, "__nv_ullmax")

__LANEWISE_1(int, abs, int, "__nv_abs")
__LANEWISE_1(long, abs, long, "__nv_llabs")
__LANEWISE_1(long long, abs, long long, "__nv_llabs")
__LANEWISE_1(float, abs, float, "__nv_fabsf")
__LANEWISE_1(double, abs, double, "__nv_fabs")
__LANEWISE_1(long, labs, long, "__nv_llabs")
__LANEWISE_1(long long, llabs, long long, "__nv_llabs")

#define __LANEWISE_CLASSIFY(NAME, SYMBOL, D)                  \
    __LANEWISE_1(int, __##NAME, double, "__nv_" SYMBOL #D)    \
    __LANEWISE_1(int, __##NAME##f, float, "__nv_" SYMBOL "f") \
    __LANEWISE_YIELDING __LANEWISE_BOTH bool NAME(double x) { \
        return __##NAME(x) != 0;                              \
    }                                                         \
    __LANEWISE_YIELDING __LANEWISE_BOTH bool NAME(float x) {  \
        return __##NAME##f(x) != 0;                           \
    }
__LANEWISE_CLASSIFY(isnan, "isnan", d)
__LANEWISE_CLASSIFY(isinf, "isinf", d)
__LANEWISE_CLASSIFY(signbit, "signbit", d)
#undef __LANEWISE_CLASSIFY
__LANEWISE_1(int, __finite, double, "__nv_isfinited")
__LANEWISE_1(int, __finitef, float, "__nv_finitef")
__LANEWISE_YIELDING __LANEWISE_BOTH bool isfinite(double x) {
    return __finite(x) != 0;
}
__LANEWISE_YIELDING __LANEWISE_BOTH bool isfinite(float x) {
    return __finitef(x) != 0;
}

// Comparisons that are false for NaN, and those that only ask for it.
#define __LANEWISE_COMPARE(NAME, EXPRESSION)                            \
    __LANEWISE_YIELDING __LANEWISE_BOTH bool NAME(float x, float y) {   \
        return EXPRESSION;                                              \
    }                                                                   \
    __LANEWISE_YIELDING __LANEWISE_BOTH bool NAME(double x, double y) { \
        return EXPRESSION;                                              \
    }
__LANEWISE_COMPARE(isgreater, x > y)
__LANEWISE_COMPARE(isgreaterequal, x >= y)
__LANEWISE_COMPARE(isless, x < y)
__LANEWISE_COMPARE(islessequal, x <= y)
__LANEWISE_COMPARE(islessgreater, x<y || x> y)
__LANEWISE_COMPARE(isunordered, isnan(x) || isnan(y))
#undef __LANEWISE_COMPARE

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
__LANEWISE_YIELDING __LANEWISE_BOTH bool isnormal(float x) {
    return isfinite(x) && fabs(x) >= __FLT_MIN__;
}
__LANEWISE_YIELDING __LANEWISE_BOTH bool isnormal(double x) {
    return isfinite(x) && fabs(x) >= __DBL_MIN__;
}
template <class T>
__LANEWISE_BOTH int __lanewise_classify(T x) {
    return isnan(x) ? FP_NAN : isinf(x) ? FP_INFINITE : x == 0 ? FP_ZERO : isnormal(x) ? FP_NORMAL : FP_SUBNORMAL;
}
__LANEWISE_YIELDING __LANEWISE_BOTH int fpclassify(float x) {
    return __lanewise_classify(x);
}
__LANEWISE_YIELDING __LANEWISE_BOTH int fpclassify(double x) {
    return __lanewise_classify(x);
}
