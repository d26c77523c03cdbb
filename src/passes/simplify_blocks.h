// Block simplification: constant branches, unreachable blocks, phis with one value, chains of blocks.
#pragma once

#include "ir/function.h"

namespace lanewise::passes {

/// Afterwards every block is reachable, no conditional branch has a constant condition or equal targets, no phi has a
/// single distinct operand, and no block branches unconditionally to a block that has it as its only predecessor.
void simplify_blocks(ir::Function& function);

}  // namespace lanewise::passes
