// Which ufuncs may be applied to runs of elements in any grouping.
#pragma once

#include "lanewise/ops.h"

namespace lanewise {

bool is_associative(Ufunc ufunc);
/// Error(Value) for functions of one operand, Error(NotImplemented) for those that are not associative.
void require_associative(Ufunc ufunc, const char* method);

}  // namespace lanewise
