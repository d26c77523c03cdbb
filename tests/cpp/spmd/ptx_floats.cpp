// Floating-point instructions and conversions as the PTX ISA defines them.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <limits>

#include "ptx_cases.h"

namespace lanewise::cpu::testing {
namespace {

using S = std::int32_t;
using SL = std::int64_t;

float f(Bits bits) {
    return std::bit_cast<float>(std::uint32_t(bits));
}
double d(Bits bits) {
    return std::bit_cast<double>(bits);
}
Bits bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
Bits bits(double value) {
    return std::bit_cast<Bits>(value);
}

float flush(float x) {
    return std::fabs(x) < FLT_MIN ? std::copysign(0.0f, x) : x;
}
float saturate(float x) {
    return x > 0 ? std::min(x, 1.0f) : 0.0f;
}

/// `compute` with another rounding. The operands go through volatile so that nothing moves across the switch.
template <typename Compute>
auto rounded(int mode, Compute compute) {
    std::fesetround(mode);
    const volatile auto result = compute();
    std::fesetround(FE_TONEAREST);
    return result;
}

template <typename T>
T opaque(T value) {
    volatile T copy = value;
    return copy;
}

template <typename T>
T minimum(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

template <typename T>
T maximum(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}

/// A float as an integer type: clamped; a NaN is `of_nan`.
template <typename T, typename F>
Bits as_integer(F x, Bits of_nan) {
    if (std::isnan(x)) return of_nan;
    if (x <= F(std::numeric_limits<T>::min())) return Bits(std::numeric_limits<T>::min());
    if (x >= F(std::numeric_limits<T>::max())) return Bits(std::numeric_limits<T>::max());
    return Bits(T(x));
}

constexpr Bits indefinite = Bits(1) << 63;

float half_value(Bits bits) {
    const int exponent = int(bits >> 10 & 31);
    const float fraction = float(bits & 1023);
    const float sign = bits >> 15 & 1 ? -1.0f : 1.0f;
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

/// To nearest even, by trying: of all halves the nearest.
Bits half_of(float x) {
    const Bits sign = std::signbit(x) ? 0x8000 : 0;
    const double magnitude = std::fabs(double(x));
    if (std::isnan(x)) return sign | 0x7e00;
    if (magnitude >= 65520) return sign | 0x7c00;
    Bits low = 0, high = 0x7bff;
    while (low < high) {
        const Bits middle = (low + high + 1) / 2;
        if (half_value(middle) <= magnitude)
            low = middle;
        else
            high = middle - 1;
    }
    if (low == 0x7bff) return sign | low;
    const double below = magnitude - half_value(low), above = half_value(low + 1) - magnitude;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : low + 1);
}

/// A float rounded to bfloat16, to nearest even, as a float.
Bits bfloat(float x) {
    const Bits b = bits(x);
    return std::isnan(x) ? b : (b + 0x7fff + (b >> 16 & 1)) >> 16 << 16;
}

}  // namespace

const std::vector<PtxCase>& float_cases() {
    static const std::vector<PtxCase> cases = {
        {"add.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(f(a) + f(b)); }},
        {"add.rn.f64 $0, $1, $2;", "ddd", [](Bits a, Bits b, Bits, Bits) { return bits(d(a) + d(b)); }},
        {"add.rz.f32 $0, $1, $2;", "fff",
         [](Bits a, Bits b, Bits, Bits) {
             return bits(float(rounded(FE_TOWARDZERO, [&] { return opaque(f(a)) + opaque(f(b)); })));
         }},
        {"sub.rp.f64 $0, $1, $2;", "ddd",
         [](Bits a, Bits b, Bits, Bits) {
             return bits(double(rounded(FE_UPWARD, [&] { return opaque(d(a)) - opaque(d(b)); })));
         }},
        {"mul.rm.f32 $0, $1, $2;", "fff",
         [](Bits a, Bits b, Bits, Bits) {
             return bits(float(rounded(FE_DOWNWARD, [&] { return opaque(f(a)) * opaque(f(b)); })));
         }},
        {"add.ftz.f32 $0, $1, $2;", "fff",
         [](Bits a, Bits b, Bits, Bits) { return bits(flush(flush(f(a)) + flush(f(b)))); }},
        {"add.sat.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(saturate(f(a) + f(b))); }},
        {"mul.f32 $0, $1, 0f40000000;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(f(a) * 2.0f); }},
        {"mul.f64 $0, $1, 0.5;", "dd", [](Bits a, Bits, Bits, Bits) { return bits(d(a) * 0.5); }},
        {"mul.f64 $0, $1, 0dC000000000000000;", "dd", [](Bits a, Bits, Bits, Bits) { return bits(d(a) * -2.0); }},
        {"fma.rn.f32 $0, $1, $2, $3;", "ffff",
         [](Bits a, Bits b, Bits c, Bits) { return bits(std::fma(f(a), f(b), f(c))); }},
        {"fma.rz.f64 $0, $1, $2, $3;", "dddd",
         [](Bits a, Bits b, Bits c, Bits) {
             return bits(
                 double(rounded(FE_TOWARDZERO, [&] { return std::fma(opaque(d(a)), opaque(d(b)), opaque(d(c))); })));
         }},
        {"fma.rn.ftz.sat.f32 $0, $1, $2, $3;", "ffff",
         [](Bits a, Bits b, Bits c, Bits) {
             return bits(flush(saturate(std::fma(flush(f(a)), flush(f(b)), flush(f(c))))));
         }},
        {"mad.rn.f32 $0, $1, $2, $3;", "ffff",
         [](Bits a, Bits b, Bits c, Bits) { return bits(std::fma(f(a), f(b), f(c))); }},
        {"div.rn.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(f(a) / f(b)); }},
        {"div.rn.f64 $0, $1, $2;", "ddd", [](Bits a, Bits b, Bits, Bits) { return bits(d(a) / d(b)); }},
        {"div.full.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(f(a) / f(b)); }, 1e-6},
        {"rcp.rn.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(1.0f / f(a)); }},
        {"sqrt.rn.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::sqrt(f(a))); }},
        {"sqrt.rn.f64 $0, $1;", "dd", [](Bits a, Bits, Bits, Bits) { return bits(std::sqrt(d(a))); }},
        {"rsqrt.approx.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(1.0f / std::sqrt(f(a))); }, 1e-6},
        {"ex2.approx.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::exp2(f(a))); }, 1e-6},
        {"lg2.approx.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::log2(f(a))); }, 1e-6},
        {"sin.approx.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::sin(f(a))); }, 1e-5},
        {"cos.approx.ftz.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::cos(flush(f(a)))); },
         1e-5},
        {"tanh.approx.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::tanh(f(a))); }, 1e-5},
        {"min.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(minimum(f(a), f(b))); }},
        {"max.f64 $0, $1, $2;", "ddd", [](Bits a, Bits b, Bits, Bits) { return bits(maximum(d(a), d(b))); }},
        {"min.NaN.f32 $0, $1, $2;", "fff",
         [](Bits a, Bits b, Bits, Bits) {
             return bits(std::isnan(f(a)) || std::isnan(f(b)) ? NAN : minimum(f(a), f(b)));
         }},
        {"max.xorsign.abs.f32 $0, $1, $2;", "fff",
         [](Bits a, Bits b, Bits, Bits) {
             const float magnitude = maximum(std::fabs(f(a)), std::fabs(f(b)));
             return bits(std::copysign(magnitude, std::signbit(f(a)) != std::signbit(f(b)) ? -1.0f : 1.0f));
         }},
        {"abs.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::fabs(f(a))); }},
        {"neg.f64 $0, $1;", "dd", [](Bits a, Bits, Bits, Bits) { return bits(-d(a)); }},
        {"copysign.f32 $0, $1, $2;", "fff", [](Bits a, Bits b, Bits, Bits) { return bits(std::copysign(f(b), f(a))); }},
        {"{ .reg .pred p; testp.subnormal.f32 p, $1; selp.u32 $0, 1, 0, p; }", "rf",
         [](Bits a, Bits, Bits, Bits) { return Bits(std::fpclassify(f(a)) == FP_SUBNORMAL); }},
        {"{ .reg .pred p; testp.number.f64 p, $1; selp.u32 $0, 1, 0, p; }", "rd",
         [](Bits a, Bits, Bits, Bits) { return Bits(!std::isnan(d(a))); }},
        {"{ .reg .pred p; setp.ltu.f32 p, $1, $2; selp.u32 $0, 1, 0, p; }", "rff",
         [](Bits a, Bits b, Bits, Bits) { return Bits(!(f(a) >= f(b))); }},
        {"{ .reg .pred p; setp.ne.f64 p, $1, $2; selp.u32 $0, 1, 0, p; }", "rdd",
         [](Bits a, Bits b, Bits, Bits) { return Bits(d(a) < d(b) || d(a) > d(b)); }},
        {"{ .reg .pred p; setp.nan.f32 p, $1, $2; selp.u32 $0, 1, 0, p; }", "rff",
         [](Bits a, Bits b, Bits, Bits) { return Bits(std::isnan(f(a)) || std::isnan(f(b))); }},
        {"slct.u32.f32 $0, $1, $2, $3;", "rrrf", [](Bits a, Bits b, Bits c, Bits) { return f(c) >= 0 ? a : b; }},
        {"{ .reg .b16 t; add.f16 t, $1, $2; cvt.f32.f16 $0, t; }", "fhh",
         [](Bits a, Bits b, Bits, Bits) { return bits(half_value(half_of(half_value(a) + half_value(b)))); }},
        {"{ .reg .b16 t; mul.bf16 t, $1, $2; cvt.f32.bf16 $0, t; }", "fhh",
         [](Bits a, Bits b, Bits, Bits) { return bfloat(f(a << 16) * f(b << 16)); }},
        {"{ .reg .b16 lo, hi; .reg .b32 t; add.f16x2 t, $1, $2; mov.b32 {lo, hi}, t; cvt.f32.f16 $0, hi; }", "frr",
         [](Bits a, Bits b, Bits, Bits) {
             return bits(half_value(half_of(half_value(a >> 16) + half_value(b >> 16))));
         }},
    };
    return cases;
}

const std::vector<PtxCase>& conversion_cases() {
    static const std::vector<PtxCase> cases = {
        {"cvt.u32.u16 $0, $1;", "rh", [](Bits a, Bits, Bits, Bits) { return a; }},
        {"cvt.s32.s16 $0, $1;", "rh", [](Bits a, Bits, Bits, Bits) { return Bits(std::int16_t(a)); }},
        {"cvt.s64.s32 $0, $1;", "lr", [](Bits a, Bits, Bits, Bits) { return Bits(SL(S(a))); }},
        {"cvt.u64.u32 $0, $1;", "lr", [](Bits a, Bits, Bits, Bits) { return a; }},
        {"cvt.u16.u64 $0, $1;", "hl", [](Bits a, Bits, Bits, Bits) { return a; }},
        {"cvt.s32.s8 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return Bits(std::int8_t(a)); }},
        {"cvt.u8.u32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return a & 0xff; }},
        {"cvt.sat.s8.s32 $0, $1;", "rr",
         [](Bits a, Bits, Bits, Bits) { return Bits(SL(std::clamp(S(a), -128, 127))); }},
        {"cvt.sat.u8.s32 $0, $1;", "rr", [](Bits a, Bits, Bits, Bits) { return Bits(std::clamp(S(a), 0, 255)); }},
        {"cvt.sat.s32.u64 $0, $1;", "rl", [](Bits a, Bits, Bits, Bits) { return std::min<Bits>(a, 0x7fffffff); }},
        {"cvt.sat.u32.s64 $0, $1;", "rl",
         [](Bits a, Bits, Bits, Bits) { return Bits(std::clamp<SL>(SL(a), 0, 0xffffffff)); }},
        {"cvt.rzi.s32.f32 $0, $1;", "rf", [](Bits a, Bits, Bits, Bits) { return as_integer<S>(std::trunc(f(a)), 0); }},
        {"cvt.rni.s32.f32 $0, $1;", "rf",
         [](Bits a, Bits, Bits, Bits) { return as_integer<S>(std::nearbyint(f(a)), 0); }},
        {"cvt.rmi.u32.f32 $0, $1;", "rf",
         [](Bits a, Bits, Bits, Bits) { return as_integer<std::uint32_t>(std::floor(f(a)), 0); }},
        {"cvt.rpi.s64.f32 $0, $1;", "lf",
         [](Bits a, Bits, Bits, Bits) { return as_integer<SL>(std::ceil(f(a)), indefinite); }},
        {"cvt.rzi.u64.f64 $0, $1;", "ld",
         [](Bits a, Bits, Bits, Bits) { return as_integer<Bits>(std::trunc(d(a)), indefinite); }},
        {"cvt.rni.s32.f64 $0, $1;", "rd",
         [](Bits a, Bits, Bits, Bits) { return as_integer<S>(std::nearbyint(d(a)), 0x80000000); }},
        {"cvt.rzi.s16.f32 $0, $1;", "hf",
         [](Bits a, Bits, Bits, Bits) { return as_integer<std::int16_t>(std::trunc(f(a)), 0); }},
        {"cvt.rn.f32.s32 $0, $1;", "fr", [](Bits a, Bits, Bits, Bits) { return bits(float(S(a))); }},
        {"cvt.rz.f32.u32 $0, $1;", "fr",
         [](Bits a, Bits, Bits, Bits) {
             return bits(float(rounded(FE_TOWARDZERO, [&] { return float(opaque(std::uint32_t(a))); })));
         }},
        {"cvt.rp.f32.s64 $0, $1;", "fl",
         [](Bits a, Bits, Bits, Bits) {
             return bits(float(rounded(FE_UPWARD, [&] { return float(opaque(SL(a))); })));
         }},
        {"cvt.rn.f64.u64 $0, $1;", "dl", [](Bits a, Bits, Bits, Bits) { return bits(double(a)); }},
        {"cvt.f64.f32 $0, $1;", "df", [](Bits a, Bits, Bits, Bits) { return bits(double(f(a))); }},
        {"cvt.rn.f32.f64 $0, $1;", "fd", [](Bits a, Bits, Bits, Bits) { return bits(float(d(a))); }},
        {"cvt.rm.f32.f64 $0, $1;", "fd",
         [](Bits a, Bits, Bits, Bits) {
             return bits(float(rounded(FE_DOWNWARD, [&] { return float(opaque(d(a))); })));
         }},
        {"cvt.rni.f32.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(std::nearbyint(f(a))); }},
        {"cvt.rmi.f64.f64 $0, $1;", "dd", [](Bits a, Bits, Bits, Bits) { return bits(std::floor(d(a))); }},
        {"cvt.sat.f32.f32 $0, $1;", "ff", [](Bits a, Bits, Bits, Bits) { return bits(saturate(f(a))); }},
        {"cvt.f32.f16 $0, $1;", "fh", [](Bits a, Bits, Bits, Bits) { return bits(half_value(a)); }},
        {"{ .reg .b16 t; cvt.rn.f16.f32 t, $1; cvt.f32.f16 $0, t; }", "ff",
         [](Bits a, Bits, Bits, Bits) { return bits(half_value(half_of(f(a)))); }},
        {"{ .reg .b16 t; cvt.rz.f16.f32 t, $1; cvt.f32.f16 $0, t; }", "ff",
         [](Bits a, Bits, Bits, Bits) {
             if (std::isnan(f(a)) || std::isinf(f(a))) return a;
             if (std::fabs(f(a)) >= 65504) return bits(std::copysign(65504.0f, f(a)));
             const Bits nearest = half_of(f(a));
             const bool away = std::fabs(half_value(nearest)) > std::fabs(f(a));
             return bits(std::copysign(half_value(away ? nearest - 1 : nearest), f(a)));
         }},
        {"{ .reg .b16 t; cvt.rn.f16.f64 t, $1; cvt.f32.f16 $0, t; }", "fd",
         [](Bits a, Bits, Bits, Bits) {
             // Odd rounding to float first keeps what half needs to know.
             float nearest = float(d(a));
             if (double(nearest) != d(a) && !std::isnan(nearest) && !std::isinf(nearest)) {
                 if (std::fabs(double(nearest)) > std::fabs(d(a))) nearest = std::nextafter(nearest, 0.0f);
                 nearest = f(bits(nearest) | 1);
             }
             return bits(half_value(half_of(nearest)));
         }},
        {"cvt.f32.bf16 $0, $1;", "fh", [](Bits a, Bits, Bits, Bits) { return a << 16; }},
        {"{ .reg .b16 t; cvt.rn.bf16.f32 t, $1; cvt.f32.bf16 $0, t; }", "ff",
         [](Bits a, Bits, Bits, Bits) { return bfloat(f(a)); }},
        {"{ .reg .b32 t; .reg .b16 lo, hi; cvt.rn.bf16x2.f32 t, $1, $2; mov.b32 {lo, hi}, t; cvt.f32.bf16 $0, hi; }",
         "fff", [](Bits a, Bits, Bits, Bits) { return bfloat(f(a)); }},
        {"cvt.rna.tf32.f32 $0, $1;", "rf",
         [](Bits a, Bits, Bits, Bits) { return (std::isnan(f(a)) ? a : a + 0x1000) & 0xffffe000; }},
    };
    return cases;
}

}  // namespace lanewise::cpu::testing
