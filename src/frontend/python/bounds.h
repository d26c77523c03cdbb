// What is known of integer values without running: thread indices, extents and counters are never negative.
#pragma once

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// True when the integer `value` cannot be negative; false says nothing.
bool never_negative(const Emitter& e, const ir::Value* value);
/// True when it is at least 1.
bool always_positive(const Emitter& e, const ir::Value* value);

/// True when `a + b` of two values of one signed type is known to stay within it.
bool sum_fits(const Emitter& e, const ir::Value* a, const ir::Value* b);

}  // namespace lanewise::python
