// 16-bit floats on hosts.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cpu {

/// Hosts convert between float and half, and nothing else of the 16-bit floats, by an instruction that rounds as
/// devices do. Here bfloat becomes float around each operation, by integer arithmetic, and double becomes half in one
/// rounding. To be run before optimisations, which would move operations to the narrow side.
void expand_small_floats(llvm::Module& module);

}  // namespace lanewise::cpu
