// The functions and operators of a floating-point type of 16 bits and its pair. Included once for each format, with the
// macros of short_float_class.h and __LANEWISE_H_VALUE, the type it computes in.

typedef __LANEWISE_H_VALUE __LANEWISE_H_PAIR __attribute__((ext_vector_type(2)));

// The numbers to compute with, and back, with one rounding.
__LANEWISE_BOTH __LANEWISE_H_VALUE __lanewise_value(__LANEWISE_H x) {
    return __LANEWISE_H_LOAD(static_cast<__LANEWISE_H_RAW>(x).x);
}
__LANEWISE_BOTH __LANEWISE_H __lanewise_round(__LANEWISE_H_VALUE x, __LANEWISE_H) {
    return __LANEWISE_H_RAW{__LANEWISE_H_STORE(x)};
}
#ifdef __LANEWISE_H_IS_NATIVE
__LANEWISE_BOTH __LANEWISE_H_PAIR __lanewise_value(__LANEWISE_H2 v) {
    return __builtin_bit_cast(__LANEWISE_H_PAIR, v);
}
__LANEWISE_BOTH __LANEWISE_H2 __lanewise_round(__LANEWISE_H_PAIR v, __LANEWISE_H2) {
    return __builtin_bit_cast(__LANEWISE_H2, v);
}
#else
__LANEWISE_BOTH __LANEWISE_H_PAIR __lanewise_value(__LANEWISE_H2 v) {
    return {__lanewise_value(v.x), __lanewise_value(v.y)};
}
__LANEWISE_BOTH __LANEWISE_H2 __lanewise_round(__LANEWISE_H_PAIR v, __LANEWISE_H2) {
    return {__lanewise_round(v.x, __LANEWISE_H()), __lanewise_round(v.y, __LANEWISE_H())};
}
#endif
__LANEWISE_BOTH __LANEWISE_H __lanewise_saturated(__LANEWISE_H x) {
    const float value = x;
    return value > 0 ? (value < 1 ? x : __LANEWISE_H(1.0f)) : __LANEWISE_H(0.0f);
}
__LANEWISE_BOTH __LANEWISE_H2 __lanewise_saturated(__LANEWISE_H2 v) {
    return {__lanewise_saturated(v.x), __lanewise_saturated(v.y)};
}
__LANEWISE_BOTH __LANEWISE_H __lanewise_rectified(__LANEWISE_H x) {
    const float value = x;
    return value == value ? (value > 0 ? x : __LANEWISE_H(0.0f)) : __LANEWISE_H(__LANEWISE_H_RAW{0x7fff});
}
__LANEWISE_BOTH __LANEWISE_H2 __lanewise_rectified(__LANEWISE_H2 v) {
    return {__lanewise_rectified(v.x), __lanewise_rectified(v.y)};
}

// Arithmetic: contracted as other arithmetic is, but for the names that end in _rn.
#define __LANEWISE_H_ARITHMETIC(T, NAME, NAME_SAT, NAME_RN, OPERATOR)                                               \
    __LANEWISE_BOTH T NAME(T x, T y) {                                                                              \
        return __lanewise_round(__lanewise_value(x) OPERATOR __lanewise_value(y), T());                             \
    }                                                                                                               \
    __LANEWISE_BOTH T NAME_SAT(T x, T y) {                                                                          \
        return __lanewise_saturated(NAME(x, y));                                                                    \
    }                                                                                                               \
    __LANEWISE_BOTH T NAME_RN(T x, T y) {                                                                           \
        _Pragma("clang fp contract(off)") return __lanewise_round(__lanewise_value(x) OPERATOR __lanewise_value(y), \
                                                                  T());                                             \
    }                                                                                                               \
    __LANEWISE_BOTH T operator OPERATOR(const T& x, const T& y) {                                                   \
        return NAME(x, y);                                                                                          \
    }                                                                                                               \
    __LANEWISE_BOTH T& operator OPERATOR##=(T & x, const T & y) {                                                   \
        return x = NAME(x, y);                                                                                      \
    }
