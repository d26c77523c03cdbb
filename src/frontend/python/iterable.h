// What a for loop can go over: ranges, arrays, tuples, enumerate and zip, seen as a count and the item at a position.
#pragma once

#include <optional>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// Error(Typing) unless a for loop can go over it.
void require_iterable(Emitter& e, const Operand& iterable);

/// The number of items (int64); null in a dry run.
ir::Value* item_count(Emitter& e, const Operand& iterable);
/// The item at int64 position `i` in [0, count).
Operand item_of(Emitter& e, const Operand& iterable, ir::Value* i);

/// Items of several types, or none: the loop's body is lowered once an item.
bool needs_unrolling(TypePtr iterable);
/// The largest number of items the type allows, when a tuple bounds it.
std::optional<std::size_t> static_count(TypePtr iterable);
/// The item at a position known at compile time, with its constant if it has one.
Operand item_of(Emitter& e, const Operand& iterable, std::size_t i);

}  // namespace lanewise::python
