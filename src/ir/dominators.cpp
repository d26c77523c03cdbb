#include "ir/dominators.h"

#include <algorithm>

namespace lanewise::ir {

Dominators::Dominators(Function& function) {
    function.number();
    const std::size_t count = function.blocks.size();
    order_index_.assign(count, -1);
    predecessors_.resize(count);
    for (Block* block : function.blocks)
        if (const Value* end = block->terminator())
            for (int i = 0; i < target_count(*end); ++i) predecessors_[end->targets[i]->id].push_back(block);

    // Postorder without recursion: (block, next target).
    std::vector<std::pair<Block*, int>> stack;
    std::vector<char> seen(count, 0);
    stack.emplace_back(function.blocks.front(), 0);
    seen[0] = 1;
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        const Value* end = block->terminator();
        if (end && next < target_count(*end)) {
            Block* target = end->targets[next++];
            if (!seen[target->id]) {
                seen[target->id] = 1;
                stack.emplace_back(target, 0);
            }
        } else {
            order_.push_back(block);
            stack.pop_back();
        }
    }
    std::reverse(order_.begin(), order_.end());
    for (std::size_t i = 0; i < order_.size(); ++i) order_index_[order_[i]->id] = static_cast<int>(i);

    // Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    immediate_.assign(order_.size(), -1);
    immediate_[0] = 0;
    auto meet = [&](int a, int b) {
        while (a != b) {
            while (a > b) a = immediate_[a];
            while (b > a) b = immediate_[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 1; i < order_.size(); ++i) {
            int found = -1;
            for (const Block* predecessor : predecessors_[order_[i]->id]) {
                const int index = order_index_[predecessor->id];
                if (index < 0 || immediate_[index] < 0) continue;
                found = found < 0 ? index : meet(index, found);
            }
            if (immediate_[i] != found) {
                immediate_[i] = found;
                changed = true;
            }
        }
    }
}

bool Dominators::dominates(const Block* above, const Block* below) const {
    const int wanted = order_index_[above->id];
    int index = order_index_[below->id];
    while (index > wanted) index = immediate_[index];
    return index == wanted;
}

}  // namespace lanewise::ir
