// NumPy's arithmetic, comparison, bit and logical functions on scalars. They keep the promoted dtype, where Python's
// operators widen to 64 bits.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"
#include "frontend/python/float_functions.h"
#include "frontend/python/integer_functions.h"
#include "frontend/python/numpy_types.h"
#include "frontend/python/scalar_power.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;
using syntax::BinaryOp;

namespace {

Value* zero_of(ir::Builder& b, DType dtype) {
    return is_float(dtype) ? b.constant_float(dtype, 0) : b.constant(dtype, 0);
}

Value* one_of(ir::Builder& b, DType dtype) {
    return is_float(dtype) ? b.constant_float(dtype, 1) : b.constant(dtype, 1);
}

/// What arithmetic on booleans computes in.
DType counted(DType dtype) {
    return is_bool(dtype) ? DType::Int8 : dtype;
}

Operand in_dtype(Call& c, DType dtype, ScalarOp op) {
    return emit_scalar(
        c.e, dtype, [&](ir::Builder& b) { return b.scalar(op, argument_as(c, 0, dtype), argument_as(c, 1, dtype)); });
}

/// add and multiply of booleans are `or` and `and`.
template <ScalarOp op, ScalarOp of_bools>
Operand call_sum(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = numpy_common_dtype(c);
    return in_dtype(c, dtype, is_bool(dtype) ? of_bools : op);
}

Operand call_subtract(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = numpy_common_dtype(c);
    if (is_bool(dtype)) c.fail("booleans cannot be subtracted; np.logical_xor(a, b) tells whether they differ");
    return in_dtype(c, dtype, ScalarOp::Sub);
}

Operand call_divide(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = numpy_common_dtype(c);
    return in_dtype(c, is_float(dtype) ? dtype : DType::Float64, ScalarOp::Div);
}

template <ScalarOp op>
Operand call_counted(Call& c) {
    c.bind({"x1", "x2"}, 2);
    return in_dtype(c, counted(numpy_common_dtype(c)), op);
}

template <ScalarOp op>
Operand call_promoted(Call& c) {
    c.bind({"x1", "x2"}, 2);
    return in_dtype(c, numpy_common_dtype(c), op);
}

Operand call_divmod(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = counted(numpy_common_dtype(c));
    return c.e.tuple({in_dtype(c, dtype, ScalarOp::FloorDiv), in_dtype(c, dtype, ScalarOp::Mod)});
}

/// The remainder with the dividend's sign; 0 of a zero divisor.
Operand call_fmod(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = counted(numpy_common_dtype(c));
    if (is_float(dtype)) return in_dtype(c, dtype, ScalarOp::Rem);
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        Value* divisor = argument_as(c, 1, dtype);
        Value* one = one_of(b, dtype);
        // Dividing by 0 and by -1 is undefined for some dividends; the remainder of 1 is right for both.
        Value* unsafe = b.eq(divisor, zero_of(b, dtype));
        if (is_signed(dtype)) unsafe = b.scalar(ScalarOp::BitOr, unsafe, b.eq(divisor, b.constant(dtype, -1)));
        return b.scalar(ScalarOp::Rem, argument_as(c, 0, dtype), b.select(unsafe, one, divisor));
    });
}

Operand call_power(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType dtype = counted(numpy_common_dtype(c));
    if (is_float(dtype)) return in_dtype(c, dtype, ScalarOp::Pow);
    const DType wide = is_unsigned(dtype) ? DType::UInt64 : DType::Int64;
    const TypePtr type = scalar_type(wide);
    const Operand power = binary(c.e, BinaryOp::Pow, convert(c.e, c.args[0], type), convert(c.e, c.args[1], type));
    return convert(c.e, power, scalar_type(dtype));
}

template <Operand (*function)(Emitter&, const Operand&, const Operand&)>
Operand call_divisor(Call& c) {
    c.bind({"x1", "x2"}, 2);
    integer_argument(c, 0);
    integer_argument(c, 1);
    const DType dtype = counted(numpy_common_dtype(c));
    if (is_float(dtype)) c.fail("int64 and uint64 have no common integer type; convert one of them");
    return function(c.e, convert(c.e, c.args[0], scalar_type(dtype)), convert(c.e, c.args[1], scalar_type(dtype)));
}

