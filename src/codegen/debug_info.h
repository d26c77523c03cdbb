// Source lines in generated code: subprograms and locations for profilers, debuggers and error reports.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <vector>

#include "codegen/compiler.h"

namespace lanewise::codegen {

class DebugInfo {
public:
    /// `full`: variables and frames for a debugger; otherwise line numbers only, which leaves the optimiser free.
    DebugInfo(const ir::Module& source, llvm::Module& module, bool full, bool optimized);
    void attach(const ir::Function& source, llvm::Function& function);
    /// The location `at`, or the function's own where `at` is unknown.
    llvm::DebugLoc location(const ir::Function& source, Location at);
    void finalize() { builder_.finalize(); }

private:
    llvm::DIBuilder builder_;
    std::vector<llvm::DIFile*> files_;
    llvm::DenseMap<const ir::Function*, llvm::DISubprogram*> subprograms_;
    bool optimized_;
};

}  // namespace lanewise::codegen
