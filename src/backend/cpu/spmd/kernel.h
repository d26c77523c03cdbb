// One kernel from its thread form to the exported entry point that runs blocks.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Replaces `kernel` (NVVM dialect, flattened, everything inlined) by a KernelFunction of the same name and describes
/// it.
EntryPoint build_kernel(llvm::Function& kernel);

}  // namespace lanewise::cpu
