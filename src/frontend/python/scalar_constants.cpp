// Exact integer arithmetic on compile-time constants.
#include "frontend/python/scalar_constants.h"

namespace lanewise::python {

using syntax::BinaryOp;
using syntax::Captured;
using syntax::CompareOp;

namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) return std::nullopt;
    std::int64_t result = 1;
    while (exponent != 0) {
        if (exponent & 1 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
        exponent >>= 1;
        if (exponent != 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
    }
    return result;
}

}  // namespace

std::optional<std::int64_t> fold_binary(BinaryOp op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
        case BinaryOp::Add:
            return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case BinaryOp::Sub:
            return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case BinaryOp::Mul:
            return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case BinaryOp::FloorDiv:
            if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
            return floor_div(a, b);
        case BinaryOp::Mod:
            if (b == 0) return std::nullopt;
            if (b == -1) return 0;
            return a - floor_div(a, b) * b;
        case BinaryOp::Pow:
            return power(a, b);
        case BinaryOp::LShift:
            if (b < 0 || b > 62 || __builtin_mul_overflow(a, std::int64_t{1} << b, &result)) return std::nullopt;
            return result;
        case BinaryOp::RShift:
            if (b < 0) return std::nullopt;
            return a >> (b > 63 ? 63 : b);
        case BinaryOp::BitAnd:
            return a & b;
        case BinaryOp::BitOr:
            return a | b;
        case BinaryOp::BitXor:
            return a ^ b;
        case BinaryOp::TrueDiv:
        case BinaryOp::MatMul:
            return std::nullopt;
    }
    return std::nullopt;
}

bool fold_compare(CompareOp op, std::int64_t a, std::int64_t b) {
    switch (op) {
        case CompareOp::Eq:
        case CompareOp::Is:
            return a == b;
        case CompareOp::Ne:
        case CompareOp::IsNot:
            return a != b;
        case CompareOp::Lt:
            return a < b;
        case CompareOp::Le:
            return a <= b;
        case CompareOp::Gt:
            return a > b;
        case CompareOp::Ge:
            return a >= b;
        case CompareOp::In:
        case CompareOp::NotIn:
            break;
    }
    return false;
}

syntax::CapturedPtr integer_constant(std::int64_t value) {
    auto captured = std::make_shared<Captured>();
    captured->kind = Captured::Kind::Int;
    captured->integer = value;
    return captured;
}

syntax::CapturedPtr bool_constant(bool value) {
    auto captured = std::make_shared<Captured>();
    captured->kind = Captured::Kind::Bool;
    captured->integer = value;
    return captured;
}

syntax::CapturedPtr float_constant(double value) {
    auto captured = std::make_shared<Captured>();
    captured->kind = Captured::Kind::Float;
    captured->number = value;
    return captured;
}

std::optional<std::int64_t> constant_integer(const Operand& a) {
    const auto value = a.constant_int();
    if (!value) return std::nullopt;
    const bool wide = a.constant->is_uint64 ||
                      (a.constant->kind == Captured::Kind::NumpyScalar && a.constant->dtype == DType::UInt64);
    return wide && *value < 0 ? std::nullopt : value;
}

std::optional<double> constant_number(const Operand& a) {
    if (!a.constant) return std::nullopt;
    const Captured& c = *a.constant;
    const bool numpy_float = c.kind == Captured::Kind::NumpyScalar && is_float(c.dtype);
    if (c.kind == Captured::Kind::Float || numpy_float) return c.number;
    if (const auto integer = constant_integer(a)) return static_cast<double>(*integer);
    if (const auto pattern = a.constant_int()) return static_cast<double>(static_cast<std::uint64_t>(*pattern));
    return std::nullopt;
}

const std::string* constant_text(const Operand& a) {
    if (!a.constant || a.constant->kind != Captured::Kind::String) return nullptr;
    return &a.constant->text;
}

Operand constant_bool(Emitter& e, bool value) {
    Operand result = e.scalar(DType::Bool, e.dry() ? nullptr : e.builder().boolean(value));
    result.constant = bool_constant(value);
    return result;
}

Operand constant_float64(Emitter& e, double value) {
    Operand result = e.scalar(DType::Float64, e.dry() ? nullptr : e.builder().constant_float(DType::Float64, value));
    result.constant = float_constant(value);
    return result;
}

}  // namespace lanewise::python
