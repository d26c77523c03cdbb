// The conversions of a floating-point type of 16 bits and its pair. Included once for each format, with the macros of
// short_float_class.h and __LANEWISE_H_NAME, the word that the functions' names have for the format.

#define __LANEWISE_PASTE(A, B, C) A##B##C
#define __LANEWISE_PASTED(A, B, C) __LANEWISE_PASTE(A, B, C)
#define __LANEWISE_TO_H(PREFIX, SUFFIX) __LANEWISE_PASTED(PREFIX, __LANEWISE_H_NAME, SUFFIX)
#define __LANEWISE_FROM_H(SUFFIX) __LANEWISE_PASTED(__, __LANEWISE_H_NAME, SUFFIX)

__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__float2, )(float x) {
    return x;
}
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__float2, _rn)(float x) {
    return x;
}
#define __LANEWISE_H_DIRECTED(MODE, DIRECTION)                                                      \
    __LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__float2, MODE)(float x) {                         \
        const __LANEWISE_H nearest(x);                                                              \
        return __LANEWISE_H_RAW{                                                                    \
            __lanewise_neighbour(static_cast<__LANEWISE_H_RAW>(nearest).x, nearest, x, DIRECTION)}; \
    }
__LANEWISE_H_DIRECTED(_rz, 'z')
__LANEWISE_H_DIRECTED(_ru, 'u')
__LANEWISE_H_DIRECTED(_rd, 'd')
#undef __LANEWISE_H_DIRECTED
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__double2, )(double x) {
    return x;
}
__LANEWISE_BOTH float __LANEWISE_FROM_H(2float)(__LANEWISE_H x) {
    return x;
}

// From integers, and to them.
#define __LANEWISE_H_INTEGER_MODE(WORD, T, WIDE, MODE)                             \
    __LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__##WORD##2, MODE)(T x) {         \
        return __LANEWISE_TO_H(__float2, MODE)(__LANEWISE_H_FROM_INTEGER(x));      \
    }                                                                              \
    __LANEWISE_BOTH T __LANEWISE_FROM_H(2##WORD##MODE)(__LANEWISE_H x) {           \
        return __lanewise_clamped<T>(__float2##WIDE##MODE(static_cast<float>(x))); \
    }
#define __LANEWISE_H_INTEGER(WORD, T, WIDE)       \
    __LANEWISE_H_INTEGER_MODE(WORD, T, WIDE, _rn) \
    __LANEWISE_H_INTEGER_MODE(WORD, T, WIDE, _rz) \
    __LANEWISE_H_INTEGER_MODE(WORD, T, WIDE, _ru) \
    __LANEWISE_H_INTEGER_MODE(WORD, T, WIDE, _rd)
__LANEWISE_H_INTEGER(short, short, int)
__LANEWISE_H_INTEGER(ushort, unsigned short, int)
__LANEWISE_H_INTEGER(int, int, int)
__LANEWISE_H_INTEGER(uint, unsigned, uint)
__LANEWISE_H_INTEGER(ll, long long, ll)
__LANEWISE_H_INTEGER(ull, unsigned long long, ull)
#undef __LANEWISE_H_INTEGER
#undef __LANEWISE_H_INTEGER_MODE
__LANEWISE_BOTH signed char __LANEWISE_FROM_H(2char_rz)(__LANEWISE_H x) {
    return x;
}
__LANEWISE_BOTH unsigned char __LANEWISE_FROM_H(2uchar_rz)(__LANEWISE_H x) {
    return x;
}

// As bits.
__LANEWISE_BOTH short __LANEWISE_FROM_H(_as_short)(__LANEWISE_H x) {
    return __builtin_bit_cast(short, x);
}
__LANEWISE_BOTH unsigned short __LANEWISE_FROM_H(_as_ushort)(__LANEWISE_H x) {
    return __builtin_bit_cast(unsigned short, x);
}
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__short_as_, )(short x) {
    return __builtin_bit_cast(__LANEWISE_H, x);
}
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__ushort_as_, )(unsigned short x) {
    return __builtin_bit_cast(__LANEWISE_H, x);
}

// Pairs.
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(make_, 2)(__LANEWISE_H x, __LANEWISE_H y) {
    return {x, y};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__halves2, 2)(__LANEWISE_H x, __LANEWISE_H y) {
    return {x, y};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__float2, 2_rn)(float x) {
    return {x, x};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__floats2, 2_rn)(float x, float y) {
    return {x, y};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__float22, 2_rn)(float2 v) {
    return {v.x, v.y};
}
__LANEWISE_BOTH float2 __LANEWISE_FROM_H(22float2)(__LANEWISE_H2 v) {
    return {v.x, v.y};
}
__LANEWISE_BOTH float __low2float(__LANEWISE_H2 v) {
    return v.x;
}
__LANEWISE_BOTH float __high2float(__LANEWISE_H2 v) {
    return v.y;
}
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__low2, )(__LANEWISE_H2 v) {
    return v.x;
}
__LANEWISE_BOTH __LANEWISE_H __LANEWISE_TO_H(__high2, )(__LANEWISE_H2 v) {
    return v.y;
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__low2, 2)(__LANEWISE_H2 v) {
    return {v.x, v.x};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__high2, 2)(__LANEWISE_H2 v) {
    return {v.y, v.y};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__lows2, 2)(__LANEWISE_H2 v, __LANEWISE_H2 w) {
    return {v.x, w.x};
}
__LANEWISE_BOTH __LANEWISE_H2 __LANEWISE_TO_H(__highs2, 2)(__LANEWISE_H2 v, __LANEWISE_H2 w) {
    return {v.y, w.y};
}
__LANEWISE_BOTH __LANEWISE_H2 __lowhigh2highlow(__LANEWISE_H2 v) {
    return {v.y, v.x};
}

#undef __LANEWISE_PASTE
#undef __LANEWISE_PASTED
#undef __LANEWISE_TO_H
#undef __LANEWISE_FROM_H
