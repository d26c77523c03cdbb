// The driver's PTX compiler, loaded ahead of its first use.
#pragma once

#include "backend/cuda/driver.h"

namespace lanewise::cuda {

/// On the first call in a process: starts a thread that compiles a trivial kernel in `context`, because the driver's
/// first compile costs about 90 ms and later ones 17. The thread is waited for at the process's exit.
void warm_up_jit(CUcontext context, int compute_major);

}  // namespace lanewise::cuda
