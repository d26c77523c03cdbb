// Runs the threads of a block: region by region where they keep together, else one at a time.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Fills `block`, an empty function with the block slots, with code that runs all threads of one block. `thread` is
/// spent. Returns the bytes of context the code needs for each thread.
std::uint32_t emit_block(const SlotFunction& block, const SlotFunction& thread);

}  // namespace lanewise::cpu