/// uint64 with a signed integer compares exactly, unlike the operators.
Operand compare_mixed(Call& c, ScalarOp op, bool left_is_signed) {
    return emit_scalar(c.e, DType::Bool, [&](ir::Builder& b) {
        const Operand& with_sign = c.args[left_is_signed ? 0 : 1];
        Value* negative = b.lt(with_sign.value(), b.constant(with_sign.type->dtype, 0));
        Value* result = b.scalar(op, argument_as(c, 0, DType::UInt64), argument_as(c, 1, DType::UInt64));
        const bool below = op == ScalarOp::Lt || op == ScalarOp::Le;
        const bool above = op == ScalarOp::Gt || op == ScalarOp::Ge;
        const bool when_negative = op == ScalarOp::Ne || (left_is_signed ? below : above);
        return b.select(negative, b.boolean(when_negative), result);
    });
}

template <ScalarOp op>
Operand call_compare(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const DType left = scalar_argument(c, 0).type->dtype, right = scalar_argument(c, 1).type->dtype;
    if (is_signed(left) && right == DType::UInt64) return compare_mixed(c, op, true);
    if (left == DType::UInt64 && is_signed(right)) return compare_mixed(c, op, false);
    const DType dtype = numpy_common_dtype(c);
    return emit_scalar(c.e, DType::Bool, [&](ir::Builder& b) {
        return b.scalar(op, argument_as(c, 0, dtype), argument_as(c, 1, dtype));
    });
}

template <ScalarOp op>
Operand call_bits(Call& c) {
    c.bind({"x1", "x2"}, 2);
    integer_argument(c, 0);
    integer_argument(c, 1);
    const bool shift = op == ScalarOp::Shl || op == ScalarOp::Shr;
    const DType common = numpy_common_dtype(c);
    if (is_float(common)) c.fail("int64 and uint64 have no common integer type; convert one of them");
    return in_dtype(c, shift ? counted(common) : common, op);
}

Operand call_invert(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = integer_argument(c, 0).type->dtype;
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) { return b.scalar(ScalarOp::BitNot, c.args[0].value()); });
}

Operand call_bitwise_count(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = integer_argument(c, 0);
    return emit_scalar(c.e, DType::UInt8, [&](ir::Builder& b) {
        Value* value = argument_as(c, 0, counted(x.type->dtype));
        if (!is_unsigned(value->type.dtype)) value = b.scalar(ScalarOp::Abs, value);
        return b.cast(b.scalar(ScalarOp::PopCount, value), DType::UInt8);
    });
}

template <ScalarOp op>
Operand call_logical(Call& c) {
    c.bind({"x1", "x2"}, 2);
    const Operand left = truth(c.e, scalar_argument(c, 0));
    const Operand right = truth(c.e, scalar_argument(c, 1));
    return emit_scalar(c.e, DType::Bool, [&](ir::Builder& b) { return b.scalar(op, left.value(), right.value()); });
}

Operand call_logical_not(Call& c) {
    c.bind({"x"}, 1);
    scalar_argument(c, 0);
    return unary(c.e, syntax::UnaryOp::Not, c.args[0]);
}

Operand call_absolute(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    if (is_unsigned(x.type->dtype) || x.type->is_bool()) return x;
    return emit_scalar(c.e, x.type->dtype, [&](ir::Builder& b) { return b.scalar(ScalarOp::Abs, x.value()); });
}

Operand call_negative(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    if (x.type->is_bool()) c.fail("a boolean cannot be negated; np.logical_not(x) inverts it");
    return emit_scalar(c.e, x.type->dtype, [&](ir::Builder& b) { return b.scalar(ScalarOp::Neg, x.value()); });
}

Operand call_positive(Call& c) {
    c.bind({"x"}, 1);
    return scalar_argument(c, 0);
}

Operand call_square(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = counted(scalar_argument(c, 0).type->dtype);
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        Value* x = argument_as(c, 0, dtype);
        return b.mul(x, x);
    });
}

/// Of integers the integer quotient 1 // x towards zero: 0 but for 1 and -1, and 0 of 0.
Operand call_reciprocal(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = counted(scalar_argument(c, 0).type->dtype);
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        Value* x = argument_as(c, 0, dtype);
        if (is_float(dtype)) return b.scalar(ScalarOp::Div, one_of(b, dtype), x);
        Value* is_unit = b.eq(x, one_of(b, dtype));
        if (is_signed(dtype)) is_unit = b.scalar(ScalarOp::BitOr, is_unit, b.eq(x, b.constant(dtype, -1)));
        return b.select(is_unit, x, zero_of(b, dtype));
    });
}

