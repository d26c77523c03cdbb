// Variables of a module as the host's linker and the program's host side see them.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Variables of the device that have a name outside stay as exported symbols, whoever uses them; all other ones become
/// internal. Lists of used symbols go. Error(Lowering) for a variable that is declared but nowhere defined. To be run
/// while variables have address spaces.
void settle_globals(llvm::Module& module);

}  // namespace lanewise::cpu
