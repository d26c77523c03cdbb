// Integer powers. An integer to a negative power is 0 but for bases 1 and -1, and 0 ** negative is the least integer:
// Numba's results where Python would give a float or raise.
#include "frontend/python/scalar_power.h"

#include <limits>

namespace lanewise::python {

using ir::Builder;
using ir::ScalarOp;
using ir::Value;

namespace {

constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

Value* one_of(Builder& builder, DType dtype) {
    return is_float(dtype) ? builder.constant_float(dtype, 1) : builder.constant(dtype, 1);
}

/// base to a negative power; `odd`: the exponent is odd.
Value* negative_integer_power(Builder& builder, Value* base, Value* odd) {
    const DType dtype = base->type.dtype;
    Value* zero = builder.constant(dtype, 0);
    Value* one = builder.constant(dtype, 1);
    Value* minus_one = builder.constant(dtype, -1);
    Value* of_minus_one = builder.select(odd, minus_one, one);
    Value* result = builder.select(builder.eq(base, minus_one), of_minus_one, zero);
    result = builder.select(builder.eq(base, one), one, result);
    return builder.select(builder.eq(base, zero), builder.constant(dtype, int64_min), result);
}

/// base to a power above the limit: 0, 1 and -1 stay exact, everything else is past the type's range and saturates.
Value* huge_integer_power(Builder& builder, Value* base, Value* odd) {
    const DType dtype = base->type.dtype;
    Value* one = builder.constant(dtype, 1);
    Value* is_small = builder.scalar(ScalarOp::Le, base, one);
    if (is_unsigned(dtype)) return builder.select(is_small, base, builder.constant(dtype, -1));
    Value* minus_one = builder.constant(dtype, -1);
    Value* least = builder.constant(dtype, int64_min);
    Value* most = builder.constant(dtype, int64_max);
    Value* negative = builder.select(builder.eq(base, minus_one), builder.select(odd, minus_one, one),
                                     builder.select(odd, least, most));
    Value* not_negative = builder.select(is_small, base, most);
    return builder.select(builder.lt(base, builder.constant(dtype, 0)), negative, not_negative);
}

/// Products of squares; `count` is uint64.
Value* power_loop(Builder& builder, Value* base, Value* count) {
    const ir::Type type = base->type;
    Value* one = one_of(builder, type.dtype);
    ir::Block* entry = builder.block();
    ir::Block* head = builder.new_block("power.head");
    ir::Block* body = builder.new_block("power.body");
    ir::Block* exit = builder.new_block("power.exit");
    builder.branch(head);

    builder.set_block(head);
    Value* result = builder.phi(type);
    Value* square = builder.phi(type);
    Value* left = builder.phi(count->type);
    Value* zero = builder.constant(DType::UInt64, 0);
    builder.cond_branch(builder.scalar(ScalarOp::Ne, left, zero), body, exit);

    builder.set_block(body);
    Value* bit = builder.cast(builder.scalar(ScalarOp::BitAnd, left, builder.constant(DType::UInt64, 1)), DType::Bool);
    Value* next_result = builder.select(bit, builder.mul(result, square), result);
    Value* next_square = builder.mul(square, square);
    Value* next_left = builder.scalar(ScalarOp::Shr, left, builder.constant(DType::UInt64, 1));
    Builder::add_incoming(result, one, entry);
    Builder::add_incoming(result, next_result, body);
    Builder::add_incoming(square, base, entry);
    Builder::add_incoming(square, next_square, body);
    Builder::add_incoming(left, count, entry);
    Builder::add_incoming(left, next_left, body);
    builder.branch(head);

    builder.set_block(exit);
    return result;
}

/// float32 and float64 powers above the limit, in float64.
Value* huge_float_power(Builder& builder, Value* base, Value* exponent) {
    Value* wide =
        builder.scalar(ScalarOp::Pow, builder.cast(base, DType::Float64), builder.cast(exponent, DType::Float64));
    return builder.cast(wide, base->type.dtype);
}

}  // namespace

Value* constant_power(Builder& builder, Value* base, std::int64_t exponent) {
    const DType dtype = base->type.dtype;
    const bool invert = exponent < 0;
    if (invert && !is_float(dtype)) return negative_integer_power(builder, base, builder.boolean(exponent & 1));
    std::uint64_t left = invert ? -static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
    Value* result = nullptr;
    for (Value* square = base; left != 0; square = builder.mul(square, square)) {
        if (left & 1) result = result ? builder.mul(result, square) : square;
        left >>= 1;
        if (left == 0) break;
    }
    Value* one = one_of(builder, dtype);
    if (!result) return one;
    return invert ? builder.scalar(ScalarOp::Div, one, result) : result;
}

Value* runtime_power(Builder& builder, Value* base, Value* exponent) {
    const bool float_base = is_float(base->type.dtype);
    const bool is_signed_exponent = is_signed(exponent->type.dtype);
    Value* magnitude = builder.cast(exponent, DType::UInt64);
    Value* negative = builder.boolean(false);
    if (is_signed_exponent) {
        negative = builder.lt(exponent, builder.constant(DType::Int64, 0));
        magnitude = builder.select(negative, builder.scalar(ScalarOp::Neg, magnitude), magnitude);
    }
    Value* limit = builder.constant(DType::UInt64, power_loop_limit);
    Value* huge = builder.scalar(ScalarOp::Gt, magnitude, limit);
    Value* no_count = builder.constant(DType::UInt64, 0);

    if (!float_base) {
        Value* skip = builder.scalar(ScalarOp::BitOr, huge, negative);
        Value* result = power_loop(builder, base, builder.select(skip, no_count, magnitude));
        Value* bit = builder.scalar(ScalarOp::BitAnd, magnitude, builder.constant(DType::UInt64, 1));
        Value* odd = builder.cast(bit, DType::Bool);
        result = builder.select(huge, huge_integer_power(builder, base, odd), result);
        return is_signed_exponent ? builder.select(negative, negative_integer_power(builder, base, odd), result)
                                  : result;
    }

    ir::Block* small_block = builder.new_block("power.small");
    ir::Block* huge_block = builder.new_block("power.huge");
    ir::Block* merge = builder.new_block("power.end");
    builder.cond_branch(huge, huge_block, small_block);

    builder.set_block(small_block);
    Value* small_result = power_loop(builder, base, magnitude);
    if (is_signed_exponent) {
        Value* inverse = builder.scalar(ScalarOp::Div, one_of(builder, base->type.dtype), small_result);
        small_result = builder.select(negative, inverse, small_result);
    }
    ir::Block* small_end = builder.block();
    builder.branch(merge);

    builder.set_block(huge_block);
    Value* huge_result = huge_float_power(builder, base, exponent);
    builder.branch(merge);

    builder.set_block(merge);
    Value* result = builder.phi(base->type);
    Builder::add_incoming(result, small_result, small_end);
    Builder::add_incoming(result, huge_result, huge_block);
    return result;
}

}  // namespace lanewise::python
