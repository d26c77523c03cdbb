// Questions the rules ask of scalar operands: which dtype a weak literal takes, and which dtypes kernels have at all.
#pragma once

#include <utility>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// Error(Typing) for float16, bfloat16 and complex dtypes.
void require_kernel_scalar(const Emitter& e, DType dtype);
/// A Python int or float that the source writes or captures.
bool is_weak_literal(const Operand& a);
/// The dtypes of two scalars as the rules see them: with Options::weak_literals a literal beside a float32 is a
/// float32.
std::pair<DType, DType> operand_dtypes(const Emitter& e, const Operand& a, const Operand& b);
/// Warns when `result` is float64 only because a float32 met a literal or a wide integer; `operation` is how the source
/// spells it.
void warn_promotion(Emitter& e, const std::string& operation, DType result, const Operand& a, const Operand& b);

std::int64_t least_of(DType integer);
/// True when the integer or bool dtype holds `value`.
bool fits(DType dtype, std::int64_t value);

}  // namespace lanewise::python
