// Many arrays side by side by one launch.
#pragma once

#include <memory>
#include <span>

#include "array/kernel_code.h"
#include "lanewise/array.h"

namespace lanewise {

/// Puts contiguous arrays of the result's dtype side by side along `axis`, which they fill, of a contiguous result.
void launch_join(const Array& result, int axis, std::span<const Array> parts, const std::shared_ptr<Stream>& stream);

/// A result is `rows` rows of units, and each part some neighbouring units of all rows.
struct JoinPlan {
    bool cuda = false;  ///< a thread for some units of the result; else one for some rows of a part
    int unit = 1;       ///< bytes
    bool narrow = true;
};
std::unique_ptr<ir::Module> join_module(const JoinPlan& plan);

}  // namespace lanewise
