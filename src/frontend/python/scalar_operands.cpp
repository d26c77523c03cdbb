// Weak literals, the warning of promotions, the ranges of integer dtypes.
#include "frontend/python/scalar_operands.h"

#include <fmt/format.h>

#include "frontend/python/scalar_constants.h"
#include "frontend/python/scalar_types.h"

namespace lanewise::python {

namespace {

std::string description(const Operand& a) {
    if (is_weak_literal(a)) {
        if (const auto integer = constant_integer(a)) return fmt::format("the literal {}", *integer);
        if (const auto number = constant_number(a)) return fmt::format("the literal {}", *number);
    }
    if (!a.spelling.empty()) return fmt::format("{} ({})", a.spelling, to_string(a.type));
    return to_string(a.type);
}

}  // namespace

void require_kernel_scalar(const Emitter& e, DType dtype) {
    if (is_kernel_scalar(dtype)) return;
    e.fail(ErrorKind::Typing, fmt::format("{} values are not supported in kernels", name(dtype)));
}

bool is_weak_literal(const Operand& a) {
    if (!a.is_literal || !a.constant) return false;
    const auto kind = a.constant->kind;
    return kind == syntax::Captured::Kind::Int || kind == syntax::Captured::Kind::Float;
}

std::pair<DType, DType> operand_dtypes(const Emitter& e, const Operand& a, const Operand& b) {
    DType left = a.type->dtype, right = b.type->dtype;
    if (e.options().weak_literals) {
        if (left == DType::Float32 && is_weak_literal(b)) right = DType::Float32;
        if (right == DType::Float32 && is_weak_literal(a)) left = DType::Float32;
    }
    return {left, right};
}

void warn_promotion(Emitter& e, const std::string& operation, DType result, const Operand& a, const Operand& b) {
    if (!e.options().warn_float64 || e.dry() || result != DType::Float64) return;
    const bool first = a.type->dtype == DType::Float32;
    if (!first && b.type->dtype != DType::Float32) return;
    const Operand& other = first ? b : a;
    const bool literal = is_weak_literal(other);
    if (!literal && !other.type->is_integer()) return;
    e.warn(fmt::format(
        "{} of a float32 and {} is promoted to float64, which is much slower on most GPUs; {} keeps float32", operation,
        description(other),
        literal ? "np.float32(...) around the literal, or jit(literals=\"weak\"),"
                : "np.float32(...) around the integer"));
}

std::int64_t least_of(DType integer) {
    return is_signed(integer) ? static_cast<std::int64_t>(~std::uint64_t{0} << (bits(integer) - 1)) : 0;
}

bool fits(DType dtype, std::int64_t value) {
    if (is_bool(dtype)) return value == 0 || value == 1;
    if (is_unsigned(dtype)) return value >= 0 && (bits(dtype) == 64 || value < std::int64_t{1} << bits(dtype));
    return bits(dtype) == 64 || (value >= least_of(dtype) && value <= ~least_of(dtype));
}

}  // namespace lanewise::python
