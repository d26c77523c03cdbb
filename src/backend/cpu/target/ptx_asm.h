// Inline assembly in PTX, translated to LLVM IR.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <string>

#include "lanewise/error.h"

namespace llvm {
class CallBase;
class Module;
}  // namespace llvm

namespace lanewise::cpu {

namespace ptx {

/// Error(Lowering) for an inline assembly statement, with the kernel's name, the instruction and the place of `line` of
/// the template: source line and caret where the front end has noted them ("lanewise.places"), or what debug
/// information knows.
Error assembly_error(const llvm::CallBase& assembly, const std::string& instruction, const std::string& why,
                     unsigned line);

/// Calls of a function of this name and a special register's read it; expanded when threads have coordinates.
inline constexpr llvm::StringLiteral special_register_prefix = "lanewise.sreg.";
struct SpecialRegister {
    unsigned bits = 32;
    bool changes = false;  ///< from one read to the next
};
const llvm::StringMap<SpecialRegister>& special_registers();

}  // namespace ptx

/// Replaces every call of inline assembly. The condition code register belongs to the function, so carries pass from
/// one statement to the next: device functions are to be inlined before. Intrinsics of llvm.nvvm.* and pointers with
/// address spaces are in the result. Error(Lowering) for what has no translation.
void expand_inline_ptx(llvm::Module& module);

}  // namespace lanewise::cpu
