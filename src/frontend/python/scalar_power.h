// `**` with integer exponents: products of squares, as Numba computes them.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// Exponents up to this size are multiplied out; beyond it floats use pow(), and integers give what pow() saturates to.
inline constexpr std::int64_t power_loop_limit = 0x10000;

/// base ** exponent for a constant exponent with |exponent| <= power_loop_limit; unrolled. `base` is int64, uint64 or
/// float.
ir::Value* constant_power(ir::Builder& builder, ir::Value* base, std::int64_t exponent);
/// The same for an int64 or uint64 exponent known at run time; continues in a fresh block.
ir::Value* runtime_power(ir::Builder& builder, ir::Value* base, ir::Value* exponent);

}  // namespace lanewise::python
