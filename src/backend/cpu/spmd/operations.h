// Device operations that concern one thread: special registers, services, exits, atomics on private memory, calls.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Rewrites the body of a thread function (or of a device function with thread slots). `ended`: a device function's
/// byte to set when the thread ends in it; null for a kernel. Error(Lowering) for what the host does not have.
void rewrite_operations(const SlotFunction& thread, const SharedLayout& shared, ThreadFacts& facts, llvm::Value* ended);

/// Turns atomics that only threads of one block can see into plain memory accesses. To be done when all loops over
/// threads are there: before, such an access must look like what it is.
void lower_private_atomics(llvm::Module& module);

}  // namespace lanewise::cpu
