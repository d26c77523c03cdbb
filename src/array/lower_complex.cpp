// Elementwise operations of complex numbers, with NumPy's algorithms where they decide the result (division by Smith,
// comparison by parts), and Kahan's forms of the inverse functions.
#include <numbers>

#include "array/arithmetic.h"
#include "array/lower.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

struct Complex : Arithmetic {
    using Arithmetic::Arithmetic;

    // Arithmetic.
    Number add(Number x, Number y) const { return {Arithmetic::add(x.re, y.re), Arithmetic::add(x.im, y.im)}; }
    Number sub(Number x, Number y) const { return {Arithmetic::sub(x.re, y.re), Arithmetic::sub(x.im, y.im)}; }
    using Arithmetic::add;
    using Arithmetic::mul;
    using Arithmetic::sub;
    Number mul(Number x, Number y) const {
        return {sub(mul(x.re, y.re), mul(x.im, y.im)), add(mul(x.re, y.im), mul(x.im, y.re))};
    }
    Number scaled(Number x, double factor) const { return {mul(x.re, c(factor)), mul(x.im, c(factor))}; }
    using Arithmetic::neg;
    Number neg(Number x) const { return {neg(x.re), neg(x.im)}; }
    Number conj(Number x) const { return {x.re, neg(x.im)}; }
    Number choose(V condition, Number x, Number y) const {
        return {Arithmetic::choose(condition, x.re, y.re), Arithmetic::choose(condition, x.im, y.im)};
    }
    using Arithmetic::choose;
    Number number(double re, double im = 0) const { return {c(re), c(im)}; }
    V infinity() const { return c(std::numeric_limits<double>::infinity()); }
    V modulus(Number x) const { return op(S::Hypot, x.re, x.im); }
    V angle(Number x) const { return op(S::Atan2, x.im, x.re); }

    using Arithmetic::div;
    Number div(Number x, Number y) const {
        V wide = op(S::Ge, abs(y.re), abs(y.im));
        V big = choose(wide, y.re, y.im), small = choose(wide, y.im, y.re);
        V ratio = div(small, big);
        V scale = div(c(1), add(big, mul(small, ratio)));
        // (re, im) of the numerator as the larger part of the divisor sees them.
        V re = choose(wide, add(x.re, mul(x.im, ratio)), add(mul(x.re, ratio), x.im));
        V im = choose(wide, sub(x.im, mul(x.re, ratio)), sub(mul(x.im, ratio), x.re));
        V zero = both(eq(y.re, c(0)), eq(y.im, c(0)));
        return choose(zero, Number{div(x.re, abs(y.re)), div(x.im, abs(y.re))}, Number{mul(re, scale), mul(im, scale)});
    }
    Number reciprocal(Number x) const {
        V wide = le(abs(x.im), abs(x.re));
        V big = choose(wide, x.re, x.im), small = choose(wide, x.im, x.re);
        V ratio = div(small, big);
        V scale = add(big, mul(small, ratio));
        return choose(wide, Number{div(c(1), scale), div(neg(ratio), scale)},
                      Number{div(ratio, scale), div(c(-1), scale)});
    }
    Number sign(Number x) const {
        V size = modulus(x);
        V infinite = is_inf(size);
        // Of infinite numbers the infinite parts count alike.
        Number finite{div(x.re, size), div(x.im, size)};
        V re_infinite = is_inf(x.re), im_infinite = is_inf(x.im);
        V half = c(std::numbers::sqrt2 / 2);
        V all = choose(both(re_infinite, im_infinite), half, c(1));
        Number direction{choose(re_infinite, copysign(all, x.re), c(0)),
                         choose(im_infinite, copysign(all, x.im), c(0))};
        V zero = both(eq(x.re, c(0)), eq(x.im, c(0)));
        return choose(zero, number(0), choose(infinite, direction, finite));
    }

    // Comparisons.
    V nonzero(Number x) const { return either(ne(x.re, c(0)), ne(x.im, c(0))); }
    using Arithmetic::is_nan;
    V is_nan(Number x) const { return either(is_nan(x.re), is_nan(x.im)); }
    V ordered(Number x, Number y, bool or_equal) const {
        V known = negated(either(is_nan(x.im), is_nan(y.im)));
        V by_im = or_equal ? le(x.im, y.im) : lt(x.im, y.im);
        return either(both(lt(x.re, y.re), known), both(eq(x.re, y.re), by_im));
    }

