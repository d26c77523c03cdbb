// What elementwise operations compute, as IR.
#pragma once

#include <span>

#include "array/element_op.h"
#include "ir/builder.h"

namespace lanewise {

/// A real or complex number in IR.
struct Number {
    ir::Value* re = nullptr;
    ir::Value* im = nullptr;  ///< null for real types
};

/// op(args) in `type`, for operands that argument_type() says. float16 and bfloat16 compute in float32.
Number lower(ir::Builder& b, ElementOp op, DType type, DType result, std::span<const Number> args);
Number lower_cast(ir::Builder& b, const Number& x, DType from, DType to);

/// The parts of lower(): integers and booleans, floats (32 and 64 bits), complex numbers.
Number lower_integer(ir::Builder& b, ElementOp op, DType type, std::span<const Number> args);
Number lower_float(ir::Builder& b, ElementOp op, DType type, std::span<const Number> args);
Number lower_complex(ir::Builder& b, ElementOp op, DType part, std::span<const Number> args);
/// Towards `to`, by the bits: of any float type.
ir::Value* next_after(ir::Builder& b, ir::Value* x, ir::Value* to);

/// "add", "where"; "" for what moves and converts elements.
std::string_view name_of(ElementOp op);
[[noreturn]] void no_lowering(ElementOp op, DType type);

}  // namespace lanewise
