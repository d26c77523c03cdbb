// Runs the lanes of a warp in lock step between the operations at which they exchange values.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

bool has_warp_meetings(const llvm::Function& function);

/// The number of threads of a block, in a function with the block slots.
llvm::Value* thread_count(llvm::IRBuilder<>& builder, const SlotFunction& unit);

/// Emits, at the builder's place in `block`, code that runs `region` (as emit_thread_loops does) for all warps of the
/// block. `region` is spent.
void emit_warp_loops(llvm::IRBuilder<>& builder, const SlotFunction& block, const SlotFunction& region,
                     llvm::ArrayRef<llvm::Value*> tail);

}  // namespace lanewise::cpu
