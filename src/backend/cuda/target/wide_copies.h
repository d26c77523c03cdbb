// Copies of structures by the widest loads and stores.
#pragma once

#include <llvm/IR/Module.h>

namespace lanewise::cuda {

/// Small copies between addresses that are multiples of 16, such as of a float4, become loads and stores of 16 bytes:
/// the code generator would take 8 at a time. To run last, as vectors of four words hide the structures' elements.
void widen_copies(llvm::Module& module);

}  // namespace lanewise::cuda
