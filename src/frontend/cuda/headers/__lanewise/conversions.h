// Conversions with a stated rounding, and reinterpretations.
#pragma once

#define __LANEWISE_CONVERT(R, NAME, T) __LANEWISE_PURE R __##NAME(T) __asm__("__nv_" #NAME);
#define __LANEWISE_CONVERT_ROUNDED(R, NAME, T) \
    __LANEWISE_CONVERT(R, NAME##_rn, T)        \
    __LANEWISE_CONVERT(R, NAME##_rz, T)        \
    __LANEWISE_CONVERT(R, NAME##_ru, T)        \
    __LANEWISE_CONVERT(R, NAME##_rd, T)

__LANEWISE_CONVERT_ROUNDED(int, float2int, float)
__LANEWISE_CONVERT_ROUNDED(unsigned, float2uint, float)
__LANEWISE_CONVERT_ROUNDED(long long, float2ll, float)
__LANEWISE_CONVERT_ROUNDED(unsigned long long, float2ull, float)
__LANEWISE_CONVERT_ROUNDED(int, double2int, double)
__LANEWISE_CONVERT_ROUNDED(unsigned, double2uint, double)
__LANEWISE_CONVERT_ROUNDED(long long, double2ll, double)
__LANEWISE_CONVERT_ROUNDED(unsigned long long, double2ull, double)
__LANEWISE_CONVERT_ROUNDED(float, double2float, double)
__LANEWISE_CONVERT_ROUNDED(float, int2float, int)
__LANEWISE_CONVERT_ROUNDED(float, uint2float, unsigned)
__LANEWISE_CONVERT_ROUNDED(float, ll2float, long long)
__LANEWISE_CONVERT_ROUNDED(float, ull2float, unsigned long long)
__LANEWISE_CONVERT_ROUNDED(double, ll2double, long long)
__LANEWISE_CONVERT_ROUNDED(double, ull2double, unsigned long long)
__LANEWISE_CONVERT(double, int2double_rn, int)
__LANEWISE_CONVERT(double, uint2double_rn, unsigned)

__LANEWISE_CONVERT(int, double2hiint, double)
__LANEWISE_CONVERT(int, double2loint, double)
__LANEWISE_PURE double __hiloint2double(int, int) __asm__("__nv_hiloint2double");
__LANEWISE_CONVERT(long long, double_as_longlong, double)
__LANEWISE_CONVERT(double, longlong_as_double, long long)
__LANEWISE_CONVERT(int, float_as_int, float)
__LANEWISE_CONVERT(unsigned, float_as_uint, float)
__LANEWISE_CONVERT(float, int_as_float, int)
__LANEWISE_CONVERT(float, uint_as_float, unsigned)
#undef __LANEWISE_CONVERT
#undef __LANEWISE_CONVERT_ROUNDED
