// What the options ask of a module beyond what clang does.
#pragma once

#include <vector>

#include "frontend/cuda/options.h"
#include "lanewise/device.h"

namespace llvm {
class GlobalValue;
class Module;
}  // namespace llvm

namespace lanewise::cuda_cpp {

/// Functions and variables that the module uses, nobody defines, and no target supplies.
std::vector<const llvm::GlobalValue*> undefined_symbols(const llvm::Module& module);

/// All functions but kernels become internal, unless the code is to be relocatable; --restrict is applied to kernels'
/// pointers. On CUDA, divisions of float become the approximate ones that -prec-div=false stands for.
void finish_module(llvm::Module& module, const Options& options, DeviceKind kind);

}  // namespace lanewise::cuda_cpp
