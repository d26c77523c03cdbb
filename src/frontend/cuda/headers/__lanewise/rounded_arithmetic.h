// Arithmetic with a stated rounding; never contracted with other operations.
#pragma once

#define __LANEWISE_ROUNDED(T, NAME, SYMBOL, ...)                                 \
    __LANEWISE_PURE T __##NAME##_rn(__VA_ARGS__) __asm__("__nv_" #SYMBOL "_rn"); \
    __LANEWISE_PURE T __##NAME##_rz(__VA_ARGS__) __asm__("__nv_" #SYMBOL "_rz"); \
    __LANEWISE_PURE T __##NAME##_ru(__VA_ARGS__) __asm__("__nv_" #SYMBOL "_ru"); \
    __LANEWISE_PURE T __##NAME##_rd(__VA_ARGS__) __asm__("__nv_" #SYMBOL "_rd");

__LANEWISE_ROUNDED(float, fadd, fadd, float, float)
__LANEWISE_ROUNDED(float, fsub, fsub, float, float)
__LANEWISE_ROUNDED(float, fmul, fmul, float, float)
__LANEWISE_ROUNDED(float, fdiv, fdiv, float, float)
__LANEWISE_ROUNDED(float, fmaf, fmaf, float, float, float)
__LANEWISE_ROUNDED(float, fmaf_ieee, fmaf_ieee, float, float, float)
__LANEWISE_ROUNDED(float, frcp, frcp, float)
__LANEWISE_ROUNDED(float, fsqrt, fsqrt, float)
__LANEWISE_ROUNDED(double, dadd, dadd, double, double)
__LANEWISE_ROUNDED(double, dsub, dsub, double, double)
__LANEWISE_ROUNDED(double, dmul, dmul, double, double)
__LANEWISE_ROUNDED(double, ddiv, ddiv, double, double)
__LANEWISE_ROUNDED(double, fma, fma, double, double, double)
__LANEWISE_ROUNDED(double, drcp, drcp, double)
__LANEWISE_ROUNDED(double, dsqrt, dsqrt, double)
#undef __LANEWISE_ROUNDED
__LANEWISE_PURE float __frsqrt_rn(float) __asm__("__nv_frsqrt_rn");
