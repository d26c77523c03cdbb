#include "frontend/python/index.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/bounds.h"
#include "frontend/python/builtins.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/slices.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

bool is_integer_index(const Operand& index) {
    return index.type->is_integer() || index.type->is_bool();
}

/// One item of a subscript, after the ellipsis is spelled out.
struct AxisIndex {
    enum class Kind : std::uint8_t { Integer, Slice, Whole, NewAxis } kind;
    const Operand* operand = nullptr;
};

[[noreturn]] void fail_index_type(Emitter& e, const Operand& array, const Operand& index) {
    std::string hint;
    if (index.type->is_float())
        hint = "; convert the index with int(x) (math.floor and its like give floats in kernels)";
    else if (index.type->is_array())
        hint = "; kernels have no indexing by arrays: loop over them and index by integers";
    else if (index.type->is(Type::Kind::String))
        hint = "; arrays with named fields are not supported";
    e.fail(ErrorKind::Typing,
           fmt::format("{} cannot be indexed with {}: an index is an integer, a slice, '...', None, or a "
                       "tuple of them{}",
                       array_name(array), to_string(index.type), hint));
}

std::vector<Operand> subscript_items(Emitter& e, const Operand& index) {
    if (!index.type->is_tuple()) return {index};
    std::vector<Operand> items;
    for (std::size_t i = 0; i < index.type->items.size(); ++i) items.push_back(e.item(index, i));
    return items;
}

/// Gives every axis of the array its index; `items` must outlive the result.
std::vector<AxisIndex> spread(Emitter& e, const Operand& array, const std::vector<Operand>& items) {
    const int ndim = array.type->ndim;
    int consumed = 0, ellipses = 0;
    for (const Operand& item : items) {
        if (is_integer_index(item) || item.type->is(Type::Kind::Slice))
            ++consumed;
        else if (item.type->is(Type::Kind::Ellipsis))
            ++ellipses;
        else if (!item.type->is(Type::Kind::None))
            fail_index_type(e, array, item);
    }
    if (ellipses > 1) e.fail(ErrorKind::Typing, "an index can have one ellipsis ('...') only");
    if (consumed > ndim)
        e.fail(ErrorKind::Typing, fmt::format("too many indices: {} has {} dimension{}, and the index gives {}",
                                              array_name(array), ndim, ndim == 1 ? "" : "s", consumed));
    std::vector<AxisIndex> axes;
    const int missing = ndim - consumed;
    for (const Operand& item : items) {
        if (is_integer_index(item))
            axes.push_back({AxisIndex::Kind::Integer, &item});
        else if (item.type->is(Type::Kind::Slice))
            axes.push_back({is_whole_slice(item.type) ? AxisIndex::Kind::Whole : AxisIndex::Kind::Slice, &item});
        else if (item.type->is(Type::Kind::None))
            axes.push_back({AxisIndex::Kind::NewAxis, nullptr});
        else
            axes.insert(axes.end(), static_cast<std::size_t>(missing), {AxisIndex::Kind::Whole, nullptr});
    }
    if (ellipses == 0) axes.insert(axes.end(), static_cast<std::size_t>(missing), {AxisIndex::Kind::Whole, nullptr});
    return axes;
}

/// C order survives when, from the outermost axis inwards, there are integers, then at most one unstrided slice, then
/// whole axes only; F order likewise from the innermost outwards.
Layout view_layout(Layout layout, std::vector<AxisIndex> axes) {
    if (layout == Layout::A) return Layout::A;
    if (layout == Layout::F) std::reverse(axes.begin(), axes.end());
    bool sliced = false;
    for (const AxisIndex& axis : axes) {
        switch (axis.kind) {
            case AxisIndex::Kind::Integer:
                if (sliced) return Layout::A;
                break;
            case AxisIndex::Kind::Slice:
                if (sliced || has_step(axis.operand->type)) return Layout::A;
                sliced = true;
                break;
            case AxisIndex::Kind::Whole:
                sliced = true;
                break;
            case AxisIndex::Kind::NewAxis:
                break;
        }
    }
    return layout;
}

/// The position an integer index means on an axis: negative ones count from the end, once.
Value* axis_position(Emitter& e, const Operand& array, const Operand& index, int axis) {
    ir::Builder& b = e.builder();
    Value* extent = array.parts[1 + static_cast<std::size_t>(axis)];
    Value* raw = index.value();
    const bool negative_possible = !is_unsigned(index.type->dtype) && !never_negative(e, raw);
    Value* position = b.cast(raw, DType::Int64);
    Value* given = position;
    if (negative_possible) position = b.select(b.lt(position, b.i64(0)), b.add(position, extent), position);
    if (e.options().bounds_check) {
        // One unsigned comparison refuses both ends.
        Value* inside = b.lt(b.cast(position, DType::UInt64), b.cast(extent, DType::UInt64));
        std::string shape;
        std::vector<Value*> values = {given, extent};
        const int ndim = array.type->ndim;
        for (int k = 0; k < ndim && ndim <= 4; ++k) {
            shape += fmt::format("{}{{{}}}", k ? ", " : "", values.size());
            values.push_back(array.parts[1 + static_cast<std::size_t>(k)]);
        }
        const std::string of_shape = shape.empty() ? "" : fmt::format(" of shape ({}{})", shape, ndim == 1 ? "," : "");
        e.raise_if(b.logical_not(inside), "IndexError",
                   fmt::format("index {{0}} is out of bounds for axis {} with size {{1}}: {}{}", axis,
                               array_name(array), of_shape),
                   values);
    }
    return position;
}