    // Exponentials and logarithms.
    Number exp(Number x) const {
        V size = op(S::Exp, x.re);
        V real = eq(x.im, c(0));
        V cosine = op(S::Cos, x.im), sine = op(S::Sin, x.im);
        // Near the top of the range the factor is split, so that what fits does not overflow on the way.
        const double limit = type == DType::Float32 ? 88 : 709;
        V large = op(S::Gt, x.re, c(limit));
        V rest = op(S::Exp, choose(large, sub(x.re, c(limit)), c(0)));
        V top = choose(large, op(S::Exp, c(limit)), size);
        Number result{mul(mul(cosine, top), rest), mul(mul(sine, top), rest)};
        V vanishes = both(is_inf(x.re), lt(x.re, c(0)));
        V wild = negated(op(S::IsFinite, x.im));
        result = choose(both(vanishes, wild), number(0), result);
        V explodes = both(both(is_inf(x.re), op(S::Gt, x.re, c(0))), wild);
        result = choose(explodes, Number{x.re, sub(x.im, x.im)}, result);
        return choose(real, Number{size, x.im}, result);
    }
    V log_modulus(Number x) const {
        V a = abs(x.re), d = abs(x.im);
        V high = op(S::Max, a, d), low = op(S::Min, a, d);
        V size = modulus(x);
        V near_one = both(op(S::Gt, size, c(0.5)), lt(size, c(2)));
        V difference = add(mul(sub(high, c(1)), add(high, c(1))), mul(low, low));
        return choose(near_one, mul(c(0.5), op(S::Log1p, choose(near_one, difference, c(0)))), op(S::Log, size));
    }
    Number log(Number x) const { return {log_modulus(x), angle(x)}; }
    Number log1p(Number x) const {
        V size = op(S::Hypot, add(x.re, c(1)), x.im);
        // Small numbers would vanish beside 1.
        V square = add(mul(x.re, add(x.re, c(2))), mul(x.im, x.im));
        V small = lt(abs(square), c(0.5));
        V re = choose(small, mul(c(0.5), op(S::Log1p, choose(small, square, c(0)))), op(S::Log, size));
        return {re, op(S::Atan2, x.im, add(x.re, c(1)))};
    }
    Number expm1(Number x) const {
        V half_sine = op(S::Sin, mul(x.im, c(0.5)));
        V re = sub(mul(op(S::Expm1, x.re), op(S::Cos, x.im)), mul(c(2), mul(half_sine, half_sine)));
        return {re, mul(op(S::Exp, x.re), op(S::Sin, x.im))};
    }

    Number sqrt(Number x) const {
        const double huge = type == DType::Float32 ? 0x1p126 : 0x1p1022;
        V large = either(op(S::Gt, abs(x.re), c(huge)), op(S::Gt, abs(x.im), c(huge)));
        V down = choose(large, c(0.25), c(1));
        Number z{mul(x.re, down), mul(x.im, down)};
        V root = op(S::Sqrt, mul(add(abs(z.re), modulus(z)), c(0.5)));
        V other = div(abs(z.im), mul(root, c(2)));
        V right = op(S::Ge, z.re, c(0));
        V up = choose(large, c(2), c(1));
        Number result{mul(choose(right, root, other), up), copysign(mul(choose(right, other, root), up), x.im)};
        V re_infinite = is_inf(x.re);
        V positive = op(S::Gt, x.re, c(0));
        Number along{choose(positive, x.re, choose(is_nan(x.im), x.im, c(0))),
                     choose(positive, choose(is_nan(x.im), x.im, copysign(c(0), x.im)), copysign(infinity(), x.im))};
        result = choose(re_infinite, along, result);
        result = choose(is_inf(x.im), Number{infinity(), x.im}, result);
        return choose(both(eq(x.re, c(0)), eq(x.im, c(0))), Number{c(0), x.im}, result);
    }

