// Loops over the threads of a block around the code of one region.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Where a thread loop stands: values of Slot::ThreadX .. Slot::Linear.
struct ThreadIndex {
    llvm::Value* x;
    llvm::Value* y;
    llvm::Value* z;
    llvm::Value* linear;
};

/// Emits, at the builder's place in `block`, a call of `region` for every thread of the block, z outermost and x
/// innermost, and inlines it. `region` takes the parameters of a thread function and then `extra`. Leaves the builder
/// behind the loops.
///
/// Threads are independent between barriers, so the innermost loop is marked parallel unless the region orders its
/// threads by atomics, fences or volatile accesses.
void emit_thread_loops(llvm::IRBuilder<>& builder, const SlotFunction& block, const SlotFunction& region,
                       llvm::ArrayRef<llvm::Value*> extra);

}  // namespace lanewise::cpu