__LANEWISE_H_ARITHMETIC(__LANEWISE_H, __hadd, __hadd_sat, __hadd_rn, +)
__LANEWISE_H_ARITHMETIC(__LANEWISE_H, __hsub, __hsub_sat, __hsub_rn, -)
__LANEWISE_H_ARITHMETIC(__LANEWISE_H, __hmul, __hmul_sat, __hmul_rn, *)
__LANEWISE_H_ARITHMETIC(__LANEWISE_H2, __hadd2, __hadd2_sat, __hadd2_rn, +)
__LANEWISE_H_ARITHMETIC(__LANEWISE_H2, __hsub2, __hsub2_sat, __hsub2_rn, -)
__LANEWISE_H_ARITHMETIC(__LANEWISE_H2, __hmul2, __hmul2_sat, __hmul2_rn, *)
#undef __LANEWISE_H_ARITHMETIC

#define __LANEWISE_H_MORE(T, DIV, FMA, NEG, ABS)                                                            \
    __LANEWISE_BOTH T DIV(T x, T y) {                                                                       \
        return __lanewise_round(__lanewise_value(x) / __lanewise_value(y), T());                            \
    }                                                                                                       \
    __LANEWISE_BOTH T operator/(const T& x, const T& y) {                                                   \
        return DIV(x, y);                                                                                   \
    }                                                                                                       \
    __LANEWISE_BOTH T& operator/=(T& x, const T& y) {                                                       \
        return x = DIV(x, y);                                                                               \
    }                                                                                                       \
    __LANEWISE_BOTH T FMA(T x, T y, T z) {                                                                  \
        return __lanewise_round(                                                                            \
            __builtin_elementwise_fma(__lanewise_value(x), __lanewise_value(y), __lanewise_value(z)), T()); \
    }                                                                                                       \
    __LANEWISE_BOTH T FMA##_sat(T x, T y, T z) {                                                            \
        return __lanewise_saturated(FMA(x, y, z));                                                          \
    }                                                                                                       \
    __LANEWISE_BOTH T FMA##_relu(T x, T y, T z) {                                                           \
        return __lanewise_rectified(FMA(x, y, z));                                                          \
    }                                                                                                       \
    __LANEWISE_BOTH T NEG(T x) {                                                                            \
        return __lanewise_round(-__lanewise_value(x), T());                                                 \
    }                                                                                                       \
    __LANEWISE_BOTH T ABS(T x) {                                                                            \
        return __lanewise_round(__builtin_elementwise_abs(__lanewise_value(x)), T());                       \
    }                                                                                                       \
    __LANEWISE_BOTH T operator+(const T& x) {                                                               \
        return x;                                                                                           \
    }                                                                                                       \
    __LANEWISE_BOTH T operator-(const T& x) {                                                               \
        return NEG(x);                                                                                      \
    }
__LANEWISE_H_MORE(__LANEWISE_H, __hdiv, __hfma, __hneg, __habs)
__LANEWISE_H_MORE(__LANEWISE_H2, __h2div, __hfma2, __hneg2, __habs2)
#undef __LANEWISE_H_MORE

#define __LANEWISE_H_STEP(T, ONE)             \
    __LANEWISE_BOTH T& operator++(T& x) {     \
        return x = x + ONE;                   \
    }                                         \
    __LANEWISE_BOTH T& operator--(T& x) {     \
        return x = x - ONE;                   \
    }                                         \
    __LANEWISE_BOTH T operator++(T& x, int) { \
        const T before = x;                   \
        ++x;                                  \
        return before;                        \
    }                                         \
    __LANEWISE_BOTH T operator--(T& x, int) { \
        const T before = x;                   \
        --x;                                  \
        return before;                        \
    }
__LANEWISE_H_STEP(__LANEWISE_H, __LANEWISE_H(1.0f))
__LANEWISE_H_STEP(__LANEWISE_H2, __LANEWISE_H2(__LANEWISE_H(1.0f), __LANEWISE_H(1.0f)))
#undef __LANEWISE_H_STEP

