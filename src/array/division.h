// Division of integers by a number that is a parameter of the kernel: a multiplication and shifts.
#pragma once

#include <array>

#include "array/element_op.h"
#include "ir/builder.h"

namespace lanewise {

/// FloorDivide, Remainder and Fmod of integers.
bool is_integer_division(ElementOp op, DType type);
/// The two parameters that go with a divisor, given by its bits: the multiplier, and the shifts.
std::array<std::uint64_t, 2> divisor_words(DType type, std::uint64_t divisor);
/// op(x, divisor) as lower() gives it.
ir::Value* divide_by_parameter(ir::Builder& b, ElementOp op, ir::Value* x, ir::Value* divisor,
                               const std::array<ir::Value*, 2>& words);

}  // namespace lanewise
