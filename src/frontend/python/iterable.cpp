#include "frontend/python/iterable.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/bounds.h"
#include "frontend/python/index.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

/// Item number `which` of an enumerate or zip as an operand of its own.
Operand component(const Emitter& e, const Operand& iterable, std::size_t which) {
    Operand item;
    item.type = iterable.type->items.at(which);
    if (e.dry()) return item;
    std::size_t first = 0;
    for (std::size_t i = 0; i < which; ++i) first += parts_of(iterable.type->items[i]).size();
    item.parts.assign(iterable.parts.begin() + first, iterable.parts.begin() + first + parts_of(item.type).size());
    return item;
}

/// ceil((stop - start) / step), 0 when that is negative or the step is 0.
Value* range_count(Emitter& e, const Operand& range) {
    ir::Builder& b = e.builder();
    const DType wide = is_unsigned(range.type->dtype) ? DType::UInt64 : DType::Int64;
    Value* start = b.cast(range.parts[0], wide);
    Value* stop = b.cast(range.parts[1], wide);
    Value* step = b.cast(range.parts[2], wide);
    Value* one = b.constant(wide, 1);
    Value* up = b.lt(start, stop);
    Value* up_count = b.sub(stop, start);
    const auto known = ir::constant_integer(step);
    if (!known || *known != 1) {
        // The distance less one, divided by the step as unsigned numbers, plus one: no sum overflows.
        Value* safe_step = b.scalar(ScalarOp::Max, step, one);
        Value* distance = b.cast(b.sub(up_count, one), DType::UInt64);
        up_count = b.add(b.cast(b.scalar(ScalarOp::Div, distance, b.cast(safe_step, DType::UInt64)), wide), one);
    }
    Value* zero = b.constant(wide, 0);
    Value* count = b.select(up, up_count, zero);
    if (is_signed(wide) && !always_positive(e, step)) {
        Value* size = b.scalar(ScalarOp::Max, b.scalar(ScalarOp::Neg, step), one);
        Value* distance = b.cast(b.sub(b.sub(start, stop), one), DType::UInt64);
        Value* down_count = b.add(b.cast(b.scalar(ScalarOp::Div, distance, b.cast(size, DType::UInt64)), wide), one);
        down_count = b.select(b.lt(stop, start), down_count, zero);
        count = b.select(b.lt(step, zero), down_count, count);
    }
    if (!known) count = b.select(b.eq(step, zero), zero, count);
    return b.cast(count, DType::Int64);
}

}  // namespace

void require_iterable(Emitter& e, const Operand& iterable) {
    switch (iterable.type->kind) {
        case Type::Kind::Range:
        case Type::Kind::Tuple:
            return;
        case Type::Kind::Array:
            if (iterable.type->ndim > 0) return;
            e.fail(ErrorKind::Typing, fmt::format("cannot iterate over {}: it has no dimension", array_name(iterable)));
        case Type::Kind::Enumerate:
        case Type::Kind::Zip:
            for (std::size_t i = 0; i < iterable.type->items.size(); ++i)
                require_iterable(e, component(e, iterable, i));
            return;
        default:
            e.fail(ErrorKind::Typing,
                   fmt::format(
                       "cannot iterate over {}: loops go over range(...), arrays, tuples, enumerate(...) and zip(...)",
                       to_string(iterable.type)));
    }
}

Value* item_count(Emitter& e, const Operand& iterable) {
    if (e.dry()) return nullptr;
    ir::Builder& b = e.builder();
    switch (iterable.type->kind) {
        case Type::Kind::Range:
            return range_count(e, iterable);
        case Type::Kind::Tuple:
            return b.i64(static_cast<std::int64_t>(iterable.type->items.size()));
        case Type::Kind::Array:
            return iterable.parts[1];
        case Type::Kind::Enumerate:
            return item_count(e, component(e, iterable, 0));
        default:
            break;
    }
    Value* count = nullptr;
    for (std::size_t i = 0; i < iterable.type->items.size(); ++i) {
        Value* next = item_count(e, component(e, iterable, i));
        count = count ? b.scalar(ScalarOp::Min, count, next) : next;
    }
    return count ? count : b.i64(0);
}

Operand item_of(Emitter& e, const Operand& iterable, Value* i) {
    switch (iterable.type->kind) {
        case Type::Kind::Range: {
            if (e.dry()) return e.scalar(iterable.type->dtype, nullptr);
            ir::Builder& b = e.builder();
            Value* offset = b.mul(b.cast(i, iterable.type->dtype), iterable.parts[2]);
            return e.scalar(iterable.type->dtype, b.add(iterable.parts[0], offset));
        }
        case Type::Kind::Tuple:
            return tuple_item_at(e, iterable, i);
        case Type::Kind::Array:
            return item_at(e, iterable, i);
        case Type::Kind::Enumerate: {
            Value* number = e.dry() ? nullptr : e.builder().add(iterable.parts.back(), i);
            return e.tuple({e.scalar(DType::Int64, number), item_of(e, component(e, iterable, 0), i)});
        }
        default:
            break;
    }
    std::vector<Operand> items;
    for (std::size_t k = 0; k < iterable.type->items.size(); ++k)
        items.push_back(item_of(e, component(e, iterable, k), i));
    return e.tuple(items);
}

bool needs_unrolling(TypePtr iterable) {
    const auto& items = iterable->items;
    if (iterable->is_tuple())
        return items.empty() ||
               std::any_of(items.begin(), items.end(), [&](TypePtr item) { return item != items.front(); });
    if (iterable->is(Type::Kind::Enumerate) || iterable->is(Type::Kind::Zip))
        return std::any_of(items.begin(), items.end(), needs_unrolling);
    return false;
}

std::optional<std::size_t> static_count(TypePtr iterable) {
    if (iterable->is_tuple()) return iterable->items.size();
    if (!iterable->is(Type::Kind::Enumerate) && !iterable->is(Type::Kind::Zip)) return std::nullopt;
    std::optional<std::size_t> least;
    for (TypePtr item : iterable->items)
        if (auto count = static_count(item)) least = least ? std::min(*least, *count) : *count;
    return least;
}

Operand item_of(Emitter& e, const Operand& iterable, std::size_t i) {
    if (iterable.type->is_tuple()) return e.item(iterable, i);
    if (iterable.type->is(Type::Kind::Enumerate)) {
        const auto position = static_cast<std::int64_t>(i);
        Operand number = e.scalar(DType::Int64, nullptr);
        if (!e.dry())
            number = e.scalar(DType::Int64, e.builder().add(iterable.parts.back(), e.builder().i64(position)));
        return e.tuple({number, item_of(e, component(e, iterable, 0), i)});
    }
    if (iterable.type->is(Type::Kind::Zip)) {
        std::vector<Operand> items;
        for (std::size_t k = 0; k < iterable.type->items.size(); ++k)
            items.push_back(item_of(e, component(e, iterable, k), i));
        return e.tuple(items);
    }
    return item_of(e, iterable, e.dry() ? nullptr : e.builder().i64(static_cast<std::int64_t>(i)));
}

}  // namespace lanewise::python
