// The math functions: each is a declaration of the libdevice function that computes it.
#pragma once

// Under fast math, single precision takes the approximate form of some.
#if defined(__FAST_MATH__) || defined(__LANEWISE_FAST_MATH__) || __USE_FAST_MATH__
#define __LANEWISE_FAST(NAME) "__nv_fast_" #NAME
#define __LANEWISE_FAST_DIVIDE "__nv_fast_fdividef"
#else
#define __LANEWISE_FAST(NAME) "__nv_" #NAME
#define __LANEWISE_FAST_DIVIDE "__nv_fdiv_rn"
#endif

#define __LANEWISE_1(R, NAME, T, SYMBOL) __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R NAME(T) __asm__(SYMBOL);
#define __LANEWISE_2(R, NAME, T, U, SYMBOL) __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R NAME(T, U) __asm__(SYMBOL);
#define __LANEWISE_3(R, NAME, T, SYMBOL) __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R NAME(T, T, T) __asm__(SYMBOL);
#define __LANEWISE_4(R, NAME, T, SYMBOL) __LANEWISE_YIELDING __LANEWISE_PURE_BOTH R NAME(T, T, T, T) __asm__(SYMBOL);

// NAME(double), NAME(float) and NAMEf(float).
#define __LANEWISE_UNARY(NAME)                          \
    __LANEWISE_1(double, NAME, double, "__nv_" #NAME)   \
    __LANEWISE_1(float, NAME, float, "__nv_" #NAME "f") \
    __LANEWISE_1(float, NAME##f, float, "__nv_" #NAME "f")
#define __LANEWISE_UNARY_FAST(NAME)                            \
    __LANEWISE_1(double, NAME, double, "__nv_" #NAME)          \
    __LANEWISE_1(float, NAME, float, __LANEWISE_FAST(NAME##f)) \
    __LANEWISE_1(float, NAME##f, float, __LANEWISE_FAST(NAME##f))
#define __LANEWISE_BINARY(NAME)                                \
    __LANEWISE_2(double, NAME, double, double, "__nv_" #NAME)  \
    __LANEWISE_2(float, NAME, float, float, "__nv_" #NAME "f") \
    __LANEWISE_2(float, NAME##f, float, float, "__nv_" #NAME "f")
#define __LANEWISE_TO_INTEGER(R, NAME)              \
    __LANEWISE_1(R, NAME, double, "__nv_" #NAME)    \
    __LANEWISE_1(R, NAME, float, "__nv_" #NAME "f") \
    __LANEWISE_1(R, NAME##f, float, "__nv_" #NAME "f")
// long is as wide as long long.
#define __LANEWISE_TO_LONG(NAME)                        \
    __LANEWISE_1(long, NAME, double, "__nv_l" #NAME)    \
    __LANEWISE_1(long, NAME, float, "__nv_l" #NAME "f") \
    __LANEWISE_1(long, NAME##f, float, "__nv_l" #NAME "f")
#define __LANEWISE_WITH_INTEGER(NAME, SYMBOL)                  \
    __LANEWISE_2(double, NAME, double, int, "__nv_" #SYMBOL)   \
    __LANEWISE_2(float, NAME, float, int, "__nv_" #SYMBOL "f") \
    __LANEWISE_2(float, NAME##f, float, int, "__nv_" #SYMBOL "f")
#define __LANEWISE_BESSEL(NAME)                              \
    __LANEWISE_2(double, NAME, int, double, "__nv_" #NAME)   \
    __LANEWISE_2(float, NAME, int, float, "__nv_" #NAME "f") \
    __LANEWISE_2(float, NAME##f, int, float, "__nv_" #NAME "f")

__LANEWISE_UNARY(acos)
__LANEWISE_UNARY(acosh)
__LANEWISE_UNARY(asin)
__LANEWISE_UNARY(asinh)
__LANEWISE_UNARY(atan)
__LANEWISE_UNARY(atanh)
__LANEWISE_UNARY(cbrt)
__LANEWISE_UNARY(ceil)
__LANEWISE_UNARY_FAST(cos)
__LANEWISE_UNARY(cosh)
__LANEWISE_UNARY(cospi)
__LANEWISE_UNARY(cyl_bessel_i0)
__LANEWISE_UNARY(cyl_bessel_i1)
__LANEWISE_UNARY(erf)
__LANEWISE_UNARY(erfc)
__LANEWISE_UNARY(erfcinv)
__LANEWISE_UNARY(erfcx)
__LANEWISE_UNARY(erfinv)
__LANEWISE_UNARY_FAST(exp)
__LANEWISE_UNARY_FAST(exp10)
__LANEWISE_UNARY(exp2)
__LANEWISE_UNARY(expm1)
__LANEWISE_UNARY(fabs)
__LANEWISE_UNARY(floor)
__LANEWISE_UNARY(j0)
__LANEWISE_UNARY(j1)
__LANEWISE_UNARY(lgamma)
__LANEWISE_UNARY_FAST(log)
__LANEWISE_UNARY_FAST(log10)
__LANEWISE_UNARY(log1p)
__LANEWISE_UNARY_FAST(log2)
__LANEWISE_UNARY(logb)
__LANEWISE_UNARY(nearbyint)
__LANEWISE_UNARY(normcdf)
__LANEWISE_UNARY(normcdfinv)
__LANEWISE_UNARY(rcbrt)
__LANEWISE_UNARY(rint)
__LANEWISE_UNARY(round)
__LANEWISE_UNARY(rsqrt)
__LANEWISE_UNARY_FAST(sin)
__LANEWISE_UNARY(sinh)
__LANEWISE_UNARY(sinpi)
__LANEWISE_UNARY(sqrt)
__LANEWISE_UNARY_FAST(tan)
__LANEWISE_UNARY_FAST(tanh)
__LANEWISE_UNARY(tgamma)
__LANEWISE_UNARY(trunc)
__LANEWISE_UNARY(y0)
__LANEWISE_UNARY(y1)

__LANEWISE_BINARY(atan2)
__LANEWISE_BINARY(copysign)
__LANEWISE_BINARY(fdim)
__LANEWISE_BINARY(fmax)
__LANEWISE_BINARY(fmin)
__LANEWISE_BINARY(fmod)
__LANEWISE_BINARY(hypot)
__LANEWISE_BINARY(nextafter)
__LANEWISE_BINARY(remainder)
__LANEWISE_2(double, rhypot, double, double, "__nv_rhypot")
__LANEWISE_2(float, rhypotf, float, float, "__nv_rhypotf")
__LANEWISE_2(double, pow, double, double, "__nv_pow")
__LANEWISE_2(float, pow, float, float, __LANEWISE_FAST(powf))
__LANEWISE_2(float, powf, float, float, __LANEWISE_FAST(powf))

__LANEWISE_3(double, fma, double, "__nv_fma")
__LANEWISE_3(float, fma, float, "__nv_fmaf")
__LANEWISE_3(float, fmaf, float, "__nv_fmaf")
__LANEWISE_3(double, norm3d, double, "__nv_norm3d")
__LANEWISE_3(float, norm3df, float, "__nv_norm3df")
__LANEWISE_3(double, rnorm3d, double, "__nv_rnorm3d")
__LANEWISE_3(float, rnorm3df, float, "__nv_rnorm3df")
__LANEWISE_4(double, norm4d, double, "__nv_norm4d")
__LANEWISE_4(float, norm4df, float, "__nv_norm4df")
__LANEWISE_4(double, rnorm4d, double, "__nv_rnorm4d")
__LANEWISE_4(float, rnorm4df, float, "__nv_rnorm4df")

__LANEWISE_TO_INTEGER(int, ilogb)
__LANEWISE_TO_INTEGER(long long, llrint)
__LANEWISE_TO_INTEGER(long long, llround)
__LANEWISE_TO_LONG(lrint)
__LANEWISE_TO_LONG(lround)

__LANEWISE_WITH_INTEGER(ldexp, ldexp)
__LANEWISE_WITH_INTEGER(scalbn, scalbn)
__LANEWISE_BESSEL(jn)
__LANEWISE_BESSEL(yn)

// Functions with several results: the second and later ones through pointers.
#define __LANEWISE_SPLIT(NAME, P, P_FLOAT)                                                             \
    __LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH double NAME(double, P*) __asm__("__nv_" #NAME);         \
    __LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float NAME(float, P_FLOAT*) __asm__("__nv_" #NAME "f"); \
    __LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float NAME##f(float, P_FLOAT*) __asm__("__nv_" #NAME "f");
__LANEWISE_SPLIT(frexp, int, int)
__LANEWISE_SPLIT(modf, double, float)
#undef __LANEWISE_SPLIT

__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH double remquo(double, double, int*) __asm__("__nv_remquo");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float remquo(float, float, int*) __asm__("__nv_remquof");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float remquof(float, float, int*) __asm__("__nv_remquof");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincos(double, double*, double*) __asm__("__nv_sincos");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincos(float, float*, float*) __asm__(__LANEWISE_FAST(sincosf));
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincosf(float, float*, float*) __asm__(__LANEWISE_FAST(sincosf));
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincospi(double, double*, double*) __asm__("__nv_sincospi");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincospi(float, float*, float*) __asm__("__nv_sincospif");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH void sincospif(float, float*, float*) __asm__("__nv_sincospif");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH double norm(int, const double*) __asm__("__nv_norm");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float normf(int, const float*) __asm__("__nv_normf");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH double rnorm(int, const double*) __asm__("__nv_rnorm");
__LANEWISE_YIELDING __LANEWISE_EXTERN_BOTH float rnormf(int, const float*) __asm__("__nv_rnormf");

// Exponents past int's range give what its ends give: 0, infinity, or the number itself.
__LANEWISE_BOTH int __lanewise_exponent(long n) {
    return n > 100000 ? 100000 : n < -100000 ? -100000 : static_cast<int>(n);
}
__LANEWISE_YIELDING __LANEWISE_BOTH double scalbln(double x, long n) {
    return scalbn(x, __lanewise_exponent(n));
}
__LANEWISE_YIELDING __LANEWISE_BOTH float scalbln(float x, long n) {
    return scalbn(x, __lanewise_exponent(n));
}
__LANEWISE_YIELDING __LANEWISE_BOTH float scalblnf(float x, long n) {
    return scalbn(x, __lanewise_exponent(n));
}

__LANEWISE_YIELDING __LANEWISE_BOTH double nan(const char*) {
    return __builtin_nan("");
}
__LANEWISE_YIELDING __LANEWISE_BOTH float nanf(const char*) {
    return __builtin_nanf("");
}

// The approximations that have names of their own.
#define __LANEWISE_APPROXIMATE(NAME) __LANEWISE_PURE float __##NAME(float) __asm__("__nv_fast_" #NAME);
__LANEWISE_APPROXIMATE(cosf)
__LANEWISE_APPROXIMATE(exp10f)
__LANEWISE_APPROXIMATE(expf)
__LANEWISE_APPROXIMATE(log10f)
__LANEWISE_APPROXIMATE(log2f)
__LANEWISE_APPROXIMATE(logf)
__LANEWISE_APPROXIMATE(sinf)
__LANEWISE_APPROXIMATE(tanf)
__LANEWISE_APPROXIMATE(tanhf)
#undef __LANEWISE_APPROXIMATE
__LANEWISE_PURE float __powf(float, float) __asm__("__nv_fast_powf");
__LANEWISE_PURE float __fdividef(float, float) __asm__("__nv_fast_fdividef");
__LANEWISE_YIELDING __LANEWISE_PURE float fdividef(float, float) __asm__(__LANEWISE_FAST_DIVIDE);
__LANEWISE_PURE float __saturatef(float) __asm__("__nv_saturatef");
__LANEWISE_EXTERN void __sincosf(float, float*, float*) __asm__("__nv_fast_sincosf");
