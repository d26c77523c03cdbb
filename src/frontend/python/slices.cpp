#include "frontend/python/slices.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/bounds.h"
#include "frontend/python/index.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

/// Part `which` (0 start, 1 stop, 2 step) of a slice operand, and whether it is there.
bool has_part(TypePtr slice, std::size_t which) {
    return slice->items.at(which)->is_scalar();
}

Value* slice_part(const Operand& slice, std::size_t which) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < which; ++i) at += has_part(slice.type, i);
    return slice.parts[at];
}

/// A start or stop as int64, counted from the front, clamped into [low, high].
Value* clamp(Emitter& e, const Operand& slice, std::size_t which, Value* extent, Value* low, Value* high) {
    ir::Builder& b = e.builder();
    Value* raw = slice_part(slice, which);
    if (raw->type.is(DType::UInt64)) {
        // Beyond the int64 range it would read as negative.
        Value* limit = b.cast(extent, DType::UInt64);
        return b.scalar(ScalarOp::Min, b.cast(b.scalar(ScalarOp::Min, raw, limit), DType::Int64), high);
    }
    Value* position = b.cast(raw, DType::Int64);
    if (!never_negative(e, raw)) {
        position = b.select(b.lt(position, b.i64(0)), b.add(position, extent), position);
        position = b.scalar(ScalarOp::Max, position, low);
    }
    return b.scalar(ScalarOp::Min, position, high);
}

/// ceil((to - from) / step) for from < to, else 0, with a positive step.
Value* count_steps(Emitter& e, Value* from, Value* to, Value* step) {
    ir::Builder& b = e.builder();
    Value* distance = b.scalar(ScalarOp::Max, b.sub(to, from), b.i64(0));
    if (auto constant = ir::constant_integer(step); constant && *constant == 1) return distance;
    Value* whole = b.scalar(ScalarOp::Div, b.add(distance, b.sub(step, b.i64(1))), step);
    return whole;
}

SliceSpan forward(Emitter& e, const Operand& slice, Value* extent, Value* step) {
    Value* zero = e.builder().i64(0);
    Value* start = has_part(slice.type, 0) ? clamp(e, slice, 0, extent, zero, extent) : zero;
    Value* stop = has_part(slice.type, 1) ? clamp(e, slice, 1, extent, zero, extent) : extent;
    return {start, count_steps(e, start, stop, step), step};
}

SliceSpan backward(Emitter& e, const Operand& slice, Value* extent, Value* step) {
    ir::Builder& b = e.builder();
    Value* before = b.i64(-1);
    Value* last = b.sub(extent, b.i64(1));
    Value* start = has_part(slice.type, 0) ? clamp(e, slice, 0, extent, before, last) : last;
    Value* stop = has_part(slice.type, 1) ? clamp(e, slice, 1, extent, before, last) : before;
    return {start, count_steps(e, stop, start, b.scalar(ScalarOp::Neg, step)), step};
}

}  // namespace

bool is_whole_slice(TypePtr slice) {
    return !has_part(slice, 0) && !has_part(slice, 1) && !has_part(slice, 2);
}
bool has_step(TypePtr slice) {
    return has_part(slice, 2);
}

SliceSpan slice_span(Emitter& e, const Operand& slice, Value* extent) {
    ir::Builder& b = e.builder();
    if (!has_step(slice.type)) return forward(e, slice, extent, b.i64(1));
    Value* step = b.cast(slice_part(slice, 2), DType::Int64);
    if (auto constant = ir::constant_integer(step)) {
        if (*constant == 0) e.fail(ErrorKind::Value, "slice step cannot be zero");
        return *constant > 0 ? forward(e, slice, extent, step) : backward(e, slice, extent, step);
    }
    Value* is_zero = b.eq(step, b.i64(0));
    if (e.options().debug) e.raise_if(is_zero, "ValueError", "slice step cannot be zero", {});
    Value* one = b.i64(1);
    Value* negative = b.lt(step, b.i64(0));
    // Each direction computes with a step of its own sign; a step of zero selects nothing.
    const SliceSpan up = forward(e, slice, extent, b.scalar(ScalarOp::Max, step, one));
    const SliceSpan down = backward(e, slice, extent, b.scalar(ScalarOp::Min, step, b.i64(-1)));
    Value* length = b.select(negative, down.length, up.length);
    return {b.select(negative, down.start, up.start), b.select(is_zero, b.i64(0), length), step};
}

std::vector<std::size_t> constant_slice(Emitter& e, const Operand& slice, std::size_t count) {
    std::optional<std::int64_t> parts[3];
    for (std::size_t which = 0; which < 3; ++which) {
        if (!has_part(slice.type, which)) continue;
        Operand part;
        if (slice.constant && which < slice.constant->items.size()) part.constant = slice.constant->items[which];
        parts[which] = part.constant_int();
        if (!parts[which])
            e.fail(ErrorKind::Typing,
                   "a tuple can be sliced with constants only, since the result's length is part of its type");
    }
    const auto n = static_cast<std::int64_t>(count);
    // Steps beyond the length select what the length plus one does.
    const std::int64_t step = std::clamp<std::int64_t>(parts[2].value_or(1), -(n + 1), n + 1);
    if (step == 0) e.fail(ErrorKind::Value, "slice step cannot be zero");
    auto position = [&](std::optional<std::int64_t> given, std::int64_t absent) {
        if (!given) return absent;
        const std::int64_t at = *given < 0 ? *given + n : *given;
        return step > 0 ? std::clamp<std::int64_t>(at, 0, n) : std::clamp<std::int64_t>(at, -1, n - 1);
    };
    const std::int64_t start = position(parts[0], step > 0 ? 0 : n - 1);
    const std::int64_t stop = position(parts[1], step > 0 ? n : -1);
    std::vector<std::size_t> selected;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step)
        selected.push_back(static_cast<std::size_t>(i));
    return selected;
}

Operand make_slice(Emitter& e, const Operand& start, const Operand& stop, const Operand& step) {
    std::vector<Operand> parts;
    for (const Operand* part : {&start, &stop, &step}) {
        parts.push_back(part->type ? *part : e.none());
        const TypePtr type = parts.back().type;
        if (!type->is_integer() && !type->is_bool() && !type->is(Type::Kind::None))
            e.fail(ErrorKind::Typing, fmt::format("a slice takes integers or None, got {}", to_string(type)));
    }
    Operand slice = e.tuple(parts);
    Type type;
    type.kind = Type::Kind::Slice;
    type.items = slice.type->items;
    slice.type = intern(std::move(type));
    slice.is_literal = false;
    return slice;
}

}  // namespace lanewise::python
