// Compile-time values of operands.
#include "frontend/python/operand.h"

namespace lanewise::python {

std::optional<std::int64_t> Operand::constant_int() const {
    if (!constant) return std::nullopt;
    using Kind = syntax::Captured::Kind;
    switch (constant->kind) {
        case Kind::Bool:
        case Kind::Int:
            return constant->integer;
        case Kind::NumpyScalar:
            if (is_bool(constant->dtype) || is_integer(constant->dtype)) return constant->integer;
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace lanewise::python
