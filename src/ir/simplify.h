// Identities that hold exactly for every operand: x + 0, x * 1, select of equal arms and their like.
#pragma once

#include "ir/builder.h"

namespace lanewise::ir {

/// A value equal to op(operands): a folded constant, one of the operands, or null when there is none. Appends nothing.
Value* simplify_scalar(Builder& builder, ScalarOp op, const std::vector<Value*>& operands);

}  // namespace lanewise::ir