Operand call_sign(Call& c) {
    c.bind({"x"}, 1);
    const Operand& x = scalar_argument(c, 0);
    const DType dtype = x.type->dtype;
    if (x.type->is_bool()) return x;
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        if (is_float(dtype)) return float_sign_of(b, x.value());
        Value* zero = zero_of(b, dtype);
        Value* not_positive = is_signed(dtype) ? b.select(b.lt(x.value(), zero), b.constant(dtype, -1), zero) : zero;
        return b.select(b.scalar(ScalarOp::Gt, x.value(), zero), one_of(b, dtype), not_positive);
    });
}

/// np.clip(x, low, high): min(max(x, low), high), NaN where any is.
Operand call_clip(Call& c) {
    c.bind({"a", "a_min", "a_max"}, 3);
    Operand result = scalar_argument(c, 0);
    for (std::size_t bound = 1; bound <= 2; ++bound) {
        if (!given(c, bound)) continue;
        Call step{c.e, c.name, c.spelling, c.at, {result, c.args[bound]}, {}, {}};
        result = in_dtype(step, numpy_common_dtype(step), bound == 1 ? ScalarOp::Maximum : ScalarOp::Minimum);
    }
    return result;
}

Operand call_where(Call& c) {
    c.bind({"condition", "x", "y"}, 3);
    const Operand condition = truth(c.e, scalar_argument(c, 0));
    const DType dtype = numpy_common_dtype(c, 1);
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        return b.select(condition.value(), argument_as(c, 1, dtype), argument_as(c, 2, dtype));
    });
}

constexpr Builtin table[] = {
    {"numpy.add", call_sum<ScalarOp::Add, ScalarOp::BitOr>},
    {"numpy.multiply", call_sum<ScalarOp::Mul, ScalarOp::BitAnd>},
    {"numpy.subtract", call_subtract},
    {"numpy.divide", call_divide},
    {"numpy.true_divide", call_divide},
    {"numpy.floor_divide", call_counted<ScalarOp::FloorDiv>},
    {"numpy.remainder", call_counted<ScalarOp::Mod>},
    {"numpy.mod", call_counted<ScalarOp::Mod>},
    {"numpy.fmod", call_fmod},
    {"numpy.divmod", call_divmod},
    {"numpy.power", call_power},
    {"numpy.pow", call_power},
    {"numpy.maximum", call_promoted<ScalarOp::Maximum>},
    {"numpy.minimum", call_promoted<ScalarOp::Minimum>},
    {"numpy.fmax", call_promoted<ScalarOp::Max>},
    {"numpy.fmin", call_promoted<ScalarOp::Min>},
    {"numpy.gcd", call_divisor<gcd_of>},
    {"numpy.lcm", call_divisor<lcm_of>},
    {"numpy.greater", call_compare<ScalarOp::Gt>},
    {"numpy.greater_equal", call_compare<ScalarOp::Ge>},
    {"numpy.less", call_compare<ScalarOp::Lt>},
    {"numpy.less_equal", call_compare<ScalarOp::Le>},
    {"numpy.equal", call_compare<ScalarOp::Eq>},
    {"numpy.not_equal", call_compare<ScalarOp::Ne>},
    {"numpy.bitwise_and", call_bits<ScalarOp::BitAnd>},
    {"numpy.bitwise_or", call_bits<ScalarOp::BitOr>},
    {"numpy.bitwise_xor", call_bits<ScalarOp::BitXor>},
    {"numpy.left_shift", call_bits<ScalarOp::Shl>},
    {"numpy.bitwise_left_shift", call_bits<ScalarOp::Shl>},
    {"numpy.right_shift", call_bits<ScalarOp::Shr>},
    {"numpy.bitwise_right_shift", call_bits<ScalarOp::Shr>},
    {"numpy.invert", call_invert},
    {"numpy.bitwise_not", call_invert},
    {"numpy.bitwise_invert", call_invert},
    {"numpy.bitwise_count", call_bitwise_count},
    {"numpy.logical_and", call_logical<ScalarOp::BitAnd>},
    {"numpy.logical_or", call_logical<ScalarOp::BitOr>},
    {"numpy.logical_xor", call_logical<ScalarOp::BitXor>},
    {"numpy.logical_not", call_logical_not},
    {"numpy.absolute", call_absolute},
    {"numpy.abs", call_absolute},
    {"numpy.negative", call_negative},
    {"numpy.positive", call_positive},
    {"numpy.conjugate", call_positive},
    {"numpy.conj", call_positive},
    {"numpy.square", call_square},
    {"numpy.reciprocal", call_reciprocal},
    {"numpy.sign", call_sign},
    {"numpy.clip", call_clip},
    {"numpy.where", call_where},
};

}  // namespace

std::span<const Builtin> numpy_arithmetic_builtins() {
    return table;
}

}  // namespace lanewise::python
