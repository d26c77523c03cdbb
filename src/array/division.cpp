// T. Granlund and P. L. Montgomery, Division by Invariant Integers using Multiplication (PLDI 1994), figure 4.1.
#include "array/division.h"

#include <bit>

#include "array/arithmetic.h"

namespace lanewise {

bool is_integer_division(ElementOp op, DType type) {
    return is_integer(type) && (op == ElementOp::FloorDivide || op == ElementOp::Remainder || op == ElementOp::Fmod);
}

std::array<std::uint64_t, 2> divisor_words(DType type, std::uint64_t divisor) {
    const int width = bits(type);
    if (is_signed(type) && divisor >> (width - 1) & 1) divisor = -divisor;
    divisor &= ~std::uint64_t(0) >> (64 - width);
    if (divisor == 0) divisor = 1;
    const int length = std::bit_width(divisor - 1);
    using Wide = unsigned __int128;
    const Wide rest = (Wide(1) << length) - divisor;
    const auto multiplier = static_cast<std::uint64_t>((rest << width) / divisor + 1);
    const auto first = static_cast<std::uint64_t>(std::min(length, 1));
    const auto second = static_cast<std::uint64_t>(std::max(length - 1, 0));
    return {multiplier, first | second << 8};
}

ir::Value* divide_by_parameter(ir::Builder& b, ElementOp op, ir::Value* x, ir::Value* divisor,
                               const std::array<ir::Value*, 2>& words) {
    using V = ir::Value*;
    using S = ir::ScalarOp;
    const DType type = x->type.dtype, word = *dtype_from_kind('u', size_of(type));
    const Arithmetic own(b, type), magnitude(b, word);
    // Counts below the width, as the code generator sees.
    auto count = [&](int from) {
        V shifted = b.scalar(S::Shr, words[1], b.i64(from));
        return b.cast(b.scalar(S::BitAnd, shifted, b.i64(bits(type) - 1)), word);
    };
    V multiplier = b.cast(words[0], word);
    auto quotient = [&](V dividend) {
        V high = b.scalar(S::MulHigh, multiplier, dividend);
        V rest = b.scalar(S::Shr, b.sub(dividend, high), count(0));
        return b.scalar(S::Shr, b.add(high, rest), count(8));
    };
    V zero = own.c(0);
    V result;
    if (!is_signed(type)) {
        result = quotient(x);
        if (op != ElementOp::FloorDivide) result = b.sub(x, b.mul(result, divisor));
    } else if (op == ElementOp::Fmod) {
        V size = b.cast(own.abs(divisor), word), dividend = b.cast(own.abs(x), word);
        V rest = b.cast(b.sub(dividend, b.mul(quotient(dividend), size)), type);
        result = own.choose(own.lt(x, zero), own.neg(rest), rest);
    } else {
        // Quotients by the divisor's magnitude of x or -x; ~(~x / d) rounds negative ones down.
        V negative = own.lt(divisor, zero);
        V rounds = b.scalar(S::BitOr, b.scalar(S::BitAnd, negative, own.op(S::Gt, x, zero)),
                            b.scalar(S::BitAnd, b.logical_not(negative), own.lt(x, zero)));
        V turned = own.choose(negative, own.neg(x), x);
        V dividend = own.choose(rounds, own.op(S::BitNot, turned), turned);
        V down = b.cast(quotient(b.cast(dividend, word)), type);
        result = own.choose(rounds, own.op(S::BitNot, down), down);
        if (op == ElementOp::Remainder) result = b.sub(x, b.mul(result, divisor));
    }
    return own.choose(own.eq(divisor, zero), zero, result);
}

}  // namespace lanewise
