// The polynomials are Chebyshev fits with an error below 2^-57 of the function they stand in; the constants ending in
// _high and _low are the parts of one number. Reductions, polynomials and sums keep what rounding takes away (pairs.h),
// so that the last addition is nearly all of the error.
#include "backend/cpu/target/double_formulas.h"

#include <cmath>
#include <limits>

#include "backend/cpu/target/pairs.h"

namespace lanewise::cpu {
namespace {

using llvm::Value;
constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr double largest_subnormal = 0x0.fffffffffffffp-1022;
/// Added to a number below 2^51, leaves the nearest integer in the low bits.
constexpr double to_integer = 0x1.8p52;
constexpr double ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
constexpr double pi_high = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53, pi_lowest = -0x1.f1976b7ed8fbcp-109;

Value* bits(Formula x) {
    Value* result = nullptr;
    x.build([&](llvm::IRBuilder<>& b) { result = b.CreateBitCast(x, x.type()->getWithNewType(b.getInt64Ty())); });
    return result;
}
/// `change` of the bits of x, as a double again.
template <class Change>
Formula by_bits(Formula x, Change change) {
    Formula result = x;
    x.build([&](llvm::IRBuilder<>& b) { result = x.with(b.CreateBitCast(change(b, bits(x)), x.type())); });
    return result;
}
Value* both(Formula builder, Value* a, Value* c) {
    builder.build([&](llvm::IRBuilder<>& b) { a = b.CreateAnd(a, c); });
    return a;
}
Formula with_sign_of(Formula x, Formula sign) {
    return x.binary(llvm::Intrinsic::copysign, sign);
}
Formula horner(Formula x, std::initializer_list<double> coefficients) {
    const double* next = coefficients.end();
    Formula sum = x.constant(*--next);
    while (next != coefficients.begin()) sum = sum.times_plus(x, x.constant(*--next));
    return sum;
}

/// 2^power of the low bits of `shifted`, an integer after `to_integer` was added, times x.
Formula scaled(Formula x, Formula shifted) {
    return by_bits(x,
                   [&](llvm::IRBuilder<>& b, Value* own) { return b.CreateAdd(own, b.CreateShl(bits(shifted), 52)); });
}

/// exp(r) - 1 - r.high for |r| < 0.35.
Formula exp_tail(Pair r) {
    const Formula q =
        horner(r.high, {0x1.0000000000000p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dcp-7,
                        0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
                        0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29});
    return q.times_plus(r.high * r.high, r.low);
}
/// exp(x) = 2^power exp(rest), with the power as `scaled` takes it.
struct Exponent {
    Formula power;
    Pair rest;
};
Exponent exponent_of(Formula x) {
    const Formula power = x.times_plus(x.constant(0x1.71547652b82fep+0), x.constant(to_integer));
    const Formula k = power - to_integer;
    const Formula near = (-k).times_plus(k.constant(ln2_high), x);
    const Formula high = (-k).times_plus(k.constant(ln2_low), near);
    return {power, {high, (-k).times_plus(k.constant(ln2_low), near - high)}};
}
Pair exp_of(Pair rest) {
    const Pair sum = quick_sum(rest.high.constant(1), rest.high);
    return quick_sum(sum.high, sum.low + exp_tail(rest));
}
Formula exp(Formula x, Formula) {
    const Exponent e = exponent_of(x);
    return scaled(exp_of(e.rest).high, e.power);
}
Formula exp2(Formula x, Formula) {
    const Formula power = x + to_integer, rest = x - (power - to_integer);
    Pair r = product(rest, rest.constant(ln2_high));
    r.low = rest.times_plus(rest.constant(ln2_low), r.low);
    return scaled(exp_of(r).high, power);
}
Pair expm1_pair(Formula x) {
    const Exponent e = exponent_of(x);
    const Formula two_k = scaled(x.constant(1), e.power);
    const Pair less_one = two_sum(two_k, x.constant(-1));
    const Pair sum = two_sum(less_one.high, two_k * e.rest.high);
    return quick_sum(sum.high, sum.low + two_k.times_plus(exp_tail(e.rest), less_one.low));
}
Formula expm1(Formula x, Formula) {
    return with_sign_of(expm1_pair(x).value(), x);
}
Formula sinh(Formula x, Formula) {
    const Pair m = expm1_pair(x.abs());
    Pair divisor = two_sum(m.high, x.constant(1));
    divisor.low = divisor.low + m.low;
    const Pair other = quotient(m, divisor);
    const Pair sum = quick_sum(m.high, other.high);
    return with_sign_of((sum.high + (sum.low + (m.low + other.low))) * 0.5, x);
}
Formula cosh(Formula x, Formula) {
    const Exponent e = exponent_of(x.abs());
    const Pair value = exp_of(e.rest);
    const Formula high = scaled(value.high * 0.5, e.power), low = value.low * scaled(x.constant(0.5), e.power);
    return high + (0.25 / high + low);
}
Formula tanh(Formula x, Formula) {
    // Beyond 20 it is 1 to double precision.
    const Formula twice = x.abs().constant(40).select((x.abs() + x.abs()) > 40.0, x.abs() + x.abs());
    const Pair m = expm1_pair(twice);
    Pair divisor = two_sum(m.high, m.high.constant(2));
    divisor.low = divisor.low + m.low;
    return with_sign_of(quotient(m, divisor).value(), x);
}

/// log(u + rest) = k ln 2 + part, for a normal u and a rest of at most its ulp.
struct Logarithm {
    Formula k;
    Pair part;
};
Logarithm logarithm_of(Formula u, Formula relative_rest) {
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, exponent = 0xfff0000000000000, one = 0x3ff0000000000000;
    Value* over = nullptr;
    u.build([&](llvm::IRBuilder<>& b) {
        over = b.CreateSub(bits(u), llvm::ConstantInt::get(bits(u)->getType(), root_half));
    });
    const Formula m =
        by_bits(u, [&](llvm::IRBuilder<>& b, Value* own) { return b.CreateSub(own, b.CreateAnd(over, exponent)); });
    const Formula k =
        by_bits(u,
                [&](llvm::IRBuilder<>& b, Value*) {
                    return b.CreateOr(b.CreateLShr(b.CreateAdd(over, llvm::ConstantInt::get(over->getType(), one)), 52),
                                      0x4330000000000000);
                }) -
        (0x1p52 + 1023);
    const Formula f = m - 1.0, s = f / (f + 2.0), z = s * s;
    const Formula r =
        z * horner(z, {0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476bf2p-2, 0x1.c71c7201712d2p-3,
                       0x1.745cf8fa80a6ep-3, 0x1.3b1c377d3240fp-3, 0x1.0fbe5ca9fd6f9p-3, 0x1.0c05f222f1ac5p-3});
    const Pair half_square = product(f * 0.5, f);
    const Pair part = quick_sum(f, -half_square.high);
    const Formula low = s.times_plus(half_square.high + r, part.low - half_square.low) + relative_rest;
    return {k, {part.high, low}};
}
/// In base b; the high part of `base`, log_b(2), leaves room for k; `scale` is log_b(e).
Formula in_base(Logarithm l, Pair base, Pair scale) {
    Pair part = product(l.part.high, scale.high);
    part.low = part.low + l.part.high.times_plus(scale.low, l.part.low * scale.high);
    const Pair sum = quick_sum(l.k * base.high, part.high);
    return sum.high + (sum.low + l.k.times_plus(base.low, part.low));
}
Formula natural(Logarithm l) {
    // 32 bits of ln 2, and the rest.
    const Pair sum = quick_sum(l.k * 0x1.62e42fee00000p-1, l.part.high);
    return sum.high + (sum.low + l.k.times_plus(l.k.constant(0x1.a39ef35793c76p-33), l.part.low));
}
Formula log(Formula x, Formula) {
    return natural(logarithm_of(x, x.constant(0)));
}
Formula log2(Formula x, Formula) {
    return in_base(logarithm_of(x, x.constant(0)), {x.constant(1), x.constant(0)},
                   {x.constant(0x1.71547652b82fep+0), x.constant(0x1.777d0ffda0d24p-56)});
}
Formula log10(Formula x, Formula) {
    return in_base(logarithm_of(x, x.constant(0)),
                   {x.constant(0x1.3441350800000p-2), x.constant(0x1.f79fef311f12bp-34)},
                   {x.constant(0x1.bcb7b1526e50ep-2), x.constant(0x1.95355baaafad3p-57)});
}
Formula log_of_one_and(Pair x) {
    const Pair sum = two_sum(x.high, x.high.constant(1));
    return natural(logarithm_of(sum.high, (sum.low + x.low) / sum.high));
}
Formula log1p(Formula x, Formula) {
    return with_sign_of(log_of_one_and(exactly(x)), x);
}
Formula asinh(Formula x, Formula) {
    const Formula a = x.abs();
    const Pair square = product(a, a);
    Pair radicand = two_sum(square.high, a.constant(1));
    radicand.low = radicand.low + square.low;
    const Pair length = root(radicand);
    Pair divisor = quick_sum(length.high, a.constant(1));
    divisor.low = divisor.low + length.low;
    const Pair more = quotient(square, divisor);
    Pair sum = two_sum(a, more.high);
    sum.low = sum.low + more.low;
    return with_sign_of(log_of_one_and(sum), x);
}
Formula acosh(Formula x, Formula) {
    const Pair over = two_sum(x, x.constant(-1));
    const Pair square = product(over.high, over.high);
    Pair radicand = two_sum(square.high, over.high + over.high);
    radicand.low = radicand.low + square.low;
    const Pair side = root(radicand);
    Pair sum = two_sum(over.high, side.high);
    sum.low = sum.low + (side.low + over.low);
    return log_of_one_and(sum);
}
Formula atanh(Formula x, Formula) {
    const Formula a = x.abs();
    return with_sign_of(log_of_one_and(quotient(exactly(a + a), quick_sum(a.constant(1), -a))) * 0.5, x);
}

/// sine and cosine of x less the multiple `quarters` (in its low bits) of pi / 2.
struct Turn {
    Value* quarters;
    Pair sine, cosine;
};
Turn turn_of(Formula x) {
    const Formula shifted = x.times_plus(x.constant(0x1.45f306dc9c883p-1), x.constant(to_integer));
    const Formula k = shifted - to_integer, minus = -k;
    // Exact: both have the same last place. What follows may cancel once more.
    const Formula near = minus.times_plus(k.constant(pi_high / 2), x);
    const Pair next = product(minus, k.constant(pi_low / 2));
    const Pair left = two_sum(near, next.high);
    const Pair reduced = quick_sum(left.high, left.low + minus.times_plus(k.constant(pi_lowest / 2), next.low));
    const Formula r = reduced.high, rest = reduced.low;
    const Formula z = r * r, half = z * 0.5;
    const Formula s =
        horner(z, {-0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019936p-13, 0x1.71de3a54605eep-19,
                   -0x1.ae64541266378p-26, 0x1.61217ec01749dp-33, -0x1.ab17a79237a19p-41});
    const Formula c = horner(z, {0x1.5555555555555p-5, -0x1.6c16c16c16966p-10, 0x1.a01a019f4e867p-16,
                                 -0x1.27e4fa17a41b4p-22, 0x1.1eeb68b109173p-29, -0x1.907d7aebd5e3dp-37});
    const Pair most = quick_sum(z.constant(1), -half);
    const Formula sine_tail = (r * z).times_plus(s, (-half).times_plus(rest, rest));
    const Formula cosine_tail = most.low + (z * z).times_plus(c, -(r * rest));
    return {bits(shifted), quick_sum(r, sine_tail), quick_sum(most.high, cosine_tail)};
}
/// The sine `ahead` quarters of a turn after x.
Formula sine(Formula x, unsigned ahead) {
    const Turn t = turn_of(x);
    const Formula sine = t.sine.high, cosine = t.cosine.high;
    return by_bits(x, [&](llvm::IRBuilder<>& b, Value* own) {
        Value* quarters = b.CreateAdd(t.quarters, llvm::ConstantInt::get(own->getType(), ahead));
        Value* odd = b.CreateIsNotNull(b.CreateAnd(quarters, 1));
        Value* sign = b.CreateShl(b.CreateAnd(quarters, 2), 62);
        return b.CreateXor(bits(cosine.select(odd, sine)), sign);
    });
}
Formula sin(Formula x, Formula) {
    return x.select(x == 0.0, sine(x, 0));
}
Formula cos(Formula x, Formula) {
    return sine(x, 1);
}
Formula tan(Formula x, Formula) {
    const Turn t = turn_of(x);
    Value* odd = nullptr;
    x.build([&](llvm::IRBuilder<>& b) { odd = b.CreateIsNotNull(b.CreateAnd(t.quarters, 1)); });
    const Pair above{(-t.cosine.high).select(odd, t.sine.high), (-t.cosine.low).select(odd, t.sine.low)};
    const Pair below{t.sine.high.select(odd, t.cosine.high), t.sine.low.select(odd, t.cosine.low)};
    return x.select(x == 0.0, quotient(above, below).value());
}

/// The angle in [0, pi / 2] whose tangent is y / x, for numbers that are not negative.
Pair angle_of(Pair y, Pair x) {
    const Formula zero = y.high.constant(0);
    // Near the tangent c, the angle is atan(c) + atan((y - c x) / (x + c y)).
    Formula c = zero, base_high = zero, base_low = zero;
    auto near = [&](double from, double tangent, double high, double low) {
        Value* beyond = x.high * from < y.high;
        c = c.constant(tangent).select(beyond, c);
        base_high = c.constant(high).select(beyond, base_high);
        base_low = c.constant(low).select(beyond, base_low);
    };
    near(0x7p-4, 0.5, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56);
    near(0xbp-4, 1, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55);
    near(0x13p-4, 1.5, 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56);
    near(0x27p-4, 1.5, pi_high / 2, pi_low / 2);
    Value* steep = x.high * 0x27p-4 < y.high;
    auto combine = [&](Pair p, Pair q, Formula factor) {
        const Formula high = factor.times_plus(q.high, p.high);
        return Pair{high, factor.times_plus(q.high, p.high - high) + factor.times_plus(q.low, p.low)};
    };
    Pair above = combine(y, x, -c), below = combine(x, y, c);
    above = {(-x.high).select(steep, above.high), (-x.low).select(steep, above.low)};
    below = {y.high.select(steep, below.high), y.low.select(steep, below.low)};
    const Pair t = quotient(above, below);
    const Formula z = t.high * t.high;
    const Formula tail = (t.high * z)
                             .times_plus(horner(z, {-0x1.5555555555554p-2, 0x1.9999999998863p-3, -0x1.24924923b09bfp-3,
                                                    0x1.c71c71366bfc2p-4, -0x1.745cff64fb1e8p-4, 0x1.3b1161c0261b4p-4,
                                                    -0x1.10ed20cc03917p-4, 0x1.df0bad09fa62cp-5, -0x1.9c616e7e61a95p-5,
                                                    0x1.35dd3ba3a06adp-5, -0x1.1f7e7048b0a6fp-6}),
                                         (-z).times_plus(t.low, t.low));
    const Pair sum = quick_sum(base_high, t.high);
    return {sum.high, sum.low + (tail + base_low)};
}
Formula atan(Formula x, Formula) {
    return with_sign_of(angle_of(exactly(x.abs()), exactly(x.constant(1))).value(), x);
}
/// The other side of the triangle with hypotenuse 1.
Pair other_side(Formula x) {
    const Pair square = product(x, x);
    Pair rest = quick_sum(x.constant(1), -square.high);
    rest.low = rest.low - square.low;
    return root(rest);
}
/// pi less the angle, where the condition holds.
Formula beyond_quarter(Value* condition, Pair angle) {
    const Pair rest = quick_sum(angle.high.constant(pi_high), -angle.high);
    return (rest.high + (rest.low + (pi_low - angle.low))).select(condition, angle.value());
}
Formula asin(Formula x, Formula) {
    return with_sign_of(angle_of(exactly(x.abs()), other_side(x)).value(), x);
}
Formula acos(Formula x, Formula) {
    return beyond_quarter(x < 0.0, angle_of(other_side(x), exactly(x.abs())));
}
Formula atan2(Formula y, Formula x) {
    return with_sign_of(beyond_quarter(x < 0.0, angle_of(exactly(y.abs()), exactly(x.abs()))), y);
}
Formula hypot(Formula x, Formula y) {
    const Pair a = product(x, x), b = product(y, y);
    const Pair sum = two_sum(a.high, b.high);
    return root({sum.high, sum.low + (a.low + b.low)}).value();
}
Formula cbrt(Formula x, Formula) {
    const Formula a = x.abs();
    // A third of the exponent: right to a twentieth.
    const Formula third = by_bits(a, [](llvm::IRBuilder<>& b,
                                        Value* own) { return b.CreateOr(b.CreateLShr(own, 32), 0x4330000000000000); }) -
                          0x1p52;
    const Formula shifted = third.times_plus(third.constant(1.0 / 3), third.constant(0x1p52 + 715094163));
    Formula t = by_bits(shifted, [](llvm::IRBuilder<>& b, Value* own) { return b.CreateShl(own, 32); });
    // Halley's steps triple the digits; Newton's has the cube to twice the precision.
    for (int step = 0; step < 2; ++step) {
        const Formula cube = t * t * t;
        t = t * ((cube + (a + a)) / (cube + cube + a));
    }
    const Pair square = product(t, t), cube = product(square.high, t);
    const Formula excess = (cube.high - a) + square.low.times_plus(t, cube.low);
    return with_sign_of(t - excess / (square.high * 3.0), x);
}
/// Exact.
Formula fmod(Formula x, Formula y) {
    const Formula a = x.abs(), b = y.abs();
    const Formula rest = (-(a / b).unary(llvm::Intrinsic::trunc)).times_plus(b, a);
    return with_sign_of((rest + b).select(rest < 0.0, rest), x);
}

/// x 2^n for an integer n: the exponent grows by n.
Formula ldexp(Formula x, Formula n) {
    return by_bits(x, [&](llvm::IRBuilder<>& b, Value* own) {
        return b.CreateAdd(own, b.CreateShl(b.CreateSExt(n, own->getType()), 52));
    });
}
/// Whether x and x 2^n are normal.
Value* stays_normal(Formula x, Formula n) {
    Value* result = nullptr;
    x.build([&](llvm::IRBuilder<>& b) {
        Value* own = bits(x);
        Value* exponent = b.CreateTrunc(b.CreateAnd(b.CreateLShr(own, 52), 0x7ff), n->getType());
        auto is_normal = [&](Value* e) {
            return b.CreateICmpULT(b.CreateSub(e, llvm::ConstantInt::get(n->getType(), 1)),
                                   llvm::ConstantInt::get(n->getType(), 2046));
        };
        result = b.CreateAnd(is_normal(exponent), is_normal(b.CreateAdd(exponent, n)));
    });
    return result;
}

template <int exponent>
Value* below_power(Formula x, Formula) {
    return x.abs() < std::ldexp(1.0, exponent);
}
Value* is_finite(Formula x, Formula) {
    return x.abs() < infinity;
}
Value* in_exp_range(Formula x, Formula) {
    return x.abs() < 708.0;
}
Value* is_normal_positive(Formula x, Formula) {
    return both(x, x > largest_subnormal, x < infinity);
}
Value* inside_one(Formula x, Formula) {
    return x.abs() < 1.0;
}
template <int digits>
Value* has_exact_quotient(Formula x, Formula y) {
    return both(x, x.abs() < y.abs() * std::ldexp(1.0, digits), y.abs() < infinity);
}
/// Squares of such numbers neither overflow nor lose digits.
Value* is_moderate(Formula x, Formula) {
    return both(x, x.abs() > 0x1p-480, x.abs() < 0x1p480);
}

constexpr DoubleFormula formulas[] = {
    {"acos", 1, false, acos, inside_one},
    {"acosh", 1, false, acosh, [](Formula x, Formula) { return both(x, x > 1.0, x < 0x1p480); }},
    {"asin", 1, false, asin, inside_one},
    {"asinh", 1, false, asinh, below_power<480>},
    {"atan", 1, false, atan, is_finite},
    {"atan2", 2, false, atan2, [](Formula y, Formula x) { return both(x, is_moderate(x, x), is_moderate(y, y)); }},
    {"atanh", 1, false, atanh, inside_one},
    {"cbrt", 1, false, cbrt, [](Formula x, Formula) { return both(x, x.abs() > 0x1p-900, x.abs() < 0x1p1000); }},
    {"cos", 1, true, cos, below_power<30>},
    {"cosh", 1, false, cosh, in_exp_range},
    {"exp", 1, true, exp, in_exp_range},
    {"exp2", 1, true, exp2, [](Formula x, Formula) { return x.abs() < 1022.0; }},
    {"expm1", 1, false, expm1, in_exp_range},
    {"fmod", 2, false, fmod, has_exact_quotient<51>},
    {"fmodf", 2, false, fmod, has_exact_quotient<22>, true},
    {"hypot", 2, false, hypot,
     [](Formula x, Formula y) {
         const Formula most = x.abs().binary(llvm::Intrinsic::maxnum, y.abs());
         return both(x, both(x, x.abs() < 0x1p480, y.abs() < 0x1p480), most > 0x1p-480);
     }},
    {"ldexp", 2, false, ldexp, stays_normal},
    {"log", 1, true, log, is_normal_positive},
    {"log10", 1, true, log10, is_normal_positive},
    {"log1p", 1, false, log1p, [](Formula x, Formula) { return both(x, x > -1.0, x < infinity); }},
    {"log2", 1, true, log2, is_normal_positive},
    {"sin", 1, true, sin, below_power<30>},
    {"sinh", 1, false, sinh, in_exp_range},
    {"tan", 1, false, tan, below_power<30>},
    {"tanh", 1, false, tanh, is_finite},
};

}  // namespace

llvm::ArrayRef<DoubleFormula> double_formulas() {
    return formulas;
}

}  // namespace lanewise::cpu
