// The bodies, on CUDA, of the __lanewise_* functions that codegen/emit.h declares.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cuda {

/// Defines those that `module` uses, as internal functions. A module whose kernels can raise gets its error slot
/// (runtime/error_slot.h).
void define_device_functions(llvm::Module& module);

}  // namespace lanewise::cuda