    // Circular and hyperbolic functions.
    static Number times_i(Number x, const Complex& f) { return {f.neg(x.im), x.re}; }
    static Number over_i(Number x, const Complex& f) { return {x.im, f.neg(x.re)}; }
    /// (x - inf or NaN) * 0 would spoil purely real or imaginary arguments: a factor of 0 stays 0.
    V product(V x, V y) const { return choose(eq(x, c(0)), copysign(c(0), mul(x, copysign(c(1), y))), mul(x, y)); }
    /// Infinite in a direction that is not known.
    V is_boundless(Number x) const { return both(is_inf(x.re), negated(op(S::IsFinite, x.im))); }
    Number sinh(Number x) const {
        V re = product(op(S::Sinh, x.re), op(S::Cos, x.im));
        return {choose(is_boundless(x), x.re, re), product(op(S::Sin, x.im), op(S::Cosh, x.re))};
    }
    Number cosh(Number x) const {
        V im = mul(op(S::Sinh, x.re), op(S::Sin, x.im));
        V trivial = either(eq(x.re, c(0)), eq(x.im, c(0)));
        V zero = copysign(c(0), mul(copysign(c(1), x.re), copysign(c(1), x.im)));
        V re = mul(op(S::Cosh, x.re), op(S::Cos, x.im));
        return {choose(is_boundless(x), infinity(), re), choose(trivial, zero, im)};
    }
    Number tanh(Number x) const {
        V t = op(S::Tan, x.im);
        V beta = add(c(1), mul(t, t));
        V s = op(S::Sinh, x.re);
        V rho = op(S::Sqrt, add(c(1), mul(s, s)));
        V denominator = add(c(1), mul(beta, mul(s, s)));
        Number result{div(mul(mul(beta, rho), s), denominator), div(t, denominator)};
        V far = op(S::Gt, abs(x.re), c(type == DType::Float32 ? 11 : 22));
        V fading = op(S::Exp, mul(c(-2), abs(x.re)));
        V im = mul(mul(c(4), mul(op(S::Sin, x.im), op(S::Cos, x.im))), fading);
        V wild = negated(op(S::IsFinite, x.im));
        Number limit{choose(both(wild, negated(is_inf(x.re))), im, copysign(c(1), x.re)),
                     choose(is_boundless(x), copysign(c(0), x.im), im)};
        return kept_zeros(x, choose(far, limit, result));
    }
    /// Of a purely real or imaginary number one part stays 0, whatever the other is.
    Number kept_zeros(Number x, Number result) const {
        return {choose(eq(x.re, c(0)), x.re, result.re), choose(eq(x.im, c(0)), x.im, result.im)};
    }
    V is_infinite(Number x) const { return either(is_inf(x.re), is_inf(x.im)); }
    /// Kahan: from the roots of 1 - z and 1 + z.
    Number asin(Number x) const {
        Number down = sqrt({sub(c(1), x.re), neg(x.im)}), up = sqrt({add(c(1), x.re), x.im});
        V re = op(S::Atan2, x.re, sub(mul(down.re, up.re), mul(down.im, up.im)));
        V im = op(S::Asinh, sub(mul(down.re, up.im), mul(down.im, up.re)));
        Number limit{op(S::Atan2, x.re, abs(x.im)), copysign(infinity(), x.im)};
        return choose(is_infinite(x), limit, {choose(eq(x.re, c(0)), x.re, re), im});
    }
    Number acos(Number x) const {
        Number down = sqrt({sub(c(1), x.re), neg(x.im)}), up = sqrt({add(c(1), x.re), x.im});
        V re = mul(c(2), op(S::Atan2, down.re, up.re));
        V im = op(S::Asinh, sub(mul(up.re, down.im), mul(up.im, down.re)));
        Number limit{op(S::Atan2, abs(x.im), x.re), neg(copysign(infinity(), x.im))};
        return choose(is_infinite(x), limit, {choose(eq(x.re, c(0)), c(std::numbers::pi / 2), re), im});
    }
    Number acosh(Number x) const {
        Number below = sqrt({sub(x.re, c(1)), x.im}), above = sqrt({add(x.re, c(1)), x.im});
        V re = op(S::Asinh, add(mul(below.re, above.re), mul(below.im, above.im)));
        V im = mul(c(2), op(S::Atan2, below.im, above.re));
        im = choose(both(eq(x.re, c(0)), is_nan(x.im)), c(std::numbers::pi / 2), im);
        return choose(is_infinite(x), Number{infinity(), angle(x)}, {re, im});
    }
    Number atanh(Number x) const {
        // Of the absolute value, as the logarithm of a sum loses digits where the terms cancel.
        V size = abs(x.re), less_one = sub(c(1), size);
        V distance = add(mul(less_one, less_one), mul(x.im, x.im));
        V re = copysign(mul(c(0.25), op(S::Log1p, div(mul(c(4), size), distance))), x.re);
        V im = mul(c(0.5), op(S::Atan2, mul(c(2), x.im), sub(mul(less_one, add(c(1), size)), mul(x.im, x.im))));
        Number limit{copysign(c(0), x.re), choose(is_nan(x.im), x.im, copysign(c(std::numbers::pi / 2), x.im))};
        return choose(is_infinite(x), limit, {choose(eq(x.re, c(0)), x.re, re), im});
    }

    Number power(Number x, Number y) const {
        Number general = exp(mul(y, log(x)));
        // Small integers by multiplication.
        V whole = both(eq(y.im, c(0)), both(eq(op(S::Trunc, y.re), y.re), lt(abs(y.re), c(100))));
        V count = b.cast(choose(whole, abs(y.re), c(0)), DType::Int32);
        Number product = number(1), square = x;
        for (int bit = 0; bit < 7; ++bit) {
            V taken = b.scalar(S::Ne, b.scalar(S::BitAnd, count, b.i32(1 << bit)), b.i32(0));
            product = choose(taken, bit == 0 ? x : mul(product, square), product);
            if (bit < 6) square = mul(square, square);
        }
        product = choose(lt(y.re, c(0)), div(number(1), product), product);
        V nan = c(std::numeric_limits<double>::quiet_NaN());
        V zero_base = both(eq(x.re, c(0)), eq(x.im, c(0)));
        V to_zero = op(S::Gt, y.re, c(0));
        Number result = choose(whole, product, general);
        result = choose(zero_base, choose(to_zero, number(0), Number{nan, nan}), result);
        return choose(both(eq(y.re, c(0)), eq(y.im, c(0))), number(1), result);
    }
};

}  // namespace