Value* element_address(Emitter& e, const Operand& array, std::span<const Operand> indices) {
    ir::Builder& b = e.builder();
    const int ndim = array.type->ndim;
    std::vector<Value*> positions;
    for (int axis = 0; axis < ndim; ++axis)
        positions.push_back(axis_position(e, array, indices[static_cast<std::size_t>(axis)], axis));
    Value* pointer = array.parts[0];
    if (ndim == 0) return pointer;
    if (array.type->layout == Layout::A) {
        for (int axis = 0; axis < ndim; ++axis)
            pointer = advance(e, pointer, positions[axis], array.parts[1 + ndim + axis]);
        return pointer;
    }
    // Horner's rule over the extents leaves one element offset, which the optimiser sees as contiguous.
    const bool c_order = array.type->layout == Layout::C;
    Value* offset = positions[c_order ? 0 : ndim - 1];
    for (int k = 1; k < ndim; ++k) {
        const int axis = c_order ? k : ndim - 1 - k;
        offset = b.add(b.mul(offset, array.parts[1 + axis]), positions[axis]);
    }
    return b.pointer_add(pointer, offset, size_of(array.type->dtype));
}

}  // namespace

std::string array_name(const Operand& array) {
    return array.spelling.empty() ? to_string(array.type) : fmt::format("array '{}'", array.spelling);
}

Value* advance(Emitter& e, Value* pointer, Value* index, Value* stride) {
    if (auto constant = ir::constant_integer(stride)) return e.builder().pointer_add(pointer, index, *constant);
    return e.builder().pointer_add(pointer, e.builder().mul(index, stride), 1);
}

std::vector<Value*> contiguous_strides(Emitter& e, std::span<Value* const> extents, std::int64_t item_bytes,
                                       bool c_order) {
    std::vector<Value*> strides(extents.size());
    Value* stride = e.builder().i64(item_bytes);
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const std::size_t axis = c_order ? extents.size() - 1 - k : k;
        strides[axis] = stride;
        if (k + 1 < extents.size()) stride = e.builder().mul(stride, extents[axis]);
    }
    return strides;
}

void require_writable(Emitter& e, const Operand& array) {
    if (!array.type->read_only) return;
    const bool constant = array.constant != nullptr || array.type->space == ir::Space::Constant;
    e.fail(
        ErrorKind::Typing,
        fmt::format("Cannot modify readonly array of type: {}{}; {}", to_string(array.type),
                    array.spelling.empty() ? "" : fmt::format(" ('{}')", array.spelling),
                    constant ? "host arrays from outside the kernel are constants to it: pass the array as an argument"
                             : "the array is marked as read-only: pass a writable copy"));
}

Operand load_element(Emitter& e, TypePtr array, Value* pointer) {
    const TypePtr type = scalar_type(array->dtype);
    Operand operand;
    operand.type = type;
    if (e.dry()) return operand;
    std::int64_t offset = 0;
    for (ir::Type part : parts_of(type)) {
        operand.parts.push_back(e.builder().load(part, e.builder().pointer_add(pointer, e.builder().i64(1), offset)));
        offset += part.bytes();
    }
    return operand;
}

void store_element(Emitter& e, const Operand& array, Value* pointer, const Operand& value) {
    const TypePtr type = scalar_type(array.type->dtype);
    if (!value.type->is_scalar())
        e.fail(ErrorKind::Typing, fmt::format("cannot store {} into an element of {}, which is {}",
                                              to_string(value.type), array_name(array), to_string(type)));
    const Operand converted = convert(e, value, type);
    if (e.dry()) return;
    std::int64_t offset = 0;
    for (Value* part : converted.parts) {
        e.builder().store(e.builder().pointer_add(pointer, e.builder().i64(1), offset), part);
        offset += part->type.bytes();
    }
}

Value* element_pointer(Emitter& e, const Operand& array, std::span<const Operand> indices) {
    return e.dry() ? nullptr : element_address(e, array, indices);
}

