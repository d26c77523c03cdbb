// Conversions of floats to integers that saturate.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Writes saturating conversions as plain ones and choices between their results and the bounds. LLVM vectorises the
/// intrinsics too, but then converts element by element.
void expand_saturating_conversions(llvm::Module& module);

}  // namespace lanewise::cpu
