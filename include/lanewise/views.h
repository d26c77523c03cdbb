// Views of arrays, and whether arrays are of the same memory. Nothing is computed for the answer.
#pragma once

#include "lanewise/array.h"

namespace lanewise {

/// The same elements, seen alike: writing one of them to the other changes nothing.
bool same_elements(const Array& a, const Array& b);
/// Whether the arrays have bytes between their lowest and their highest element in common.
bool may_share_memory(const Array& a, const Array& b);
/// The elements are all of their memory, from its start on.
bool owns_memory(const Array& array);

/// Elements x[i, i + offset] of the axes, as the last axis of a read-only view.
Array diagonal(const Array& x, std::int64_t offset, int axis1, int axis2);
/// The elements in one dimension, by Order::Keep as they lie in memory: a view where they lie side by side in this
/// order, else a copy.
Array ravel(const Array& x, Order order = Order::C);

}  // namespace lanewise