std::vector<Operand> index_list(Emitter& e, const Operand& array, const Operand& index) {
    if (!array.type->is_array()) e.fail(ErrorKind::Typing, fmt::format("{} is no array", to_string(array.type)));
    std::vector<Operand> items = subscript_items(e, index);
    for (const Operand& item : items)
        if (!is_integer_index(item))
            e.fail(ErrorKind::Typing, fmt::format("{} needs an integer or a tuple of {} integers as its index, got {}",
                                                  array_name(array), array.type->ndim, to_string(index.type)));
    if (items.size() != array.type->ndim)
        e.fail(ErrorKind::Typing, fmt::format("{} has {} dimensions, and the index gives {}", array_name(array),
                                              array.type->ndim, items.size()));
    return items;
}

Place place_of(Emitter& e, const Operand& array, const Operand& index) {
    const std::vector<Operand> items = subscript_items(e, index);
    const std::vector<AxisIndex> axes = spread(e, array, items);
    Place place;
    place.is_element = std::all_of(axes.begin(), axes.end(),
                                   [](const AxisIndex& axis) { return axis.kind == AxisIndex::Kind::Integer; });
    if (place.is_element) {
        std::vector<Operand> indices;
        for (const AxisIndex& axis : axes) indices.push_back(*axis.operand);
        place.pointer = element_pointer(e, array, indices);
        return place;
    }

    int result_ndim = 0;
    for (const AxisIndex& axis : axes) result_ndim += axis.kind != AxisIndex::Kind::Integer;
    place.view.type = array_type(array.type->dtype, result_ndim, view_layout(array.type->layout, axes),
                                 array.type->read_only, array.type->space);
    place.view.spelling = array.spelling;
    if (e.dry()) return place;

    ir::Builder& b = e.builder();
    const std::size_t ndim = array.type->ndim;
    Value* pointer = array.parts[0];
    std::vector<Value*> extents, strides;
    std::size_t axis = 0;
    for (const AxisIndex& part : axes) {
        if (part.kind == AxisIndex::Kind::NewAxis) {
            extents.push_back(b.i64(1));
            strides.push_back(b.i64(0));
            continue;
        }
        Value* extent = array.parts[1 + axis];
        Value* stride = array.parts[1 + ndim + axis];
        switch (part.kind) {
            case AxisIndex::Kind::Integer:
                pointer = advance(e, pointer, axis_position(e, array, *part.operand, static_cast<int>(axis)), stride);
                break;
            case AxisIndex::Kind::Slice: {
                const SliceSpan span = slice_span(e, *part.operand, extent);
                pointer = advance(e, pointer, span.start, stride);
                e.note_never_negative(span.length);
                extents.push_back(span.length);
                strides.push_back(b.mul(stride, span.step));
                break;
            }
            default:
                extents.push_back(extent);
                strides.push_back(stride);
        }
        ++axis;
    }
    place.view.parts.push_back(pointer);
    place.view.parts.insert(place.view.parts.end(), extents.begin(), extents.end());
    place.view.parts.insert(place.view.parts.end(), strides.begin(), strides.end());
    return place;
}

Operand item_at(Emitter& e, const Operand& array, Value* i) {
    const int ndim = array.type->ndim;
    Operand view;
    // Dropping the first axis keeps C order.
    view.type = array_type(array.type->dtype, ndim - 1, array.type->layout == Layout::C ? Layout::C : Layout::A,
                           array.type->read_only, array.type->space);
    view.spelling = array.spelling;
    Value* pointer = nullptr;
    if (!e.dry()) {
        pointer = advance(e, array.parts[0], i, array.parts[1 + ndim]);
        view.parts.push_back(pointer);
        view.parts.insert(view.parts.end(), array.parts.begin() + 2, array.parts.begin() + 1 + ndim);
        view.parts.insert(view.parts.end(), array.parts.begin() + 2 + ndim, array.parts.end());
    }
    return ndim == 1 ? load_element(e, array.type, pointer) : view;
}

Operand tuple_item_at(Emitter& e, const Operand& tuple, Value* i) {
    Operand operand;
    operand.type = tuple.type->items.front();
    if (e.dry()) return operand;
    ir::Builder& b = e.builder();
    const std::size_t count = tuple.type->items.size();
    const std::vector<ir::Type> types = parts_of(operand.type);
    constexpr std::size_t select_limit = 4;
    for (std::size_t part = 0; part < types.size(); ++part) {
        auto at = [&](std::size_t item) { return tuple.parts[item * types.size() + part]; };
        if (count <= select_limit) {
            Value* chosen = at(count - 1);
            for (std::size_t item = count - 1; item-- > 0;)
                chosen = b.select(b.eq(i, b.i64(static_cast<std::int64_t>(item))), at(item), chosen);
            operand.parts.push_back(chosen);
            continue;
        }
        const int bytes = types[part].bytes();
        Value* memory = b.local_array(count * static_cast<std::uint64_t>(bytes), static_cast<std::uint32_t>(bytes));
        for (std::size_t item = 0; item < count; ++item)
            b.store(b.pointer_add(memory, b.i64(static_cast<std::int64_t>(item)), bytes), at(item));
        operand.parts.push_back(b.load(types[part], b.pointer_add(memory, i, bytes)));
    }
    return operand;
}

}  // namespace lanewise::python
