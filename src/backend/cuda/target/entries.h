// What the runtime must know of each kernel of a module, read off its LLVM form before optimisation.
#pragma once

#include <vector>

#include "lanewise/image.h"

namespace llvm {
class Module;
}

namespace lanewise::cuda {

/// The kernels in module order. Shared memory, raising and grid barriers count through all functions a kernel may call.
std::vector<EntryPoint> entry_points(llvm::Module& module);

}  // namespace lanewise::cuda
