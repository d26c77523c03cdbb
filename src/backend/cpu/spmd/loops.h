// Loops over the threads of a block or the lanes of a warp around the code of one region.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Emits, at the builder's place in a function `unit` with block slots, a call of `region` for every thread of the
/// block, z outermost and x innermost, and inlines it. `region` takes the parameters of a thread function and then
/// `tail`. Leaves the builder behind the loops.
///
/// Threads are independent between barriers, so the innermost loop is marked parallel unless the region orders its
/// threads by atomics, fences or volatile accesses.
void emit_thread_loops(llvm::IRBuilder<>& builder, const SlotFunction& unit, const SlotFunction& region,
                       llvm::ArrayRef<llvm::Value*> tail);

/// Likewise for lanes [0, count) of a warp, in a function `unit` whose thread slots are those of lane 0. `region` takes
/// the parameters of `unit`, the lane number, then `tail`. `aligned`: the lanes lie in one row of the block.
void emit_lane_loop(llvm::IRBuilder<>& builder, const SlotFunction& unit, const SlotFunction& region,
                    llvm::Value* count, bool aligned, llvm::ArrayRef<llvm::Value*> tail);

/// A loop counting an i32 from `first` (null: 0) up to a bound, entered at least once. The builder moves into it, and
/// behind it by end().
class CountingLoop {
public:
    CountingLoop(llvm::IRBuilder<>& builder, const llvm::Twine& name, llvm::Value* first = nullptr);
    llvm::Value* index() const { return index_; }
    /// Where the back edge comes from, for further phis beside the index.
    llvm::BasicBlock* latch() const { return latch_; }
    llvm::BranchInst* end(llvm::IRBuilder<>& builder, llvm::Value* count);

private:
    llvm::BasicBlock* header_;
    llvm::BasicBlock* latch_;
    llvm::PHINode* index_;
    llvm::Value* next_;
};

}  // namespace lanewise::cpu
