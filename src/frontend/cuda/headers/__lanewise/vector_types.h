// The built-in vector types, dim3 and their make_ functions.
#pragma once

#define __LANEWISE_MAKE(NAME, T)                            \
    __LANEWISE_BOTH NAME##1 make_##NAME##1(T x) {           \
        return {x};                                         \
    }                                                       \
    __LANEWISE_BOTH NAME##2 make_##NAME##2(T x, T y) {      \
        return {x, y};                                      \
    }                                                       \
    __LANEWISE_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { \
        return {x, y, z};                                   \
    }

#define __LANEWISE_MAKE_4(NAME, T)                         \
    __LANEWISE_BOTH NAME make_##NAME(T x, T y, T z, T w) { \
        return {x, y, z, w};                               \
    }

#define __LANEWISE_VECTOR_123(NAME, T, ALIGN2)        \
    struct NAME##1 {                                  \
        T x;                                          \
    };                                                \
    struct __attribute__((aligned(ALIGN2))) NAME##2 { \
        T x, y;                                       \
    };                                                \
    struct NAME##3 {                                  \
        T x, y, z;                                    \
    };                                                \
    __LANEWISE_MAKE(NAME, T)

#define __LANEWISE_VECTOR_4(NAME, T, ALIGN4)       \
    struct __attribute__((aligned(ALIGN4))) NAME { \
        T x, y, z, w;                              \
    };                                             \
    __LANEWISE_MAKE_4(NAME, T)

// Four elements of 8 bytes: aligned to 16 by default, and with either alignment in the name.
#define __LANEWISE_VECTOR_4_WIDE(NAME, T)   \
    __LANEWISE_VECTOR_4(NAME##4, T, 16)     \
    __LANEWISE_VECTOR_4(NAME##4_16a, T, 16) \
    __LANEWISE_VECTOR_4(NAME##4_32a, T, 32)

__LANEWISE_VECTOR_123(char, signed char, 2)
__LANEWISE_VECTOR_123(uchar, unsigned char, 2)
__LANEWISE_VECTOR_123(short, short, 4)
__LANEWISE_VECTOR_123(ushort, unsigned short, 4)
__LANEWISE_VECTOR_123(int, int, 8)
__LANEWISE_VECTOR_123(uint, unsigned, 8)
__LANEWISE_VECTOR_123(long, long, 16)
__LANEWISE_VECTOR_123(ulong, unsigned long, 16)
__LANEWISE_VECTOR_123(longlong, long long, 16)
__LANEWISE_VECTOR_123(ulonglong, unsigned long long, 16)
__LANEWISE_VECTOR_123(float, float, 8)
__LANEWISE_VECTOR_123(double, double, 16)
__LANEWISE_VECTOR_4(char4, signed char, 4)
__LANEWISE_VECTOR_4(uchar4, unsigned char, 4)
__LANEWISE_VECTOR_4(short4, short, 8)
__LANEWISE_VECTOR_4(ushort4, unsigned short, 8)
__LANEWISE_VECTOR_4(int4, int, 16)
__LANEWISE_VECTOR_4(uint4, unsigned, 16)
__LANEWISE_VECTOR_4(float4, float, 16)
__LANEWISE_VECTOR_4_WIDE(long, long)
__LANEWISE_VECTOR_4_WIDE(ulong, unsigned long)
__LANEWISE_VECTOR_4_WIDE(longlong, long long)
__LANEWISE_VECTOR_4_WIDE(ulonglong, unsigned long long)
__LANEWISE_VECTOR_4_WIDE(double, double)

#undef __LANEWISE_MAKE
#undef __LANEWISE_MAKE_4
#undef __LANEWISE_VECTOR_123
#undef __LANEWISE_VECTOR_4
#undef __LANEWISE_VECTOR_4_WIDE
