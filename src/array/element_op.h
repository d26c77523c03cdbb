// ElementOp: what can be computed of the elements of arrays: the rows of ufuncs.def and what arrays need beside them.
#pragma once

#include <cstdint>

#include "lanewise/ops.h"

namespace lanewise {

enum class ElementOp : std::uint16_t {
#define LANEWISE_UNARY(Id, ...) Id,
#define LANEWISE_BINARY(Id, ...) Id,
#include "lanewise/tables/ufuncs.def"
#undef LANEWISE_BINARY
#undef LANEWISE_UNARY
    Ldexp,  ///< (T, int32)
    Where,  ///< (bool, T, T)
    Copy,   ///< its operand, cast to T
    Real,   ///< of a complex T; the result is real
    Imag,
    MakeComplex,  ///< of two reals of T's parts
    Gather,       ///< the first operand at the places the others give
    // Made when a group is formed.
    Load,       ///< leaf number args[0]
    Parameter,  ///< scalar number args[0]
    Cast,       ///< from `type` to the result's type
};

constexpr ElementOp element_op(Ufunc ufunc) {
    return static_cast<ElementOp>(ufunc);
}

}  // namespace lanewise
