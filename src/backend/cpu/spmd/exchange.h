// Warp operations as vector code over the 32 lanes.
#pragma once

#include "backend/cpu/spmd/regions.h"

namespace lanewise::cpu {

/// Emits the meeting for the lanes of one warp and returns the components of its result: one value where mask and
/// operation make it common to all lanes, else a vector of 32. `lanes` bounds the lanes there are (null: all 32).
///
/// Lanes that have ended or do not exist take no part: they do not count in votes, matches and reductions, and a
/// shuffle that reads from one gives the reader its own value.
llvm::SmallVector<llvm::Value*, 2> exchange(llvm::IRBuilder<>& builder, const Meeting& meeting, llvm::Value* lanes);

}  // namespace lanewise::cpu