/// a * b + c of complex numbers.
__LANEWISE_BOTH __LANEWISE_H2 __hcmadd(__LANEWISE_H2 a, __LANEWISE_H2 b, __LANEWISE_H2 c) {
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// Comparisons: false where a number is NaN; those with u: true there.
#define __LANEWISE_H_COMPARE(NAME, OPERATOR, ORDERED)                                      \
    __LANEWISE_BOTH bool __h##NAME(__LANEWISE_H a, __LANEWISE_H b) {                       \
        const float x = a, y = b;                                                          \
        return ORDERED;                                                                    \
    }                                                                                      \
    __LANEWISE_BOTH bool __h##NAME##u(__LANEWISE_H a, __LANEWISE_H b) {                    \
        const float x = a, y = b;                                                          \
        return x != x || y != y || ORDERED;                                                \
    }                                                                                      \
    __LANEWISE_H_COMPARE_2(NAME)                                                           \
    __LANEWISE_H_COMPARE_2(NAME##u)                                                        \
    __LANEWISE_BOTH bool operator OPERATOR(const __LANEWISE_H& a, const __LANEWISE_H& b) { \
        const float x = a, y = b;                                                          \
        return x OPERATOR y;                                                               \
    }
#define __LANEWISE_H_COMPARE_2(NAME)                                                                               \
    __LANEWISE_BOTH __LANEWISE_H2 __h##NAME##2(__LANEWISE_H2 a, __LANEWISE_H2 b) {                                 \
        return {__LANEWISE_H(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), __LANEWISE_H(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)}; \
    }                                                                                                              \
    __LANEWISE_BOTH unsigned __h##NAME##2_mask(__LANEWISE_H2 a, __LANEWISE_H2 b) {                                 \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);                    \
    }                                                                                                              \
    __LANEWISE_BOTH bool __hb##NAME##2(__LANEWISE_H2 a, __LANEWISE_H2 b) {                                         \
        return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                                         \
    }
__LANEWISE_H_COMPARE(eq, ==, x == y)
__LANEWISE_H_COMPARE(ne, !=, (x < y || x > y))
__LANEWISE_H_COMPARE(lt, <, x < y)
__LANEWISE_H_COMPARE(le, <=, x <= y)
__LANEWISE_H_COMPARE(gt, >, x > y)
__LANEWISE_H_COMPARE(ge, >=, x >= y)
#undef __LANEWISE_H_COMPARE
#undef __LANEWISE_H_COMPARE_2
// Pairs: whether both elements compare so.
__LANEWISE_BOTH bool operator==(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hbeq2(a, b);
}
__LANEWISE_BOTH bool operator!=(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hbneu2(a, b);
}
__LANEWISE_BOTH bool operator<(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hblt2(a, b);
}
__LANEWISE_BOTH bool operator<=(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hble2(a, b);
}
__LANEWISE_BOTH bool operator>(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hbgt2(a, b);
}
__LANEWISE_BOTH bool operator>=(const __LANEWISE_H2& a, const __LANEWISE_H2& b) {
    return __hbge2(a, b);
}

__LANEWISE_BOTH bool __hisnan(__LANEWISE_H x) {
    return (static_cast<__LANEWISE_H_RAW>(x).x & 0x7fff) > __LANEWISE_H_INFINITY;
}
__LANEWISE_BOTH __LANEWISE_H2 __hisnan2(__LANEWISE_H2 v) {
    return {__LANEWISE_H(__hisnan(v.x) ? 1.0f : 0.0f), __LANEWISE_H(__hisnan(v.y) ? 1.0f : 0.0f)};
}

// The smaller and the larger: a number rather than NaN, and -0 below +0; NaN wins in the names that end in _nan.
#define __LANEWISE_H_EXTREME(NAME, PREFERS_FIRST)                                                     \
    __LANEWISE_BOTH __LANEWISE_H __h##NAME(__LANEWISE_H a, __LANEWISE_H b) {                          \
        const float x = a, y = b;                                                                     \
        const bool negative = static_cast<__LANEWISE_H_RAW>(a).x >> 15;                               \
        if (__hisnan(a)) return __hisnan(b) ? __LANEWISE_H(__LANEWISE_H_RAW{0x7fff}) : b;             \
        return __hisnan(b) || (PREFERS_FIRST) ? a : b;                                                \
    }                                                                                                 \
    __LANEWISE_BOTH __LANEWISE_H __h##NAME##_nan(__LANEWISE_H a, __LANEWISE_H b) {                    \
        return __hisnan(a) || __hisnan(b) ? __LANEWISE_H(__LANEWISE_H_RAW{0x7fff}) : __h##NAME(a, b); \
    }                                                                                                 \
    __LANEWISE_BOTH __LANEWISE_H2 __h##NAME##2(__LANEWISE_H2 a, __LANEWISE_H2 b) {                    \
        return {__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)};                                            \
    }                                                                                                 \
    __LANEWISE_BOTH __LANEWISE_H2 __h##NAME##2_nan(__LANEWISE_H2 a, __LANEWISE_H2 b) {                \
        return {__h##NAME##_nan(a.x, b.x), __h##NAME##_nan(a.y, b.y)};                                \
    }
