// Device operations that concern one thread: special registers, services, exits, atomics on private memory, calls.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Rewrites the body of a thread function (or of a device function with thread slots). `ended`: a device function's
/// byte to set when the thread ends in it; null for a kernel. Error(Lowering) for what the host does not have.
void rewrite_operations(const SlotFunction& thread, const SharedLayout& shared, ThreadFacts& facts, llvm::Value* ended);

}  // namespace lanewise::cpu
