#include "passes/expand_ops.h"

#include <bit>

#include "ir/builder.h"
#include "passes/replace.h"

namespace lanewise::passes {

using namespace ir;

namespace {

class Expander {
public:
    explicit Expander(Builder& builder) : b_(builder) {}

    Value* expand(const Value& value) {
        Value* x = value.operands[0];
        Value* y = value.operands.size() > 1 ? value.operands[1] : nullptr;
        const DType type = x->type.dtype;
        if (is_float(type) && size_of(type) == 2) return in_float32(value);
        switch (value.scalar) {
            case ScalarOp::FloorDiv:
                return is_float(type) ? float_floor_div(x, y) : floor_div(x, y);
            case ScalarOp::Mod:
                return is_float(type) ? float_mod(x, y) : mod(x, y);
            case ScalarOp::Minimum:
                return is_float(type) ? ordered_choice(x, y, b_.lt(x, y)) : binary(ScalarOp::Min, x, y);
            case ScalarOp::Maximum:
                return is_float(type) ? ordered_choice(x, y, b_.lt(y, x)) : binary(ScalarOp::Max, x, y);
            case ScalarOp::FrexpFraction:
                return frexp(x).fraction;
            case ScalarOp::FrexpExponent:
                return frexp(x).exponent;
            default:
                throw Error(ErrorKind::Internal,
                            "passes::expand_ops: no expansion for '" + std::string(info(value.scalar).name) + "'");
        }
    }

private:
    Value* binary(ScalarOp op, Value* x, Value* y) { return b_.scalar(op, x, y); }
    Value* constant(const Value* like, std::int64_t value) { return b_.constant(like->type.dtype, value); }
    Value* real(const Value* like, double value) { return b_.constant_float(like->type.dtype, value); }
    Value* both(Value* x, Value* y) { return binary(ScalarOp::BitAnd, x, y); }
    Value* either(Value* x, Value* y) { return binary(ScalarOp::BitOr, x, y); }
    Value* not_zero(Value* x) { return binary(ScalarOp::Ne, x, constant(x, 0)); }

    /// The 16-bit types: exact for min, max, fmod and frexp; one more rounding, of the quotient, for floor_div.
    Value* in_float32(const Value& value) {
        std::vector<Value*> operands;
        for (Value* operand : value.operands) operands.push_back(b_.cast(operand, DType::Float32));
        Value wide = value;
        wide.operands = operands;
        Value* result = expand(wide);
        return value.type.is_scalar() && is_float(value.type.dtype) ? b_.cast(result, value.type.dtype) : result;
    }

    /// floor(x / c) and the remainder by shift and mask when c is a positive power of two.
    static int power_of_two(const Value* divisor) {
        auto c = constant_integer(divisor);
        if (!c || *c <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(*c))) return -1;
        return std::countr_zero(static_cast<std::uint64_t>(*c));
    }

    /// For signed x and a constant c > 0: ~x for negative x, else x; both directions, since it is its own inverse.
    /// floor(x / c) is the unsigned quotient of the folded value, folded back.
    Value* sign_mask(Value* x) { return binary(ScalarOp::Shr, x, constant(x, bits(x->type.dtype) - 1)); }

    Value* floor_div_positive(Value* x, Value* c) {
        const DType type = x->type.dtype;
        const DType magnitude = *dtype_from_kind('u', size_of(type));
        Value* mask = sign_mask(x);
        Value* folded = b_.cast(binary(ScalarOp::BitXor, x, mask), magnitude);
        Value* quotient = binary(ScalarOp::Div, folded, b_.cast(c, magnitude));
        return binary(ScalarOp::BitXor, b_.cast(quotient, type), mask);
    }