Number lower_complex(ir::Builder& b, ElementOp op, DType part, std::span<const Number> args) {
    const Complex f(b, part);
    const Number x = args[0];
    const Number y = args.size() > 1 ? args[1] : Number{};
    switch (op) {
        case ElementOp::Add:
            return f.add(x, y);
        case ElementOp::Subtract:
            return f.sub(x, y);
        case ElementOp::Multiply:
            return f.mul(x, y);
        case ElementOp::Divide:
            return f.div(x, y);
        case ElementOp::Power:
        case ElementOp::FloatPower:
            return f.power(x, y);
        case ElementOp::Negative:
            return f.neg(x);
        case ElementOp::Positive:
            return x;
        case ElementOp::Absolute:
            return {f.modulus(x)};
        case ElementOp::Sign:
            return f.sign(x);
        case ElementOp::Square:
            return f.mul(x, x);
        case ElementOp::Reciprocal:
            return f.reciprocal(x);
        case ElementOp::Conjugate:
            return f.conj(x);
        case ElementOp::Equal:
            return {f.both(f.eq(x.re, y.re), f.eq(x.im, y.im))};
        case ElementOp::NotEqual:
            return {f.either(f.ne(x.re, y.re), f.ne(x.im, y.im))};
        case ElementOp::Less:
            return {f.ordered(x, y, false)};
        case ElementOp::LessEqual:
            return {f.ordered(x, y, true)};
        case ElementOp::Greater:
            return {f.ordered(y, x, false)};
        case ElementOp::GreaterEqual:
            return {f.ordered(y, x, true)};
        case ElementOp::LogicalAnd:
            return {f.both(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalOr:
            return {f.either(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalXor:
            return {f.op(S::BitXor, f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalNot:
            return {f.negated(f.nonzero(x))};
        case ElementOp::Maximum:
            return f.choose(f.either(f.is_nan(x), f.ordered(y, x, true)), x, y);
        case ElementOp::Minimum:
            return f.choose(f.either(f.is_nan(x), f.ordered(x, y, true)), x, y);
        case ElementOp::Fmax:
            return f.choose(f.either(f.is_nan(y), f.ordered(y, x, true)), x, y);
        case ElementOp::Fmin:
            return f.choose(f.either(f.is_nan(y), f.ordered(x, y, true)), x, y);
        case ElementOp::IsNan:
            return {f.is_nan(x)};
        case ElementOp::IsInf:
            return {f.either(f.is_inf(x.re), f.is_inf(x.im))};
        case ElementOp::IsFinite:
            return {f.both(f.op(S::IsFinite, x.re), f.op(S::IsFinite, x.im))};
        case ElementOp::Rint:
            return {f.op(S::Rint, x.re), f.op(S::Rint, x.im)};
        case ElementOp::Sqrt:
            return f.sqrt(x);
        case ElementOp::Exp:
            return f.exp(x);
        case ElementOp::Exp2:
            return f.exp(f.scaled(x, std::numbers::ln2));
        case ElementOp::Expm1:
            return f.expm1(x);
        case ElementOp::Log:
            return f.log(x);
        case ElementOp::Log2:
            return f.scaled(f.log(x), std::numbers::log2e);
        case ElementOp::Log10:
            return f.scaled(f.log(x), std::numbers::log10e);
        case ElementOp::Log1p:
            return f.log1p(x);
        case ElementOp::Sin:
            return Complex::over_i(f.sinh(Complex::times_i(x, f)), f);
        case ElementOp::Cos:
            return f.cosh(Complex::times_i(x, f));
        case ElementOp::Tan:
            return Complex::over_i(f.tanh(Complex::times_i(x, f)), f);
        case ElementOp::Sinh:
            return f.sinh(x);
        case ElementOp::Cosh:
            return f.cosh(x);
        case ElementOp::Tanh:
            return f.tanh(x);
        case ElementOp::Arcsin:
            return f.asin(x);
        case ElementOp::Arccos:
            return f.acos(x);
        case ElementOp::Arctan:
            return Complex::over_i(f.atanh(Complex::times_i(x, f)), f);
        case ElementOp::Arcsinh:
            return Complex::over_i(f.asin(Complex::times_i(x, f)), f);
        case ElementOp::Arccosh:
            return f.acosh(x);
        case ElementOp::Arctanh:
            return f.atanh(x);
        default:
            no_lowering(op, complex_of(part));
    }
}

}  // namespace lanewise
