#include "frontend/python/elementwise.h"

#include <fmt/format.h>

#include "frontend/python/index.h"
#include "frontend/python/scalar_rules.h"

namespace lanewise::python {

using ir::Value;

namespace {

std::size_t ndim_of(const Operand& array) {
    return array.type->ndim;
}
Value* extent_of(const Operand& array, std::size_t axis) {
    return array.parts[1 + axis];
}
Value* stride_of(const Operand& array, std::size_t axis) {
    return array.parts[1 + ndim_of(array) + axis];
}

void require_broadcast(Emitter& e, const Operand& view, const Operand& value) {
    if (!value.type->is_array() || ndim_of(value) <= ndim_of(view)) return;
    e.fail(ErrorKind::Typing, fmt::format("cannot assign {} to a view of {} dimension{}", to_string(value.type),
                                          ndim_of(view), ndim_of(view) == 1 ? "" : "s"));
}

/// The strides with which `source` is read under the view's indices: 0 along broadcast axes.
std::vector<Value*> broadcast_strides(Emitter& e, const Operand& view, const Operand& source) {
    ir::Builder& b = e.builder();
    const std::size_t offset = ndim_of(view) - ndim_of(source);
    std::vector<Value*> strides(ndim_of(view), b.i64(0));
    for (std::size_t axis = 0; axis < ndim_of(source); ++axis) {
        Value* extent = extent_of(source, axis);
        Value* wanted = extent_of(view, offset + axis);
        Value* single = b.eq(extent, b.i64(1));
        if (e.options().debug || e.options().bounds_check)
            e.raise_if(
                b.scalar(ir::ScalarOp::BitAnd, b.scalar(ir::ScalarOp::Ne, extent, wanted), b.logical_not(single)),
                "ValueError",
                fmt::format("cannot assign slice: the source has {{0}} elements along axis {}, the destination {{1}}",
                            offset + axis),
                {extent, wanted});
        strides[offset + axis] = b.select(single, b.i64(0), stride_of(source, axis));
    }
    return strides;
}

void nested_loops(Emitter& e, const Operand& view, std::vector<Value*>& indices,
                  const std::function<void(std::span<Value* const>)>& body) {
    const std::size_t axis = indices.size();
    if (axis == ndim_of(view)) return body(indices);
    counted_loop(e, extent_of(view, axis), [&](Value* i) {
        indices.push_back(i);
        nested_loops(e, view, indices, body);
        indices.pop_back();
    });
}

Value* address(Emitter& e, Value* pointer, std::span<Value* const> indices, std::span<Value* const> strides) {
    for (std::size_t axis = 0; axis < indices.size(); ++axis)
        pointer = advance(e, pointer, indices[axis], strides[axis]);
    return pointer;
}

std::vector<Value*> strides_of(const Operand& view) {
    const auto first = view.parts.begin() + 1 + static_cast<std::ptrdiff_t>(ndim_of(view));
    return {first, view.parts.end()};
}

void assign_tuple(Emitter& e, const Operand& view, const Operand& tuple) {
    const std::size_t count = tuple.type->items.size();
    if (ndim_of(view) != 1)
        e.fail(ErrorKind::Typing,
               fmt::format("a tuple can be assigned to a view of 1 dimension, not of {}", ndim_of(view)));
    if (!e.dry() && (e.options().debug || e.options().bounds_check)) {
        Value* length = e.builder().i64(static_cast<std::int64_t>(count));
        e.raise_if(e.builder().scalar(ir::ScalarOp::Ne, extent_of(view, 0), length), "ValueError",
                   "cannot assign slice: the tuple has {0} items, the destination {1} elements",
                   {length, extent_of(view, 0)});
    }
    for (std::size_t i = 0; i < count; ++i) {
        Value* pointer =
            e.dry() ? nullptr
                    : advance(e, view.parts[0], e.builder().i64(static_cast<std::int64_t>(i)), stride_of(view, 0));
        store_element(e, view, pointer, e.item(tuple, i));
    }
}

}  // namespace

void counted_loop(Emitter& e, Value* count, const std::function<void(Value* i)>& body) {
    ir::Builder& b = e.builder();
    ir::Block* before = b.block();
    ir::Block* header = b.new_block("each");
    ir::Block* inside = b.new_block("each_body");
    ir::Block* after = b.new_block("each_end");
    b.branch(header);
    b.set_block(header);
    Value* i = b.phi(ir::Type::scalar(DType::Int64));
    ir::Builder::add_incoming(i, b.i64(0), before);
    e.note_never_negative(i);
    b.cond_branch(b.lt(i, count), inside, after);
    b.set_block(inside);
    body(i);
    Value* next = b.add(i, b.i64(1));
    ir::Builder::add_incoming(i, next, b.block());
    b.branch(header);
    b.set_block(after);
}

void assign_view(Emitter& e, const Operand& view, const Operand& value) {
    require_writable(e, view);
    if (value.type->is_tuple()) return assign_tuple(e, view, value);
    if (value.type->is_scalar()) {
        const Operand converted = convert(e, value, scalar_type(view.type->dtype));
        if (e.dry()) return;
        const std::vector<Value*> strides = strides_of(view);
        std::vector<Value*> indices;
        return nested_loops(e, view, indices, [&](std::span<Value* const> at) {
            store_element(e, view, address(e, view.parts[0], at, strides), converted);
        });
    }
    if (!value.type->is_array())
        e.fail(ErrorKind::Typing,
               fmt::format("cannot assign {} to a view of {}", to_string(value.type), array_name(view)));
    require_broadcast(e, view, value);
    if (e.dry()) {
        convert(e, load_element(e, value.type, nullptr), scalar_type(view.type->dtype));
        return;
    }
    ir::Builder& b = e.builder();
    const std::vector<Value*> from = broadcast_strides(e, view, value), to = strides_of(view);
    // Views of one array may overlap: when the source starts below, the last element goes first, as memmove does.
    Value* reverse = nullptr;
    if (value.type->dtype == view.type->dtype && ndim_of(value) == ndim_of(view) &&
        value.type->space == view.type->space)
        reverse = b.lt(b.bitcast(value.parts[0], ir::Type::scalar(DType::UInt64)),
                       b.bitcast(view.parts[0], ir::Type::scalar(DType::UInt64)));
    std::vector<Value*> indices;
    nested_loops(e, view, indices, [&](std::span<Value* const> counters) {
        std::vector<Value*> at(counters.begin(), counters.end());
        for (std::size_t axis = 0; reverse && axis < at.size(); ++axis)
            at[axis] = b.select(reverse, b.sub(b.sub(extent_of(view, axis), b.i64(1)), at[axis]), at[axis]);
        const Operand element = load_element(e, value.type, address(e, value.parts[0], at, from));
        store_element(e, view, address(e, view.parts[0], at, to), element);
    });
}

void update_view(Emitter& e, const Operand& view, const Operand& value,
                 const std::function<Operand(const Operand& element, const Operand& value)>& update) {
    require_writable(e, view);
    require_broadcast(e, view, value);
    const bool from_array = value.type->is_array();
    if (e.dry()) {
        const Operand other = from_array ? load_element(e, value.type, nullptr) : value;
        store_element(e, view, nullptr, update(load_element(e, view.type, nullptr), other));
        return;
    }
    const std::vector<Value*> to = strides_of(view);
    const std::vector<Value*> from = from_array ? broadcast_strides(e, view, value) : std::vector<Value*>{};
    std::vector<Value*> indices;
    nested_loops(e, view, indices, [&](std::span<Value* const> at) {
        Value* pointer = address(e, view.parts[0], at, to);
        const Operand other = from_array ? load_element(e, value.type, address(e, value.parts[0], at, from)) : value;
        store_element(e, view, pointer, update(load_element(e, view.type, pointer), other));
    });
}

}  // namespace lanewise::python