__LANEWISE_H_EXTREME(min, x < y || (x == y && negative))
__LANEWISE_H_EXTREME(max, x > y || (x == y && !negative))
#undef __LANEWISE_H_EXTREME

// Math: computed in single precision.
#define __LANEWISE_H_MATH(NAME, EXPRESSION)                      \
    __LANEWISE_DEVICE __LANEWISE_H h##NAME(__LANEWISE_H value) { \
        const float x = value;                                   \
        return __LANEWISE_H(static_cast<float>(EXPRESSION));     \
    }                                                            \
    __LANEWISE_DEVICE __LANEWISE_H2 h2##NAME(__LANEWISE_H2 v) {  \
        return {h##NAME(v.x), h##NAME(v.y)};                     \
    }
__LANEWISE_H_MATH(ceil, ceilf(x))
__LANEWISE_H_MATH(cos, cosf(x))
__LANEWISE_H_MATH(exp, expf(x))
__LANEWISE_H_MATH(exp10, exp10f(x))
__LANEWISE_H_MATH(exp2, exp2f(x))
__LANEWISE_H_MATH(floor, floorf(x))
__LANEWISE_H_MATH(log, logf(x))
__LANEWISE_H_MATH(log10, log10f(x))
__LANEWISE_H_MATH(log2, log2f(x))
__LANEWISE_H_MATH(rcp, 1.0f / x)
__LANEWISE_H_MATH(rint, rintf(x))
__LANEWISE_H_MATH(rsqrt, rsqrtf(x))
__LANEWISE_H_MATH(sin, sinf(x))
__LANEWISE_H_MATH(sqrt, sqrtf(x))
__LANEWISE_H_MATH(tanh, tanhf(x))
__LANEWISE_H_MATH(tanh_approx, __tanhf(x))
__LANEWISE_H_MATH(trunc, truncf(x))
#undef __LANEWISE_H_MATH

// Warp shuffles: as the bits of an integer.
#define __LANEWISE_H_SHUFFLE(T, RAW, BITS, NAME, LANE)                                                              \
    __LANEWISE_DEVICE T NAME(unsigned mask, T value, LANE lane, int width = 32) {                                   \
        return __builtin_bit_cast(                                                                                  \
            T, static_cast<BITS>(NAME(mask, static_cast<unsigned>(__builtin_bit_cast(BITS, value)), lane, width))); \
    }
#define __LANEWISE_H_SHUFFLES(T, RAW, BITS)                        \
    __LANEWISE_H_SHUFFLE(T, RAW, BITS, __shfl_sync, int)           \
    __LANEWISE_H_SHUFFLE(T, RAW, BITS, __shfl_up_sync, unsigned)   \
    __LANEWISE_H_SHUFFLE(T, RAW, BITS, __shfl_down_sync, unsigned) \
    __LANEWISE_H_SHUFFLE(T, RAW, BITS, __shfl_xor_sync, int)
__LANEWISE_H_SHUFFLES(__LANEWISE_H, __LANEWISE_H_RAW, unsigned short)
__LANEWISE_H_SHUFFLES(__LANEWISE_H2, __LANEWISE_H2_RAW, unsigned)
#undef __LANEWISE_H_SHUFFLE
#undef __LANEWISE_H_SHUFFLES

/// Compare and swap until nothing came between.
__LANEWISE_DEVICE __LANEWISE_H atomicAdd(__LANEWISE_H* address, __LANEWISE_H value) {
    unsigned short* bits = reinterpret_cast<unsigned short*>(address);
    unsigned short old = *static_cast<volatile unsigned short*>(bits);
    for (;;) {
        const __LANEWISE_H sum = __hadd(__LANEWISE_H(__LANEWISE_H_RAW{old}), value);
        const unsigned short seen = atomicCAS(bits, old, static_cast<__LANEWISE_H_RAW>(sum).x);
        if (seen == old) return __LANEWISE_H_RAW{old};
        old = seen;
    }
}
/// One addition for each element.
__LANEWISE_DEVICE __LANEWISE_H2 atomicAdd(__LANEWISE_H2* address, __LANEWISE_H2 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
