// Elementwise operations of integers and booleans. Integers wrap; nothing traps.
#include "array/arithmetic.h"
#include "array/division.h"
#include "array/lower.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

struct Integer : Arithmetic {
    using Arithmetic::Arithmetic;

    V nonzero(V x) const { return is_bool(type) ? x : ne(x, c(0)); }
    DType unsigned_type() const { return *dtype_from_kind('u', size_of(type)); }

    /// The remainder of C's %, 0 for a divisor of 0.
    V fmod(V x, V y) const {
        V unsafe = eq(y, c(0));
        if (is_signed(type)) unsafe = either(unsafe, eq(y, c(-1)));
        V remainder = op(S::Rem, x, choose(unsafe, c(1), y));
        return choose(unsafe, c(0), remainder);
    }

    /// Of 8 and 16 bits: a quotient of floats has fewer digits than a float, so rounding leaves it on its side of each
    /// integer. Unlike a division of integers it vectorises.
    V divide_small(ElementOp which, V x, V y) const {
        V none = eq(y, c(0));
        V divisor = choose(none, c(1), y);
        V exact = op(S::Div, b.cast(x, DType::Float32), b.cast(divisor, DType::Float32));
        V quotient = b.cast(b.cast(op(which == ElementOp::Fmod ? S::Trunc : S::Floor, exact), DType::Int32), type);
        if (which == ElementOp::FloorDivide) return choose(none, c(0), quotient);
        return sub(x, mul(quotient, divisor));
    }

    /// do { ... } while: `step` gives the next values and whether to go on.
    template <class Step>
    std::vector<V> loop(std::vector<V> values, V enter, Step&& step) const {
        ir::Block* before = b.block();
        ir::Block* body = b.new_block("loop");
        ir::Block* done = b.new_block("looped");
        b.cond_branch(enter, body, done);
        b.set_block(body);
        std::vector<V> current;
        for (V value : values) {
            V phi = b.phi(value->type);
            ir::Builder::add_incoming(phi, value, before);
            current.push_back(phi);
        }
        auto [next, again] = step(current);
        ir::Block* last = b.block();
        b.cond_branch(again, body, done);
        for (std::size_t i = 0; i < values.size(); ++i) ir::Builder::add_incoming(current[i], next[i], last);
        b.set_block(done);
        std::vector<V> results;
        for (std::size_t i = 0; i < values.size(); ++i) {
            V phi = b.phi(values[i]->type);
            ir::Builder::add_incoming(phi, values[i], before);
            ir::Builder::add_incoming(phi, next[i], last);
            results.push_back(phi);
        }
        return results;
    }

    V power(V base, V exponent) const {
        const DType word = unsigned_type();
        V positive = is_signed(type) ? op(S::Gt, exponent, c(0)) : ne(exponent, c(0));
        V count = b.cast(exponent, word);
        auto results = loop({c(1), base, count}, positive, [&](const std::vector<V>& v) {
            V odd = ne(both(v[2], b.constant(word, 1)), b.constant(word, 0));
            V rest = op(S::Shr, v[2], b.constant(word, 1));
            return std::pair(std::vector<V>{choose(odd, mul(v[0], v[1]), v[0]), mul(v[1], v[1]), rest},
                             ne(rest, b.constant(word, 0)));
        });
        if (!is_signed(type)) return results[0];
        V one_or_sign = choose(eq(base, c(1)), c(1),
                               choose(eq(base, c(-1)), choose(ne(both(exponent, c(1)), c(0)), c(-1), c(1)), c(0)));
        return choose(lt(exponent, c(0)), one_or_sign, results[0]);
    }

    V magnitude(V x) const { return b.cast(is_signed(type) ? abs(x) : x, unsigned_type()); }

    /// Of magnitudes.
    V gcd(V x, V y) const {
        const DType word = unsigned_type();
        V zero = b.constant(word, 0);
        return loop({x, y}, ne(y, zero), [&](const std::vector<V>& v) {
            V rest = op(S::Rem, v[0], v[1]);
            return std::pair(std::vector<V>{v[1], rest}, ne(rest, zero));
        })[0];
    }
    V lcm(V x, V y) const {
        const DType word = unsigned_type();
        V divisor = gcd(x, y);
        V zero = b.constant(word, 0);
        V none = eq(divisor, zero);
        return choose(none, zero, mul(op(S::Div, x, choose(none, b.constant(word, 1), divisor)), y));
    }
};

