// Expansion of the scalar operations marked "expand" in tables/scalar.def.
#pragma once

#include "ir/function.h"

namespace lanewise::passes {

/// Rewrites them into "core" operations without branches. Afterwards only "core" and "math:" operations are left.
void expand_ops(ir::Module& module, ir::Function& function);

}  // namespace lanewise::passes
