// Each function of the math API with each of its overloads has the type that nvcc gives it.
#include "same.h"

#define UNARY(NAME)                    \
    SAME(NAME(of<float>()), float);    \
    SAME(NAME(of<double>()), double);  \
    SAME(NAME##f(of<float>()), float); \
    SAME(NAME##f(of<double>()), float);
#define UNARY_STD(NAME)                  \
    UNARY(NAME)                          \
    SAME(NAME(of<int>()), double);       \
    SAME(NAME(of<unsigned>()), double);  \
    SAME(NAME(of<long long>()), double); \
    SAME(NAME(of<char>()), double);      \
    SAME(NAME(of<bool>()), double);
#define BINARY(NAME)                                \
    SAME(NAME(of<float>(), of<float>()), float);    \
    SAME(NAME(of<double>(), of<double>()), double); \
    SAME(NAME##f(of<float>(), of<float>()), float);
#define BINARY_STD(NAME)                           \
    BINARY(NAME)                                   \
    SAME(NAME(of<float>(), of<double>()), double); \
    SAME(NAME(of<double>(), of<float>()), double); \
    SAME(NAME(of<int>(), of<int>()), double);      \
    SAME(NAME(of<int>(), of<float>()), double);    \
    SAME(NAME(of<float>(), of<int>()), double);    \
    SAME(NAME(of<double>(), of<int>()), double);   \
    SAME(NAME(of<unsigned long long>(), of<double>()), double);

UNARY_STD(acos)
UNARY_STD(acosh)
UNARY_STD(asin)
UNARY_STD(asinh)
UNARY_STD(atan)
UNARY_STD(atanh)
UNARY_STD(cbrt)
UNARY_STD(ceil)
UNARY_STD(cos)
UNARY_STD(cosh)
UNARY_STD(erf)
UNARY_STD(erfc)
UNARY_STD(exp)
UNARY_STD(exp2)
UNARY_STD(expm1)
UNARY_STD(fabs)
UNARY_STD(floor)
UNARY_STD(lgamma)
UNARY_STD(log)
UNARY_STD(log10)
UNARY_STD(log1p)
UNARY_STD(log2)
UNARY_STD(logb)
UNARY_STD(nearbyint)
UNARY_STD(rint)
UNARY_STD(round)
UNARY_STD(sin)
UNARY_STD(sinh)
UNARY_STD(sqrt)
UNARY_STD(tan)
UNARY_STD(tanh)
UNARY_STD(tgamma)
UNARY_STD(trunc)
UNARY(cospi)
UNARY(cyl_bessel_i0)
UNARY(cyl_bessel_i1)
UNARY(erfcinv)
UNARY(erfcx)
UNARY(erfinv)
UNARY(exp10)
UNARY(j0)
UNARY(j1)
UNARY(normcdf)
UNARY(normcdfinv)
UNARY(rcbrt)
UNARY(rsqrt)
UNARY(sinpi)
UNARY(y0)
UNARY(y1)

BINARY_STD(atan2)
BINARY_STD(copysign)
BINARY_STD(fdim)
BINARY_STD(fmax)
BINARY_STD(fmin)
BINARY_STD(fmod)
BINARY_STD(hypot)
BINARY_STD(nextafter)
BINARY_STD(pow)
BINARY_STD(remainder)
SAME(rhypot(of<float>(), of<float>()), double);
SAME(rhypotf(of<float>(), of<float>()), float);

SAME(fma(of<float>(), of<float>(), of<float>()), float);
SAME(fma(of<double>(), of<double>(), of<double>()), double);
SAME(fma(of<float>(), of<double>(), of<int>()), double);
SAME(fma(of<int>(), of<int>(), of<int>()), double);
SAME(fma(of<float>(), of<float>(), of<int>()), double);
SAME(fmaf(of<float>(), of<float>(), of<float>()), float);

#define TO(R, NAME)              \
    SAME(NAME(of<float>()), R);  \
    SAME(NAME(of<double>()), R); \
    SAME(NAME(of<int>()), R);    \
    SAME(NAME##f(of<float>()), R);
TO(int, ilogb)
TO(long, lrint)
TO(long, lround)
TO(long long, llrint)
TO(long long, llround)

#define WITH(T, NAME)                          \
    SAME(NAME(of<float>(), of<T>()), float);   \
    SAME(NAME(of<double>(), of<T>()), double); \
    SAME(NAME(of<int>(), of<T>()), double);    \
    SAME(NAME##f(of<float>(), of<T>()), float);
WITH(int, ldexp)
WITH(int, scalbn)
WITH(long, scalbln)
WITH(int*, frexp)

SAME(modf(of<float>(), of<float*>()), float);
SAME(modf(of<double>(), of<double*>()), double);
SAME(modff(of<float>(), of<float*>()), float);
SAME(remquo(of<float>(), of<float>(), of<int*>()), float);
SAME(remquo(of<double>(), of<double>(), of<int*>()), double);
SAME(remquo(of<int>(), of<double>(), of<int*>()), double);
SAME(remquof(of<float>(), of<float>(), of<int*>()), float);
SAME(sincos(of<float>(), of<float*>(), of<float*>()), void);
SAME(sincos(of<double>(), of<double*>(), of<double*>()), void);
SAME(sincosf(of<float>(), of<float*>(), of<float*>()), void);
SAME(sincospi(of<float>(), of<float*>(), of<float*>()), void);
SAME(sincospi(of<double>(), of<double*>(), of<double*>()), void);
SAME(sincospif(of<float>(), of<float*>(), of<float*>()), void);
SAME(jn(of<int>(), of<float>()), float);
SAME(jn(of<int>(), of<double>()), double);
SAME(jnf(of<int>(), of<float>()), float);
SAME(yn(of<int>(), of<float>()), float);
SAME(yn(of<int>(), of<double>()), double);
SAME(ynf(of<int>(), of<float>()), float);
SAME(norm3d(of<double>(), of<double>(), of<double>()), double);
SAME(norm3df(of<float>(), of<float>(), of<float>()), float);
SAME(rnorm3d(of<double>(), of<double>(), of<double>()), double);
SAME(rnorm3df(of<float>(), of<float>(), of<float>()), float);
SAME(norm4d(of<double>(), of<double>(), of<double>(), of<double>()), double);
SAME(norm4df(of<float>(), of<float>(), of<float>(), of<float>()), float);
SAME(rnorm4d(of<double>(), of<double>(), of<double>(), of<double>()), double);
SAME(rnorm4df(of<float>(), of<float>(), of<float>(), of<float>()), float);
SAME(norm(of<int>(), of<const double*>()), double);
SAME(normf(of<int>(), of<const float*>()), float);
SAME(rnorm(of<int>(), of<const double*>()), double);
SAME(rnormf(of<int>(), of<const float*>()), float);
SAME(nan(""), double);
SAME(nanf(""), float);

SAME(abs(of<int>()), int);
SAME(abs(of<long>()), long);
SAME(abs(of<long long>()), long long);
SAME(abs(of<float>()), float);
SAME(abs(of<double>()), double);
SAME(abs(of<char>()), int);
SAME(abs(of<short>()), int);
SAME(labs(of<long>()), long);
SAME(llabs(of<long long>()), long long);

#define MIN_MAX(T, U, R)            \
    SAME(min(of<T>(), of<U>()), R); \
    SAME(max(of<T>(), of<U>()), R);
MIN_MAX(int, int, int)
MIN_MAX(unsigned, unsigned, unsigned)
MIN_MAX(int, unsigned, unsigned)
MIN_MAX(unsigned, int, unsigned)
MIN_MAX(long, long, long)
MIN_MAX(unsigned long, unsigned long, unsigned long)
MIN_MAX(long, unsigned long, unsigned long)
MIN_MAX(unsigned long, long, unsigned long)
MIN_MAX(long long, long long, long long)
MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
MIN_MAX(long long, unsigned long long, unsigned long long)
MIN_MAX(unsigned long long, long long, unsigned long long)
MIN_MAX(float, float, float)
MIN_MAX(double, double, double)
MIN_MAX(float, double, double)
MIN_MAX(double, float, double)
MIN_MAX(short, short, int)
MIN_MAX(unsigned char, unsigned char, int)
MIN_MAX(char, int, int)
SAME(umin(1u, 2u), unsigned);
SAME(umax(1u, 2u), unsigned);
SAME(llmin(1ll, 2ll), long long);
SAME(llmax(1ll, 2ll), long long);
SAME(ullmin(1ull, 2ull), unsigned long long);
SAME(ullmax(1ull, 2ull), unsigned long long);

#define CLASSIFY(NAME)              \
    SAME(NAME(of<float>()), bool);  \
    SAME(NAME(of<double>()), bool); \
    SAME(NAME(of<int>()), bool);
CLASSIFY(isnan)
CLASSIFY(isinf)
CLASSIFY(isfinite)
CLASSIFY(signbit)
