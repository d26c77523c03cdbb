// Attributes of values in kernels: array properties, parts of complex numbers, dim3 components, bound methods.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// `object.name`; Error(Typing) naming the type and what it has.
Operand attribute(Emitter& e, const Operand& object, const std::string& name);

}  // namespace lanewise::python
