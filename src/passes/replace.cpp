#include "passes/replace.h"

namespace lanewise::passes {

void replace_uses(ir::Function& function, const Replacements& replacements) {
    if (replacements.empty()) return;
    for (ir::Block* block : function.blocks)
        for (ir::Value* value : block->values)
            for (ir::Value*& operand : value->operands)
                for (auto found = replacements.find(operand); found != replacements.end();
                     found = replacements.find(operand))
                    operand = found->second;
}

}  // namespace lanewise::passes
