// Weak literals and the ranges of integer dtypes.
#include "frontend/python/scalar_operands.h"

#include <fmt/format.h>

#include "frontend/python/scalar_types.h"

namespace lanewise::python {

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

std::int64_t least_of(DType integer) {
    return is_signed(integer) ? static_cast<std::int64_t>(~std::uint64_t{0} << (bits(integer) - 1)) : 0;
}

bool fits(DType dtype, std::int64_t value) {
    if (is_bool(dtype)) return value == 0 || value == 1;
    if (is_unsigned(dtype)) return value >= 0 && (bits(dtype) == 64 || value < std::int64_t{1} << bits(dtype));
    return bits(dtype) == 64 || (value >= least_of(dtype) && value <= ~least_of(dtype));
}

}  // namespace lanewise::python
