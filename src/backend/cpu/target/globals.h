// Variables of a module as the host's linker and the program's host side see them.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Variables of the device that have a name outside stay as exported symbols, whoever uses them; all other ones become
/// internal. Lists of used symbols go. To be run while variables have address spaces.
void settle_globals(llvm::Module& module);

/// Error(Lowering) for a variable that is used, though nowhere defined. For optimised modules: the built-in variables
/// of CUDA C++ are declarations whose uses vanish.
void check_globals(const llvm::Module& module);

}  // namespace lanewise::cpu
