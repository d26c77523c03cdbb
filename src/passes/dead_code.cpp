#include "passes/dead_code.h"

#include <unordered_set>

namespace lanewise::passes {

using namespace ir;

namespace {

bool has_effect(const Value& value) {
    switch (value.op) {
        case Op::Store:
        case Op::Atomic:
        case Op::CompareSwap:
        case Op::Call:
        case Op::Print:
            return true;
        case Op::Load:
            return value.hint == CacheHint::Volatile;
        case Op::Intrinsic:
            return info(value.intrinsic).effects != Effects::pure;
        case Op::External:
            return value.has_memory_effect;
        default:
            return is_terminator(value.op);
    }
}

}  // namespace

void remove_dead_code(Function& function) {
    std::unordered_set<const Value*> live;
    std::vector<const Value*> work;
    auto need = [&](const Value* value) {
        if (value->block && live.insert(value).second) work.push_back(value);
    };
    std::size_t count = 0;
    for (const Block* block : function.blocks) {
        count += block->values.size();
        for (const Value* value : block->values)
            if (has_effect(*value)) need(value);
    }
    while (!work.empty()) {
        const Value* value = work.back();
        work.pop_back();
        for (const Value* operand : value->operands) need(operand);
    }
    if (live.size() == count) return;
    for (Block* block : function.blocks)
        std::erase_if(block->values, [&](const Value* value) { return !live.contains(value); });
}

}  // namespace lanewise::passes
