// CUDA's device math library (__nv_*) on the host.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Replaces calls of declared __nv_* functions by instructions, LLVM intrinsics, calls of libm, or the formulas of
/// special.h. Error(Lowering) for a name libdevice does not have.
///
/// Accuracy is libm's; the approximate ("fast") forms are accurate here. Conversions to integers saturate and give 0
/// for NaN.
void expand_libdevice_calls(llvm::Module& module);

/// Whether `name` is a function of the C math library that expansions call.
bool is_libm_function(llvm::StringRef name);

}  // namespace lanewise::cpu
