// Where a kernel's shared variables lie in the block's shared memory.
#pragma once

#include <cstdint>

#include "codegen/llvm.h"

namespace lanewise::cpu {

struct SharedLayout {
    llvm::SmallVector<std::pair<llvm::GlobalVariable*, std::uint64_t>> offsets;
    std::uint32_t static_bytes = 0;
    bool uses_dynamic = false;
};

/// Lays out the shared globals that `functions` use. Static ones come in module order; the dynamic ones (declarations)
/// start behind them, 16-byte aligned.
SharedLayout lay_out_shared(llvm::Module& module, llvm::ArrayRef<const llvm::Function*> functions);

/// Replaces shared globals by offsets into Slot::Shared, in all functions of `module` with noted slots.
void place_shared(llvm::Module& module, const SharedLayout& layout);

}  // namespace lanewise::cpu
