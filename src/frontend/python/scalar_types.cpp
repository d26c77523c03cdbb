// The dtype rules of operators. tests/data/numba_semantics.jsonl.gz holds what they must agree with.
#include "frontend/python/scalar_types.h"

#include <algorithm>

namespace lanewise::python {

using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOp;

bool is_kernel_scalar(DType dtype) {
    return is_bool(dtype) || is_integer(dtype) || dtype == DType::Float32 || dtype == DType::Float64;
}

DType float_for(DType dtype) {
    const bool exact =
        is_bool(dtype) || dtype == DType::Float32 || dtype == DType::UInt8 || (is_signed(dtype) && bits(dtype) <= 16);
    return exact ? DType::Float32 : DType::Float64;
}

DType arithmetic_dtype(DType a, DType b) {
    if (!is_float(a) && !is_float(b)) return is_unsigned(a) && is_unsigned(b) ? DType::UInt64 : DType::Int64;
    const bool narrow = float_for(a) == DType::Float32 && float_for(b) == DType::Float32;
    return narrow ? DType::Float32 : DType::Float64;
}

std::optional<DType> binary_dtype(BinaryOp op, DType a, DType b) {
    if (!is_kernel_scalar(a) || !is_kernel_scalar(b)) return std::nullopt;
    const bool floats = is_float(a) || is_float(b);
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod:
            return arithmetic_dtype(a, b);
        case BinaryOp::TrueDiv:
            return floats ? arithmetic_dtype(a, b) : DType::Float64;
        case BinaryOp::Pow:
            // An integer exponent leaves the base's float type alone. bool ** int32 picks (float32, int32): Numba's
            // overload list has it and no exact match comes before it.
            if (is_float(a) && !is_float(b)) return a;
            if (is_bool(a) && b == DType::Int32) return DType::Float32;
            return arithmetic_dtype(a, b);
        case BinaryOp::BitAnd:
        case BinaryOp::BitOr:
        case BinaryOp::BitXor:
            if (floats) return std::nullopt;
            return is_bool(a) && is_bool(b) ? DType::Bool : arithmetic_dtype(a, b);
        case BinaryOp::LShift:
        case BinaryOp::RShift:
            if (floats) return std::nullopt;
            return is_unsigned(a) ? DType::UInt64 : DType::Int64;
        case BinaryOp::MatMul:
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<DType> unary_dtype(UnaryOp op, DType a) {
    if (!is_kernel_scalar(a)) return std::nullopt;
    switch (op) {
        case UnaryOp::Not:
            return DType::Bool;
        case UnaryOp::Invert:
            if (is_float(a)) return std::nullopt;
            if (is_bool(a)) return DType::Bool;
            break;
        case UnaryOp::Neg:
        case UnaryOp::Pos:
            if (is_float(a)) return a;
            break;
    }
    return is_unsigned(a) ? DType::UInt64 : DType::Int64;
}

DType comparison_dtype(DType a, DType b) {
    if (a == b) return a;
    if (is_float(a) || is_float(b)) return arithmetic_dtype(a, b);
    if (is_bool(a)) return b;
    if (is_bool(b)) return a;
    if (is_signed(a) == is_signed(b)) return bits(a) >= bits(b) ? a : b;
    // No integer type holds both int64 and uint64: Numba compares them as float64, inexactly above 2**53.
    return a == DType::UInt64 || b == DType::UInt64 ? DType::Float64 : DType::Int64;
}

DType divmod_dtype(DType a, DType b) {
    if (is_float(a) || is_float(b)) return arithmetic_dtype(a, b);
    if (is_signed(a) || is_signed(b)) {
        return a == DType::UInt64 || b == DType::UInt64 ? DType::Float64 : DType::Int64;
    }
    return is_bool(a) && is_bool(b) ? DType::Int64 : DType::UInt64;
}

std::string_view symbol(BinaryOp op) {
    constexpr std::string_view symbols[] = {"+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"};
    return symbols[static_cast<int>(op)];
}

std::string_view symbol(UnaryOp op) {
    constexpr std::string_view symbols[] = {"-", "+", "~", "not"};
    return symbols[static_cast<int>(op)];
}

std::string_view symbol(CompareOp op) {
    constexpr std::string_view symbols[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
    return symbols[static_cast<int>(op)];
}

}  // namespace lanewise::python
