// LLVM's NVVM intrinsics that concern one thread and no special register, as generic LLVM IR.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Expands arithmetic, conversions, bit operations, cached loads, pointer conversions, fences and atomics of
/// llvm.nvvm.*. To be run while pointers still have address spaces. Special registers and synchronisation stay.
void expand_nvvm_intrinsics(llvm::Module& module);

}  // namespace lanewise::cpu
