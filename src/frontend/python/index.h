// Indexing: elements, views and slices of arrays; items of tuples. Indices are operands: integers, Slice, Ellipsis,
// None (a new axis), or a tuple of them.
#pragma once

#include <span>
#include <vector>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// `object[index]`.
Operand get_item(Emitter& e, const Operand& object, const Operand& index);
/// `array[index] = value`: an element by conversion, a view element by element with NumPy's broadcasting.
void set_item(Emitter& e, const Operand& array, const Operand& index, const Operand& value);

/// The Slice operand start:stop:step; null-typed parts are absent.
Operand make_slice(Emitter& e, const Operand& start, const Operand& stop, const Operand& step);

/// What `index` selects of an array: the address of one element (pointer null in a dry run), or a view.
struct Place {
    bool is_element = false;
    ir::Value* pointer = nullptr;
    Operand view;
};
Place place_of(Emitter& e, const Operand& array, const Operand& index);
/// The operand at an element's address, and the store to it (converts to the array's dtype).
Operand load_element(Emitter& e, TypePtr array, ir::Value* pointer);
void store_element(Emitter& e, const Operand& array, ir::Value* pointer, const Operand& value);
/// Error(Typing) when `array` cannot be written.
void require_writable(Emitter& e, const Operand& array);

/// array[i] for int64 `i` known to be in range, along the first axis: an element, or a view of one axis less.
Operand item_at(Emitter& e, const Operand& array, ir::Value* i);
/// tuple[i] for a run-time int64 `i` known to be in range; the items have one type.
Operand tuple_item_at(Emitter& e, const Operand& tuple, ir::Value* i);

/// pointer + index * stride bytes.
ir::Value* advance(Emitter& e, ir::Value* pointer, ir::Value* index, ir::Value* stride);
/// Strides in bytes of a C or F ordered array of these extents.
std::vector<ir::Value*> contiguous_strides(Emitter& e, std::span<ir::Value* const> extents, std::int64_t item_bytes,
                                           bool c_order);

/// "array 'x'" or "array(float32, 1d, C)": how messages name an array.
std::string array_name(const Operand& array);

}  // namespace lanewise::python
