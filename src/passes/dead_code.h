// Dead code elimination.
#pragma once

#include "ir/function.h"

namespace lanewise::passes {

/// Removes values without an effect that nothing with an effect needs. Stores, atomics, calls, barriers, warp
/// exchanges and volatile loads stay.
void remove_dead_code(ir::Function& function);

}  // namespace lanewise::passes
