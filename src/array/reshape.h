// Strides of reshaped views.
#pragma once

#include <optional>

#include "lanewise/array.h"

namespace lanewise {

/// Strides that show the elements of (shape, strides) as `target`, in `order`; none when that takes a copy. Both shapes
/// have as many elements, at least one.
std::optional<Dims> reshaped_strides(const Dims& shape, const Dims& strides, const Dims& target,
                                     std::int64_t item_bytes, Order order);

}  // namespace lanewise