    Value* floor_div(Value* x, Value* y) {
        const DType type = x->type.dtype;
        const int shift = power_of_two(y);
        if (shift >= 0) return binary(ScalarOp::Shr, x, constant(x, shift));
        auto c = constant_integer(y);
        if (c && *c == 0) return constant(x, 0);
        if (is_unsigned(type)) {
            if (c) return binary(ScalarOp::Div, x, y);
            Value* zero = b_.eq(y, constant(y, 0));
            Value* quotient = binary(ScalarOp::Div, x, b_.select(zero, constant(y, 1), y));
            return b_.select(zero, constant(y, 0), quotient);
        }
        if (c && *c == -1) return b_.scalar(ScalarOp::Neg, x);
        if (c && *c > 0) return floor_div_positive(x, y);
        Value* divisor = safe_divisor(y);
        Value* quotient = binary(ScalarOp::Div, x, divisor);
        Value* remainder = b_.sub(x, b_.mul(quotient, divisor));
        Value* floored = b_.sub(quotient, b_.cast(wrong_sign(remainder, divisor), type));
        // The divisors that were replaced: 0 gives 0, -1 negates (and the lowest number wraps to itself).
        Value* special = b_.select(b_.eq(y, constant(y, 0)), constant(y, 0), b_.scalar(ScalarOp::Neg, x));
        return c ? floored : b_.select(is_unsafe(y), special, floored);
    }

    Value* mod(Value* x, Value* y) {
        const DType type = x->type.dtype;
        const int shift = power_of_two(y);
        if (shift >= 0) return both(x, constant(x, (std::int64_t(1) << shift) - 1));
        auto c = constant_integer(y);
        if (c && (*c == 0 || (*c == -1 && is_signed(type)))) return constant(x, 0);
        if (is_unsigned(type)) {
            Value* divisor = c ? y : b_.select(b_.eq(y, constant(y, 0)), constant(y, 1), y);
            return binary(ScalarOp::Rem, x, divisor);
        }
        if (c && *c > 0) return b_.sub(x, b_.mul(floor_div_positive(x, y), y));
        Value* remainder = binary(ScalarOp::Rem, x, safe_divisor(y));
        return b_.add(remainder, b_.select(wrong_sign(remainder, y), y, constant(y, 0)));
    }

    /// 0 or -1: the divisors for which the machine's division is undefined for some dividend.
    Value* is_unsafe(Value* y) {
        const DType magnitude = *dtype_from_kind('u', size_of(y->type.dtype));
        Value* shifted = b_.cast(b_.add(y, constant(y, 1)), magnitude);
        return binary(ScalarOp::Le, shifted, b_.constant(magnitude, 1));
    }
    Value* safe_divisor(Value* y) { return constant_integer(y) ? y : b_.select(is_unsafe(y), constant(y, 1), y); }
    /// A remainder that is not zero and has another sign than the divisor.
    Value* wrong_sign(Value* remainder, Value* divisor) {
        return both(not_zero(remainder), b_.lt(binary(ScalarOp::BitXor, remainder, divisor), constant(divisor, 0)));
    }

    struct Divided {
        Value* remainder;
        Value* has_remainder;  ///< also for NaN
        Value* adjust;         ///< the remainder has the dividend's sign and needs the divisor's
    };
    /// The common part of CPython's float_divmod.
    Divided divide(Value* x, Value* y) {
        Value* zero = real(x, 0.0);
        Value* remainder = binary(ScalarOp::Rem, x, y);
        Value* has_remainder = binary(ScalarOp::Ne, remainder, zero);
        Value* signs_differ = binary(ScalarOp::Ne, b_.lt(y, zero), b_.lt(remainder, zero));
        return {remainder, has_remainder, both(has_remainder, signs_differ)};
    }

    Value* float_mod(Value* x, Value* y) {
        const Divided d = divide(x, y);
        Value* adjusted = b_.select(d.adjust, b_.add(d.remainder, y), d.remainder);
        return b_.select(d.has_remainder, adjusted, binary(ScalarOp::CopySign, real(x, 0.0), y));
    }

