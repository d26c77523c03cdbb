// Elementwise operations of floats.
#include <numbers>

#include "array/arithmetic.h"
#include "array/lower.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

struct Float : Arithmetic {
    using Arithmetic::Arithmetic;

    V infinity() const { return c(std::numeric_limits<double>::infinity()); }
    V nonzero(V x) const { return ne(x, c(0)); }

    V sign(V x) const {
        V at_most = choose(lt(x, c(0)), c(-1), choose(eq(x, c(0)), c(0), x));
        return choose(op(S::Gt, x, c(0)), c(1), at_most);
    }

    /// log(e**x + e**y) or the same to base 2; `unit` is what equal operands add.
    V log_sum(V x, V y, S exponential, double unit, double scale) const {
        V difference = sub(x, y);
        auto tail = [&](V d) { return mul(c(scale), op(S::Log1p, op(exponential, d))); };
        V positive = add(x, tail(neg(difference)));
        V negative = add(y, tail(difference));
        V result = choose(op(S::Gt, difference, c(0)), positive, choose(le(difference, c(0)), negative, difference));
        return choose(eq(x, y), add(x, c(unit)), result);
    }

    V heaviside(V x, V at_zero) const {
        V result = choose(lt(x, c(0)), c(0), c(1));
        result = choose(eq(x, c(0)), at_zero, result);
        return choose(is_nan(x), x, result);
    }

    V spacing(V x) const {
        // NumPy measures float16 towards plus infinity, the others away from zero.
        V to = type == DType::Float16 ? infinity() : choose(eq(x, c(0)), infinity(), copysign(infinity(), x));
        V gap = sub(next_after(b, x, to), x);
        return choose(is_inf(x), c(std::numeric_limits<double>::quiet_NaN()), gap);
    }
};

std::optional<S> direct(ElementOp op) {
    switch (op) {
        case ElementOp::Add:
            return S::Add;
        case ElementOp::Subtract:
            return S::Sub;
        case ElementOp::Multiply:
            return S::Mul;
        case ElementOp::Divide:
            return S::Div;
        case ElementOp::FloorDivide:
            return S::FloorDiv;
        case ElementOp::Remainder:
            return S::Mod;
        case ElementOp::Fmod:
            return S::Rem;
        case ElementOp::Power:
        case ElementOp::FloatPower:
            return S::Pow;
        case ElementOp::Negative:
            return S::Neg;
        case ElementOp::Absolute:
        case ElementOp::Fabs:
            return S::Abs;
        case ElementOp::Equal:
            return S::Eq;
        case ElementOp::NotEqual:
            return S::Ne;
        case ElementOp::Less:
            return S::Lt;
        case ElementOp::LessEqual:
            return S::Le;
        case ElementOp::Greater:
            return S::Gt;
        case ElementOp::GreaterEqual:
            return S::Ge;
        case ElementOp::Maximum:
            return S::Maximum;
        case ElementOp::Minimum:
            return S::Minimum;
        case ElementOp::Fmax:
            return S::Max;
        case ElementOp::Fmin:
            return S::Min;
        case ElementOp::IsNan:
            return S::IsNan;
        case ElementOp::IsInf:
            return S::IsInf;
        case ElementOp::IsFinite:
            return S::IsFinite;
        case ElementOp::SignBit:
            return S::SignBit;
        case ElementOp::CopySign:
            return S::CopySign;
        case ElementOp::FrexpFraction:
            return S::FrexpFraction;
        case ElementOp::FrexpExponent:
            return S::FrexpExponent;
        case ElementOp::Floor:
            return S::Floor;
        case ElementOp::Ceil:
            return S::Ceil;
        case ElementOp::Trunc:
            return S::Trunc;
        case ElementOp::Rint:
            return S::Rint;
        case ElementOp::Sqrt:
            return S::Sqrt;
        case ElementOp::Cbrt:
            return S::Cbrt;
        case ElementOp::Exp:
            return S::Exp;
        case ElementOp::Exp2:
            return S::Exp2;
        case ElementOp::Expm1:
            return S::Expm1;
        case ElementOp::Log:
            return S::Log;
        case ElementOp::Log2:
            return S::Log2;
        case ElementOp::Log10:
            return S::Log10;
        case ElementOp::Log1p:
            return S::Log1p;
        case ElementOp::Sin:
            return S::Sin;
        case ElementOp::Cos:
            return S::Cos;
        case ElementOp::Tan:
            return S::Tan;
        case ElementOp::Arcsin:
            return S::Asin;
        case ElementOp::Arccos:
            return S::Acos;
        case ElementOp::Arctan:
            return S::Atan;
        case ElementOp::Arctan2:
            return S::Atan2;
        case ElementOp::Hypot:
            return S::Hypot;
        case ElementOp::Sinh:
            return S::Sinh;
        case ElementOp::Cosh:
            return S::Cosh;
        case ElementOp::Tanh:
            return S::Tanh;
        case ElementOp::Arcsinh:
            return S::Asinh;
        case ElementOp::Arccosh:
            return S::Acosh;
        case ElementOp::Arctanh:
            return S::Atanh;
        case ElementOp::Ldexp:
            return S::Ldexp;
        default:
            return std::nullopt;
    }
}

}  // namespace

Number lower_float(ir::Builder& b, ElementOp op, DType type, std::span<const Number> args) {
    const Float f(b, type);
    V x = args[0].re;
    V y = args.size() > 1 ? args[1].re : nullptr;
    if (auto scalar = direct(op)) return {y ? f.op(*scalar, x, y) : f.op(*scalar, x)};
    switch (op) {
        case ElementOp::Positive:
        case ElementOp::Conjugate:
            return {x};
        case ElementOp::Sign:
            return {f.sign(x)};
        case ElementOp::Square:
            return {f.mul(x, x)};
        case ElementOp::Reciprocal:
            return {f.div(f.c(1), x)};
        case ElementOp::LogicalAnd:
            return {f.both(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalOr:
            return {f.either(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalXor:
            return {f.op(S::BitXor, f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalNot:
            return {f.eq(x, f.c(0))};
        case ElementOp::NextAfter:
            return {next_after(b, x, y)};
        case ElementOp::Spacing:
            return {f.spacing(x)};
        case ElementOp::Heaviside:
            return {f.heaviside(x, y)};
        case ElementOp::ModfFraction:
            return {f.copysign(f.choose(f.is_inf(x), f.c(0), f.sub(x, f.op(S::Trunc, x))), x)};
        case ElementOp::LogAddExp:
            return {f.log_sum(x, y, S::Exp, std::numbers::ln2, 1)};
        case ElementOp::LogAddExp2:
            return {f.log_sum(x, y, S::Exp2, 1, std::numbers::log2e)};
        case ElementOp::DegToRad:
            return {f.mul(x, f.c(std::numbers::pi / 180))};
        case ElementOp::RadToDeg:
            return {f.mul(x, f.c(180 / std::numbers::pi))};
        default:
            no_lowering(op, type);
    }
}

}  // namespace lanewise
