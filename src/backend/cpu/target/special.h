// Functions of CUDA's math library that neither LLVM nor libm has, as code.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "backend/cpu/target/formula.h"

namespace lanewise::cpu {

/// Marks a function of ours, as opposed to one of the user's: it stays as it is, out of line.
void mark_helper(llvm::Function& function);
bool is_helper(const llvm::Function& function);

/// A pure call of libm (errno is nobody's here); with a pointer among the arguments, one that writes through it.
llvm::Value* call_libm(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

// Of float or double.
Formula sinpi(Formula x);
Formula cospi(Formula x);
/// Euclidean length without undue overflow or underflow.
Formula norm(llvm::ArrayRef<Formula> values);
llvm::Value* array_norm(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* count, llvm::Value* values);
/// By repeated squaring, each product rounded: the results of the device.
llvm::Value* integer_power(llvm::IRBuilder<>& builder, llvm::Value* base, llvm::Value* exponent);

// Of double.
Formula erfcx(Formula x);
Formula erfinv(Formula y);
Formula erfcinv(Formula y);
Formula normcdf(Formula x);
Formula normcdfinv(Formula p);
Formula cyl_bessel_i0(Formula x);
Formula cyl_bessel_i1(Formula x);

/// The upper half of the product of two integers.
llvm::Value* high_half(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b, bool is_signed);

/// PTX prmt in its default mode: four bytes out of the eight of (b:a), each selected by a nibble of `selector`, whose
/// top bit replicates the byte's sign.
llvm::Value* permute_bytes(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b, llvm::Value* selector);

}  // namespace lanewise::cpu
