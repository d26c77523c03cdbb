// The ordered list of IR passes between a front end and a code generator.
#pragma once

#include "ir/function.h"

namespace lanewise::passes {

/// Runs every pass in order; the module is verified before and after. The result has only "core" and "math:" scalar
/// ops.
void run_pipeline(ir::Module& module);

}  // namespace lanewise::passes
