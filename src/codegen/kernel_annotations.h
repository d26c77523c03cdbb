// What a module in the NVVM dialect says of its kernels in !nvvm.annotations; for the targets.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise::codegen {

/// The kernels that `module` defines, in its order: by calling convention, or by annotation alone as older producers
/// have it.
std::vector<llvm::Function*> kernels_of(llvm::Module& module);

/// Most threads of a block by the kernel's launch bounds; 0 without.
std::uint32_t most_threads(const llvm::Function& kernel);

}  // namespace lanewise::codegen
