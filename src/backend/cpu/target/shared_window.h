// Addresses of shared memory as CUDA C++ sees them: numbers that count from the start of the block's shared memory and
// fit into 32 bits.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace lanewise::cpu {

/// The function whose calls stand for the start of the block's shared memory, until the kernel has it as an argument.
inline constexpr llvm::StringLiteral shared_base_name = "lanewise.shared_base";

/// A generic pointer to the start of the block's shared memory.
llvm::Value* shared_base(llvm::IRBuilder<>& builder);

/// A generic pointer from an integer address in shared memory, and the other way round (i64).
llvm::Value* from_shared_address(llvm::IRBuilder<>& builder, llvm::Value* address);
llvm::Value* to_shared_address(llvm::IRBuilder<>& builder, llvm::Value* pointer);

/// Conversions between integers and pointers to shared memory become such addresses, so that they survive being cut to
/// 32 bits; all `extern __shared__` declarations become one. To be run while pointers have address spaces.
void number_shared_memory(llvm::Module& module);

}  // namespace lanewise::cpu
