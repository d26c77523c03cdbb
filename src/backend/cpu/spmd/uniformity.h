// Which values are the same for all threads that execute them together.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Whose threads are compared.
enum class Scope : std::uint8_t {
    Block,        ///< all threads of the block
    Warp,         ///< the lanes of a warp, wherever the block's rows end
    AlignedWarp,  ///< the lanes of a warp in a block whose x size is a multiple of the warp size: y and z are uniform
};

/// Uniformity of a thread function's values and branches. Ended threads do not count. A snapshot: instructions made
/// later count as divergent, unless cloned from uniform ones (the mark is metadata, which clones keep). Plain loads
/// from a uniform address are uniform unless the same object is written in between without a barrier; a race between
/// threads is undefined in CUDA and not looked for beyond that.
class Uniformity {
public:
    Uniformity(const SlotFunction& thread, Scope scope);

    /// At its definition and at all its uses (a value that leaves a loop whose trip count differs by thread is not).
    bool is_uniform(const llvm::Value* value) const;
    bool has_divergent_branch(const llvm::BasicBlock* block) const { return divergent_blocks_.contains(block); }

private:
    llvm::SmallPtrSet<const llvm::Argument*, 4> divergent_arguments_;
    llvm::DenseSet<const llvm::BasicBlock*> divergent_blocks_;
};

}  // namespace lanewise::cpu
