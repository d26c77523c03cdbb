// min, max, abs and the classification of floating-point numbers.
#pragma once

#define __LANEWISE_MIN_MAX(R, T, U, SUFFIX)                                       \
    __LANEWISE_PURE_BOTH R min(T, U) __asm__("__nv_" SUFFIX "min");               \
    __LANEWISE_PURE_BOTH R max(T, U) __asm__("__nv_" SUFFIX "max");
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
__LANEWISE_BOTH double min(float x, double y) { return min(static_cast<double>(x), y); }
__LANEWISE_BOTH double min(double x, float y) { return min(x, static_cast<double>(y)); }
__LANEWISE_BOTH double max(float x, double y) { return max(static_cast<double>(x), y); }
__LANEWISE_BOTH double max(double x, float y) { return max(x, static_cast<double>(y)); }

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

#define __LANEWISE_CLASSIFY(NAME, SYMBOL, D)                                  \
    __LANEWISE_1(int, __##NAME, double, "__nv_" SYMBOL #D)                    \
    __LANEWISE_1(int, __##NAME##f, float, "__nv_" SYMBOL "f")                 \
    __LANEWISE_BOTH bool NAME(double x) { return __##NAME(x) != 0; }          \
    __LANEWISE_BOTH bool NAME(float x) { return __##NAME##f(x) != 0; }
__LANEWISE_CLASSIFY(isnan, "isnan", d)
__LANEWISE_CLASSIFY(isinf, "isinf", d)
__LANEWISE_CLASSIFY(signbit, "signbit", d)
#undef __LANEWISE_CLASSIFY
__LANEWISE_1(int, __finite, double, "__nv_isfinited")
__LANEWISE_1(int, __isfinited, double, "__nv_isfinited")
__LANEWISE_1(int, __finitef, float, "__nv_finitef")
__LANEWISE_BOTH bool isfinite(double x) { return __finite(x) != 0; }
__LANEWISE_BOTH bool isfinite(float x) { return __finitef(x) != 0; }