Number lower_bool(const Integer& f, ElementOp op, V x, V y) {
    switch (op) {
        case ElementOp::Add:
        case ElementOp::BitwiseOr:
        case ElementOp::LogicalOr:
        case ElementOp::Maximum:
        case ElementOp::Fmax:
            return {f.either(x, y)};
        case ElementOp::Multiply:
        case ElementOp::BitwiseAnd:
        case ElementOp::LogicalAnd:
        case ElementOp::Minimum:
        case ElementOp::Fmin:
            return {f.both(x, y)};
        case ElementOp::BitwiseXor:
        case ElementOp::LogicalXor:
        case ElementOp::NotEqual:
            return {f.op(S::BitXor, x, y)};
        case ElementOp::Equal:
            return {f.negated(f.op(S::BitXor, x, y))};
        case ElementOp::Less:
            return {f.both(f.negated(x), y)};
        case ElementOp::LessEqual:
            return {f.either(f.negated(x), y)};
        case ElementOp::Greater:
            return {f.both(x, f.negated(y))};
        case ElementOp::GreaterEqual:
            return {f.either(x, f.negated(y))};
        case ElementOp::Invert:
        case ElementOp::LogicalNot:
            return {f.negated(x)};
        case ElementOp::Absolute:
        case ElementOp::BitwiseCount:
        case ElementOp::Floor:
        case ElementOp::Ceil:
        case ElementOp::Trunc:
            return {x};
        case ElementOp::IsNan:
        case ElementOp::IsInf:
            return {f.b.boolean(false)};
        case ElementOp::IsFinite:
            return {f.b.boolean(true)};
        default:
            no_lowering(op, f.type);
    }
}

}  // namespace

Number lower_integer(ir::Builder& b, ElementOp op, DType type, std::span<const Number> args) {
    const Integer f(b, type);
    V x = args[0].re;
    V y = args.size() > 1 ? args[1].re : nullptr;
    if (is_bool(type)) return lower_bool(f, op, x, y);
    if (size_of(type) <= 2 && is_integer_division(op, type)) return {f.divide_small(op, x, y)};
    switch (op) {
        case ElementOp::Add:
            return {f.add(x, y)};
        case ElementOp::Subtract:
            return {f.sub(x, y)};
        case ElementOp::Multiply:
            return {f.mul(x, y)};
        case ElementOp::FloorDivide:
            return {f.op(S::FloorDiv, x, y)};
        case ElementOp::Remainder:
            return {f.op(S::Mod, x, y)};
        case ElementOp::Fmod:
            return {f.fmod(x, y)};
        case ElementOp::Power:
            return {f.power(x, y)};
        case ElementOp::Negative:
            return {f.neg(x)};
        case ElementOp::Positive:
        case ElementOp::Conjugate:
        case ElementOp::Floor:
        case ElementOp::Ceil:
        case ElementOp::Trunc:
            return {x};
        case ElementOp::Absolute:
            return {is_signed(type) ? f.abs(x) : x};
        case ElementOp::Sign: {
            V positive = f.choose(f.op(S::Gt, x, f.c(0)), f.c(1), f.c(0));
            return {is_signed(type) ? f.choose(f.lt(x, f.c(0)), f.c(-1), positive) : positive};
        }
        case ElementOp::Square:
            return {f.mul(x, x)};
        case ElementOp::Reciprocal: {
            V result = f.choose(f.eq(x, f.c(1)), f.c(1), f.c(0));
            return {is_signed(type) ? f.choose(f.eq(x, f.c(-1)), f.c(-1), result) : result};
        }
        case ElementOp::Gcd:
            return {b.cast(f.gcd(f.magnitude(x), f.magnitude(y)), type)};
        case ElementOp::Lcm:
            return {b.cast(f.lcm(f.magnitude(x), f.magnitude(y)), type)};
        case ElementOp::BitwiseAnd:
            return {f.both(x, y)};
        case ElementOp::BitwiseOr:
            return {f.either(x, y)};
        case ElementOp::BitwiseXor:
            return {f.op(S::BitXor, x, y)};
        case ElementOp::Invert:
            return {f.op(S::BitNot, x)};
        case ElementOp::LeftShift:
            return {f.op(S::Shl, x, y)};
        case ElementOp::RightShift:
            return {f.op(S::Shr, x, y)};
        case ElementOp::BitwiseCount:
            return {f.op(S::PopCount, f.magnitude(x))};
        case ElementOp::Equal:
            return {f.eq(x, y)};
        case ElementOp::NotEqual:
            return {f.ne(x, y)};
        case ElementOp::Less:
            return {f.lt(x, y)};
        case ElementOp::LessEqual:
            return {f.le(x, y)};
        case ElementOp::Greater:
            return {f.op(S::Gt, x, y)};
        case ElementOp::GreaterEqual:
            return {f.op(S::Ge, x, y)};
        case ElementOp::LogicalAnd:
            return {f.both(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalOr:
            return {f.either(f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalXor:
            return {f.op(S::BitXor, f.nonzero(x), f.nonzero(y))};
        case ElementOp::LogicalNot:
            return {f.eq(x, f.c(0))};
        case ElementOp::Maximum:
        case ElementOp::Fmax:
            return {f.op(S::Max, x, y)};
        case ElementOp::Minimum:
        case ElementOp::Fmin:
            return {f.op(S::Min, x, y)};
        case ElementOp::IsNan:
        case ElementOp::IsInf:
            return {b.boolean(false)};
        case ElementOp::IsFinite:
            return {b.boolean(true)};
        default:
            no_lowering(op, type);
    }
}

}  // namespace lanewise
