// Programs that rely on the lanes of a warp running in lock step.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <string>

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Makes lanes that arrive together meet before and after volatile stores to shared memory that volatile accesses to it
/// follow without a meeting of the program's own: reductions from before compute capability 7.0 add up a warp that way.
/// To be done when functions are inlined and simplified.
void keep_lock_step(llvm::Module& module, llvm::ArrayRef<std::string> kernels);

}  // namespace lanewise::cpu
