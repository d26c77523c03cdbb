// Removes address spaces: on the host every pointer is a plain one.
#pragma once

namespace llvm {
class GlobalVariable;
class Module;
}  // namespace llvm

namespace lanewise::cpu {

/// Rewrites all types, globals, functions and intrinsic declarations of `module` to address space 0 and removes
/// addrspacecast. Globals of address spaces 3 and 4 are marked: is_shared() and is_constant_memory() stay true for what
/// they become.
void flatten_address_spaces(llvm::Module& module);

bool is_shared(const llvm::GlobalVariable& global);
bool is_constant_memory(const llvm::GlobalVariable& global);

}  // namespace lanewise::cpu
