// Replacement of values throughout a function.
#pragma once

#include <unordered_map>

#include "ir/function.h"

namespace lanewise::passes {

using Replacements = std::unordered_map<ir::Value*, ir::Value*>;

/// Every operand that is a key becomes what the chain of replacements ends in. The chains must not be cyclic.
void replace_uses(ir::Function& function, const Replacements& replacements);

}  // namespace lanewise::passes
