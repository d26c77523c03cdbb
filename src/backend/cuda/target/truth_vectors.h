// Vectors of truth values that become numbers.
#pragma once

#include <llvm/IR/Module.h>

namespace lanewise::cuda {

/// Extensions of pairs of truth values go element by element: LLVM 19 makes a comparison of two 16-bit elements with a
/// 16-bit result of them, for which its NVPTX code generator has no instruction. To run after optimisation.
void split_extended_truth_vectors(llvm::Module& module);

}  // namespace lanewise::cuda
