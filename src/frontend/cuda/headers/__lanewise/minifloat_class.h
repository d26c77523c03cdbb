// The types of one 8-bit format: a number, a pair and four. Included once for each format, with these macros:
//   __LANEWISE_Q(SUFFIX)   the types' names: for one number, x2 and x4
//   __LANEWISE_Q_FORMAT    the format's description

struct __LANEWISE_Q() {
    __nv_fp8_storage_t __x;

    __LANEWISE_Q()() = default;
#define __LANEWISE_FROM(T, WIDE) \
    __LANEWISE_BOTH explicit __LANEWISE_Q()(T x) : __x(__lanewise_minifloat::encode<__LANEWISE_Q_FORMAT>(WIDE, true)) {}
    __LANEWISE_FROM(float, x)
    __LANEWISE_FROM(double, __lanewise_odd_float(x))
    __LANEWISE_FROM(__half, static_cast<float>(x))
    __LANEWISE_FROM(__nv_bfloat16, static_cast<float>(x))
    __LANEWISE_FROM(short, static_cast<float>(x))
    __LANEWISE_FROM(unsigned short, static_cast<float>(x))
    __LANEWISE_FROM(int, __lanewise_odd_integer(x))
    __LANEWISE_FROM(unsigned, __lanewise_odd_integer(x))
    __LANEWISE_FROM(long, __lanewise_odd_integer(x))
    __LANEWISE_FROM(unsigned long, __lanewise_odd_integer(x))
    __LANEWISE_FROM(long long, __lanewise_odd_integer(x))
    __LANEWISE_FROM(unsigned long long, __lanewise_odd_integer(x))
#undef __LANEWISE_FROM

    __LANEWISE_BOTH float __value() const { return __lanewise_minifloat::decode<__LANEWISE_Q_FORMAT>(__x); }
    __LANEWISE_BOTH explicit operator float() const { return __value(); }
    __LANEWISE_BOTH explicit operator double() const { return __value(); }
    __LANEWISE_BOTH explicit operator __half() const { return __value(); }
    __LANEWISE_BOTH explicit operator __nv_bfloat16() const { return __value(); }
    __LANEWISE_BOTH explicit operator bool() const { return (__x & 0x7f) != 0; }
#define __LANEWISE_TO(T, WIDE) \
    __LANEWISE_BOTH explicit operator T() const { return __lanewise_clamped<T>(__float2##WIDE##_rz(__value())); }
#include "to_integers.h"
};

struct __LANEWISE_Q(x2) {
    __nv_fp8x2_storage_t __x;

    __LANEWISE_Q(x2)() = default;
    __LANEWISE_BOTH explicit __LANEWISE_Q(x2)(float2 v) : __x(__pair(__LANEWISE_Q()(v.x), __LANEWISE_Q()(v.y))) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x2)(double2 v) : __x(__pair(__LANEWISE_Q()(v.x), __LANEWISE_Q()(v.y))) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x2)(__half2 v) : __x(__pair(__LANEWISE_Q()(v.x), __LANEWISE_Q()(v.y))) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x2)(__nv_bfloat162 v)
        : __x(__pair(__LANEWISE_Q()(v.x), __LANEWISE_Q()(v.y))) {}

    __LANEWISE_BOTH explicit operator float2() const { return {__element(0), __element(1)}; }
    __LANEWISE_BOTH explicit operator __half2() const { return {__half(__element(0)), __half(__element(1))}; }
    __LANEWISE_BOTH explicit operator __nv_bfloat162() const {
        return {__nv_bfloat16(__element(0)), __nv_bfloat16(__element(1))};
    }

private:
    __LANEWISE_BOTH static __nv_fp8x2_storage_t __pair(__LANEWISE_Q() x, __LANEWISE_Q() y) {
        return static_cast<__nv_fp8x2_storage_t>(x.__x | y.__x << 8);
    }
    __LANEWISE_BOTH float __element(int i) const {
        return __lanewise_minifloat::decode<__LANEWISE_Q_FORMAT>(static_cast<unsigned char>(__x >> 8 * i));
    }
};

struct __LANEWISE_Q(x4) {
    __nv_fp8x4_storage_t __x;

    __LANEWISE_Q(x4)() = default;
    __LANEWISE_BOTH explicit __LANEWISE_Q(x4)(float4 v) : __x(__four(v.x, v.y, v.z, v.w)) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x4)(double4_16a v) : __x(__four(v.x, v.y, v.z, v.w)) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x4)(__half2 low, __half2 high) : __x(__four(low.x, low.y, high.x, high.y)) {}
    __LANEWISE_BOTH explicit __LANEWISE_Q(x4)(__nv_bfloat162 low, __nv_bfloat162 high)
        : __x(__four(low.x, low.y, high.x, high.y)) {}

    __LANEWISE_BOTH explicit operator float4() const {
        return {__element(0), __element(1), __element(2), __element(3)};
    }

private:
    template <class T>
    __LANEWISE_BOTH static __nv_fp8x4_storage_t __four(T x, T y, T z, T w) {
        return __LANEWISE_Q()(x).__x | __LANEWISE_Q()(y).__x << 8 | __LANEWISE_Q()(z).__x << 16 |
               static_cast<__nv_fp8x4_storage_t>(__LANEWISE_Q()(w).__x) << 24;
    }
    __LANEWISE_BOTH float __element(int i) const {
        return __lanewise_minifloat::decode<__LANEWISE_Q_FORMAT>(static_cast<unsigned char>(__x >> 8 * i));
    }
};
