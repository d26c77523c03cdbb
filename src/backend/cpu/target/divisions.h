// Integer divisions that must not trap.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Guards integer divisions whose divisor may be 0, or -1 where the dividend may be the most negative number: a device
/// gives all ones for a quotient by 0 and the dividend for a remainder, and wraps, where the host would end the
/// process.
void guard_divisions(llvm::Module& module);

}  // namespace lanewise::cpu
