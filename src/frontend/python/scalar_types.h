// Result types of the operators on scalar dtypes, as Numba's overload tables give them. No IR here: pure dtype rules.
#pragma once

#include <optional>

#include "frontend/python/syntax.h"
#include "lanewise/dtype.h"

namespace lanewise::python {

/// bool, int8..int64, uint8..uint64, float32, float64: what scalars of kernels can be.
bool is_kernel_scalar(DType dtype);
/// float32 when it holds every value of `dtype` (bool, int8, int16, uint8, float32), else float64.
DType float_for(DType dtype);
/// + - * // %: 64-bit integers (unsigned only when both are), float32 only with what fits float32.
DType arithmetic_dtype(DType a, DType b);
/// None where the operator does not take these dtypes.
std::optional<DType> binary_dtype(syntax::BinaryOp op, DType a, DType b);
/// What `+a`, `-a`, `~a` give; none where refused.
std::optional<DType> unary_dtype(syntax::UnaryOp op, DType a);
/// The dtype both sides are converted to before they are compared.
DType comparison_dtype(DType a, DType b);
/// What divmod gives for both of its results.
DType divmod_dtype(DType a, DType b);

/// "+", "//", "<=", "not": as the source spells it.
std::string_view symbol(syntax::BinaryOp op);
std::string_view symbol(syntax::UnaryOp op);
std::string_view symbol(syntax::CompareOp op);

}  // namespace lanewise::python
