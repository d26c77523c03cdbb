// Floating-point operations with a stated rounding.
#pragma once

#include "codegen/llvm.h"

namespace lanewise::cpu {

/// An operation of one result type; `from_*` ones convert.
enum class RoundedOp : std::uint8_t { Add, Sub, Mul, Div, Sqrt, Fma, Truncate, FromSigned, FromUnsigned };

/// `mode` is 'n', to nearest, or 'z', 'u' or 'd': these call a function of the module that switches the processor's
/// rounding mode for the one operation, exact for all operands, and slow; they serve interval arithmetic and error
/// bounds.
llvm::Value* rounded(llvm::IRBuilder<>& builder, RoundedOp operation, char mode, llvm::Type* result,
                     llvm::ArrayRef<llvm::Value*> operands);

/// A float as an integer, rounded by `mode` as above; values out of range saturate, NaN gives 0.
llvm::Value* rounded_to_integer(llvm::IRBuilder<>& builder, llvm::Value* value, char mode, llvm::Type* type,
                                bool is_signed);

/// A float as a 16-bit float (`type`), rounded toward zero; a finite one stays finite.
llvm::Value* narrow_towards_zero(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type);

/// The bits (i32) of a float cut to 10 bits of fraction, ties away from 0: what tensor cores read.
llvm::Value* to_tf32(llvm::IRBuilder<>& builder, llvm::Value* value);

}  // namespace lanewise::cpu