    Value* float_floor_div(Value* x, Value* y) {
        const Divided d = divide(x, y);
        Value* zero = real(x, 0.0);
        Value* quotient = binary(ScalarOp::Div, b_.sub(x, d.remainder), y);
        quotient = b_.select(d.adjust, b_.sub(quotient, real(x, 1.0)), quotient);
        Value* floored = b_.scalar(ScalarOp::Floor, quotient);
        Value* rounded_down = binary(ScalarOp::Gt, b_.sub(quotient, floored), real(x, 0.5));
        floored = b_.select(rounded_down, b_.add(floored, real(x, 1.0)), floored);
        Value* plain = binary(ScalarOp::Div, x, y);
        Value* result =
            b_.select(binary(ScalarOp::Ne, quotient, zero), floored, binary(ScalarOp::CopySign, zero, plain));
        // Where CPython raises ZeroDivisionError, NumPy gives the quotient's infinity or NaN.
        return b_.select(b_.eq(y, zero), plain, result);
    }

    /// NumPy's minimum and maximum: x when `x_wins` or x is NaN, else y (which may be NaN).
    Value* ordered_choice(Value* x, Value* y, Value* x_wins) {
        return b_.select(either(x_wins, b_.scalar(ScalarOp::IsNan, x)), x, y);
    }

    struct Parts {
        Value* fraction;
        Value* exponent;
    };
    /// x = fraction * 2**exponent with 0.5 <= |fraction| < 1; zeros, infinities and NaN: themselves and 0.
    Parts frexp(Value* x) {
        const DType type = x->type.dtype;
        const bool wide = type == DType::Float64;
        const DType word = wide ? DType::Int64 : DType::Int32;
        const int mantissa = wide ? 52 : 23;
        const int exponent_mask = wide ? 0x7ff : 0xff;
        const int half_exponent = wide ? 1022 : 126;
        const int scale = mantissa + 2;
        // Subnormals are brought into the normal range first.
        Value* smallest = real(x, wide ? 0x1p-1022 : 0x1p-126);
        Value* subnormal = b_.lt(b_.scalar(ScalarOp::Abs, x), smallest);
        Value* scaled = b_.select(subnormal, b_.mul(x, real(x, wide ? 0x1p54 : 0x1p25)), x);
        Value* encoded = b_.bitcast(scaled, Type::scalar(word));
        auto word_constant = [&](std::int64_t value) { return b_.constant(word, value); };
        Value* biased = both(binary(ScalarOp::Shr, encoded, word_constant(mantissa)), word_constant(exponent_mask));
        Value* offset = b_.select(subnormal, b_.i32(half_exponent + scale), b_.i32(half_exponent));
        Value* exponent = b_.sub(b_.cast(biased, DType::Int32), offset);
        Value* kept = both(encoded, word_constant(~(std::int64_t(exponent_mask) << mantissa)));
        Value* fraction = b_.bitcast(either(kept, word_constant(std::int64_t(half_exponent) << mantissa)), x->type);
        Value* ordinary = both(b_.scalar(ScalarOp::IsFinite, x), binary(ScalarOp::Ne, x, real(x, 0.0)));
        return {b_.select(ordinary, fraction, x), b_.select(ordinary, exponent, b_.i32(0))};
    }

    Builder& b_;
};

}  // namespace

void expand_ops(Module& module, Function& function) {
    Builder builder(module, function);
    Expander expander(builder);
    Replacements replacements;
    auto current = [&](Value* value) {
        for (auto found = replacements.find(value); found != replacements.end(); found = replacements.find(value))
            value = found->second;
        return value;
    };
    for (Block* block : function.blocks) {
        auto expands = [](const Value* v) { return v->op == Op::Scalar && info(v->scalar).lowering == "expand"; };
        bool any = false;
        for (const Value* value : block->values) any |= expands(value);
        if (!any) continue;
        std::vector<Value*> old;
        old.swap(block->values);
        builder.set_block(block);
        for (Value* value : old) {
            if (!expands(value)) {
                block->values.push_back(value);
                continue;
            }
            for (Value*& operand : value->operands) operand = current(operand);
            builder.set_location(value->at);
            replacements.emplace(value, expander.expand(*value));
        }
    }
    replace_uses(function, replacements);
}

}  // namespace lanewise::passes
