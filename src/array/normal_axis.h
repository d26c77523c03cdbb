// Axes as callers give them.
#pragma once

#include <cstdint>
#include <string_view>

#include "lanewise/error.h"

namespace lanewise {

/// The Error(Value) of an axis that an array does not have (NumPy's AxisError).
class AxisError : public Error {
public:
    // Told by its name: errors of the code generators, which are built without RTTI, cannot be asked for their class.
    AxisError(ErrorKind kind, const std::string& text) : Error(kind, text) { python_class = "AxisError"; }
};

/// The axis counted from the front, negative ones from the end; AxisError naming `call` when there is none such.
int normal_axis(std::string_view call, std::int64_t axis, int ndim);

}  // namespace lanewise
