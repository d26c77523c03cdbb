// Predecessors, reverse postorder and immediate dominators of a function's blocks, by Block::id.
#pragma once

#include "ir/function.h"

namespace lanewise::ir {

/// A snapshot; Function::number() is called by the constructor, later changes of the graph are not seen.
class Dominators {
public:
    explicit Dominators(Function& function);

    bool reachable(const Block* block) const { return order_index_[block->id] >= 0; }
    /// Reachable blocks, the entry first; a block comes after its immediate dominator.
    const std::vector<Block*>& order() const { return order_; }
    /// Each edge once: a conditional branch with equal targets counts twice. Unreachable predecessors included.
    const std::vector<Block*>& predecessors(const Block* block) const { return predecessors_[block->id]; }
    /// Both reachable; a block dominates itself.
    bool dominates(const Block* above, const Block* below) const;

private:
    std::vector<Block*> order_;
    std::vector<int> order_index_;  ///< by Block::id; -1 unreachable
    std::vector<int> immediate_;    ///< by order index, an order index
    std::vector<std::vector<Block*>> predecessors_;
};

/// Number of targets of a terminator.
inline int target_count(const Value& terminator) {
    return terminator.op == Op::Branch ? 1 : terminator.op == Op::CondBranch ? 2 : 0;
}

}  // namespace lanewise::ir
