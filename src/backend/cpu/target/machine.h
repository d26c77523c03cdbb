// The LLVM target machine for a target string of the cpu device.
#pragma once

#include <memory>
#include <string>

#include "codegen/compiler.h"

namespace llvm {
class TargetMachine;
}

namespace lanewise::cpu {

/// Error(Value) when the architecture is not linked into this compiler or a feature is unknown.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const std::string& target, const CompileOptions& options);

}  // namespace lanewise::cpu
