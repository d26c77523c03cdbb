// Inline assembly in PTX, translated to LLVM IR.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>

#include "lanewise/error.h"

namespace llvm {
class CallInst;
class Module;
}  // namespace llvm

namespace lanewise::cpu {

namespace ptx {

/// Error(Lowering) for an inline assembly statement, with the kernel's name, the instruction and, where debug
/// information knows it, the place.
class AssemblyError : public Error {
public:
    AssemblyError(const llvm::CallInst& assembly, const std::string& instruction, const std::string& why,
                  unsigned line);
    /// Clang's location of the statement's offending line (its !srcloc), 0 when there is none.
    std::uint64_t source_cookie = 0;
    /// The message without the place.
    std::string message;
};

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
