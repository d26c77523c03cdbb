// Runs an ir::Function on the host, operation by operation: what the front end emitted, without a code generator.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace lanewise::testing {

/// The bits of the results. Scalar code only: no memory, intrinsics or calls (std::logic_error).
std::vector<std::uint64_t> evaluate(const ir::Function& function, const std::vector<std::uint64_t>& arguments);

}  // namespace lanewise::testing
