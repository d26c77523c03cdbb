// One kernel from its thread form to the exported entry point that runs blocks.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Replaces `kernel` (NVVM dialect, flattened, device functions inlined or converted) by a KernelFunction of the same
/// name and describes it. `shared` is its layout, `facts` those of the device functions it may call.
EntryPoint build_kernel(llvm::Function& kernel, const SharedLayout& shared, ThreadFacts facts);

}  // namespace lanewise::cpu
