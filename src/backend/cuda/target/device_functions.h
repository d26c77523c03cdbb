// The bodies, on CUDA, of the __lanewise_* functions that codegen/emit.h declares.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cuda {

/// Name of the module's error slot, a device global with the layout of cpu::ErrorSlot; there when a kernel can raise.
inline constexpr char error_slot_symbol[] = "__lanewise_error";

/// Defines those that `module` uses, as internal functions.
void define_device_functions(llvm::Module& module);

}  // namespace lanewise::cuda
