// Constant folding: scalar operations and casts on constants, bit for bit as a device computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/op.h"
#include "lanewise/dtype.h"

namespace lanewise::ir {

/// Bits of an integer wrapped to the width of `type` (an integer or bool; bool: != 0).
std::uint64_t encode_integer(DType type, std::int64_t value);
/// Value of those bits, by the signedness of `type`; uint64 as its bit pattern.
std::int64_t decode_integer(DType type, std::uint64_t bits);
/// Bits of `value` rounded once, to nearest even, to the float type; NaN gives the positive quiet NaN.
std::uint64_t encode_float(DType type, double value);
double decode_float(DType type, std::uint64_t bits);

/// The result's bits, or none where folding would not be exact for every target: library functions, undefined integer
/// division, float16 and bfloat16 operations that would round twice. `type` is the type of the T operands.
std::optional<std::uint64_t> fold_scalar(ScalarOp op, DType type, std::span<const std::uint64_t> operands);
std::optional<std::uint64_t> fold_cast(DType from, std::uint64_t bits, DType to);

}  // namespace lanewise::ir
