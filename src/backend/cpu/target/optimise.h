// LLVM's pass pipelines, and machine code from the result.
#pragma once

#include <string>
#include <vector>

#include "codegen/compiler.h"
#include "codegen/llvm.h"

namespace lanewise::cpu {

/// Inlines every device function that takes no part in a recursion and removes what is then unused.
void inline_device_functions(llvm::Module& module);

/// Promotes memory to values and folds, so that pointers show what they point to, and unrolls loops with few,
/// constantly many rounds that have barriers or warp operations. Moves nothing across barriers.
void simplify_functions(llvm::Module& module);

/// Does the rest after the device's operations have been rewritten, so that analyses see a kernel's true control flow.
void simplify_thread_function(llvm::Function& function);

/// Cleans up a region's function, so that its leading guards and unused arguments show.
void simplify_region(llvm::Function& function);

/// The full pipeline for the target. `vector_math`: the image may call libmvec.
void optimise_module(llvm::Module& module, llvm::TargetMachine& machine, const CompileOptions& options,
                     bool vector_math);

/// An ELF relocatable object; `module` is spent.
llvm::SmallVector<char, 0> emit_object(llvm::Module& module, llvm::TargetMachine& machine);
std::string emit_assembly(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace lanewise::cpu
