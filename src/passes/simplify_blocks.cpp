#include "passes/simplify_blocks.h"

#include <algorithm>

#include "ir/dominators.h"
#include "passes/replace.h"

namespace lanewise::passes {

using namespace ir;

namespace {

void drop_incoming(Block* block, const Block* from) {
    for (Value* phi : block->values) {
        if (phi->op != Op::Phi) break;
        for (std::size_t i = phi->incoming.size(); i-- > 0;)
            if (phi->incoming[i] == from) {
                phi->incoming.erase(phi->incoming.begin() + i);
                phi->operands.erase(phi->operands.begin() + i);
            }
    }
}

/// Turns conditional branches that always go one way into plain ones.
void fold_branches(Function& function) {
    for (Block* block : function.blocks) {
        Value* end = block->terminator();
        if (!end || end->op != Op::CondBranch) continue;
        Block* taken = nullptr;
        if (end->targets[0] == end->targets[1]) {
            taken = end->targets[0];
        } else if (end->operands[0]->op == Op::Constant) {
            taken = end->targets[end->operands[0]->bits ? 0 : 1];
            drop_incoming(end->targets[end->operands[0]->bits ? 1 : 0], block);
        }
        if (!taken) continue;
        end->op = Op::Branch;
        end->operands.clear();
        end->targets[0] = taken;
        end->targets[1] = nullptr;
    }
}

void remove_unreachable(Function& function) {
    const Dominators dominators(function);
    if (dominators.order().size() == function.blocks.size()) return;
    for (Block* block : function.blocks) {
        if (dominators.reachable(block)) continue;
        if (const Value* end = block->terminator())
            for (int i = 0; i < target_count(*end); ++i)
                if (dominators.reachable(end->targets[i])) drop_incoming(end->targets[i], block);
    }
    std::erase_if(function.blocks, [&](const Block* block) { return !dominators.reachable(block); });
}

/// A phi whose operands are all one value (or itself) is that value.
bool remove_trivial_phis(Function& function) {
    Replacements replacements;
    auto current = [&](Value* value) {
        for (auto found = replacements.find(value); found != replacements.end(); found = replacements.find(value))
            value = found->second;
        return value;
    };
    auto same = [](const Value* a, const Value* b) {
        return a == b || (a->op == Op::Constant && b->op == Op::Constant && a->type == b->type && a->bits == b->bits);
    };
    for (Block* block : function.blocks) {
        std::erase_if(block->values, [&](Value* phi) {
            if (phi->op != Op::Phi) return false;
            Value* only = nullptr;
            for (Value* operand : phi->operands) {
                operand = current(operand);
                if (operand == phi || (only && same(operand, only))) continue;
                if (only) return false;
                only = operand;
            }
            if (!only) return false;
            replacements.emplace(phi, only);
            return true;
        });
    }
    replace_uses(function, replacements);
    return !replacements.empty();
}

void merge_chains(Function& function) {
    const Dominators dominators(function);
    std::vector<char> merged(function.blocks.size(), 0);
    for (Block* block : function.blocks) {
        if (merged[block->id]) continue;
        for (;;) {
            Value* end = block->terminator();
            if (end->op != Op::Branch) break;
            Block* next = end->targets[0];
            if (next == block || dominators.predecessors(next).size() != 1) break;
            if (next->values.front()->op == Op::Phi) break;
            block->values.pop_back();
            for (Value* value : next->values) {
                value->block = block;
                block->values.push_back(value);
            }
            next->values.clear();
            merged[next->id] = 1;
            const Value* new_end = block->terminator();
            for (int i = 0; i < target_count(*new_end); ++i)
                for (Value* phi : new_end->targets[i]->values) {
                    if (phi->op != Op::Phi) break;
                    std::replace(phi->incoming.begin(), phi->incoming.end(), next, block);
                }
        }
    }
    std::erase_if(function.blocks, [](const Block* block) { return block->values.empty(); });
}

}  // namespace

void simplify_blocks(Function& function) {
    fold_branches(function);
    remove_unreachable(function);
    while (remove_trivial_phis(function)) {
        // A phi that became a constant may decide a branch.
        fold_branches(function);
        remove_unreachable(function);
    }
    merge_chains(function);
}

}  // namespace lanewise::passes
