// Floating-point operations rounded toward zero, up or down.
#pragma once

#include "codegen/llvm.h"

namespace lanewise::cpu {

/// An operation of one result type; `from_*` ones convert.
enum class RoundedOp : std::uint8_t { Add, Sub, Mul, Div, Sqrt, Fma, Truncate, FromSigned, FromUnsigned };

/// `mode` is 'z', 'u' or 'd'. Calls a function of the module that switches the processor's rounding mode for the one
/// operation: exact for all operands, and slow; these operations serve interval arithmetic and error bounds.
llvm::Value* rounded(llvm::IRBuilder<>& builder, RoundedOp operation, char mode, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> operands);

}  // namespace lanewise::cpu
