// Consecutive blocks run as one wide block.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Whether the threads of neighbouring blocks along x can be run as further threads of the first of them, with thread.x
/// going on beyond block_dim.x: block.x and thread.x only occur as block.x * block_dim.x + thread.x, the threads share
/// no memory of the block, and if they meet, then at plain barriers. Loops over threads then become as long as those
/// over data. `thread` is simplified.
bool can_merge_blocks(const SlotFunction& thread, const SharedLayout& shared);

}  // namespace lanewise::cpu
