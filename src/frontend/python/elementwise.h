// Loops over the elements of views: slice assignment and in-place operators on views.
#pragma once

#include <functional>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// for i in [0, count): body(i). Not for dry runs.
void counted_loop(Emitter& e, ir::Value* count, const std::function<void(ir::Value* i)>& body);

/// view[...] = value: a scalar, an array that broadcasts to the view's shape, or (into vectors) a tuple. Overlapping
/// source and destination of one layout are copied in the order that reads before it writes.
void assign_view(Emitter& e, const Operand& view, const Operand& value);

/// view[k] = update(view[k], value[k]) for every element; `value` is a scalar or an array that broadcasts.
void update_view(Emitter& e, const Operand& view, const Operand& value,
                 const std::function<Operand(const Operand& element, const Operand& value)>& update);

}  // namespace lanewise::python
