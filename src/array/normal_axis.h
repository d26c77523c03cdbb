// Axes as callers give them.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanewise {

/// The axis counted from the front, negative ones from the end; Error(Value) naming `call` when there is none such.
int normal_axis(std::string_view call, std::int64_t axis, int ndim);

}  // namespace lanewise
