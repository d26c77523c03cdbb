// A floating-point type of 16 bits, and its pair. Included once for each format, with these macros:
//   __LANEWISE_H, __LANEWISE_H2, __LANEWISE_H_RAW, __LANEWISE_H2_RAW   the types' names
//   __LANEWISE_H_BITS(float)    the bits of the nearest number of the format
//   __LANEWISE_H_FLOAT(bits)    the number as a float

struct __attribute__((aligned(2))) __LANEWISE_H_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) __LANEWISE_H2_RAW {
    unsigned short x, y;
};

struct __attribute__((aligned(2))) __LANEWISE_H {
    __LANEWISE_H() = default;
    __LANEWISE_BOTH constexpr __LANEWISE_H(const __LANEWISE_H_RAW& raw) : __bits(raw.x) {}
    __LANEWISE_BOTH __LANEWISE_H(float x) : __bits(__LANEWISE_H_BITS(x)) {}
    __LANEWISE_BOTH __LANEWISE_H(double x) : __bits(__LANEWISE_H_BITS(__lanewise_odd_float(x))) {}
    // Integers that float does not have exactly are far above the largest number, or rounded enough by float.
#define __LANEWISE_FROM(T) \
    __LANEWISE_BOTH __LANEWISE_H(T x) : __bits(__LANEWISE_H_BITS(__LANEWISE_H_FROM_INTEGER(x))) {}
    __LANEWISE_FROM(short)
    __LANEWISE_FROM(unsigned short)
    __LANEWISE_FROM(int)
    __LANEWISE_FROM(unsigned)
    __LANEWISE_FROM(long)
    __LANEWISE_FROM(unsigned long)
    __LANEWISE_FROM(long long)
    __LANEWISE_FROM(unsigned long long)
#undef __LANEWISE_FROM

    __LANEWISE_BOTH operator float() const { return __LANEWISE_H_FLOAT(__bits); }
    __LANEWISE_BOTH operator __LANEWISE_H_RAW() const { return {__bits}; }
    __LANEWISE_BOTH constexpr operator bool() const { return (__bits & 0x7fff) != 0; }
    // Toward zero, to the nearest end of the type's range, NaN to 0.
#define __LANEWISE_TO(T, WIDE)                                                         \
    __LANEWISE_BOTH operator T() const {                                               \
        return __lanewise_clamped<T>(__float2##WIDE##_rz(__LANEWISE_H_FLOAT(__bits))); \
    }
#include "to_integers.h"

protected:
    unsigned short __bits;
};

struct __attribute__((aligned(4))) __LANEWISE_H2 {
    __LANEWISE_H x, y;

    __LANEWISE_H2() = default;
    __LANEWISE_BOTH constexpr __LANEWISE_H2(const __LANEWISE_H& x, const __LANEWISE_H& y) : x(x), y(y) {}
    __LANEWISE_BOTH __LANEWISE_H2(const __LANEWISE_H2_RAW& raw)
        : x(__LANEWISE_H_RAW{raw.x}), y(__LANEWISE_H_RAW{raw.y}) {}
    __LANEWISE_BOTH operator __LANEWISE_H2_RAW() const {
        return {static_cast<__LANEWISE_H_RAW>(x).x, static_cast<__LANEWISE_H_RAW>(y).x};
    }
};
