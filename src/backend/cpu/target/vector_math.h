// The C library's vector forms of libm functions.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

namespace llvm {
class TargetMachine;
}

namespace lanewise::cpu {

/// Tells LLVM's vectoriser of libmvec's functions (glibc 2.35) for the target's vector registers. Their special cases
/// are libm's, their error is at most 4 ulps. That is the GPU's own in single precision; of those of double precision,
/// where the GPU's is 1 or 2, only pow is used, whose error is below 1 ulp, if not `with_doubles`.
void add_vector_math(llvm::TargetLibraryInfoImpl& libraries, const llvm::TargetMachine& machine, bool with_doubles);

}  // namespace lanewise::cpu
