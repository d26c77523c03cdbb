// The text of a module's LLVM IR.
#pragma once

#include <string>

#include "codegen/llvm.h"

namespace lanewise::codegen {

inline std::string module_text(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
}

}  // namespace lanewise::codegen
