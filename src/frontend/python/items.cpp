// `object[index]` and `object[index] = value` by the object's type.
#include <fmt/format.h>

#include "frontend/python/bounds.h"
#include "frontend/python/elementwise.h"
#include "frontend/python/index.h"
#include "frontend/python/slices.h"

namespace lanewise::python {

using ir::Value;

namespace {

Operand tuple_item(Emitter& e, const Operand& tuple, const Operand& index) {
    const auto& types = tuple.type->items;
    const auto count = static_cast<std::int64_t>(types.size());
    if (index.type->is(Type::Kind::Slice)) {
        std::vector<Operand> items;
        for (std::size_t i : constant_slice(e, index, types.size())) items.push_back(e.item(tuple, i));
        return e.tuple(items);
    }
    if (!index.type->is_integer() && !index.type->is_bool())
        e.fail(ErrorKind::Typing, fmt::format("{} is indexed by integers or slices, not by {}", to_string(tuple.type),
                                              to_string(index.type)));
    if (auto constant = index.constant_int()) {
        const std::int64_t at = *constant < 0 ? *constant + count : *constant;
        if (at < 0 || at >= count)
            e.fail(ErrorKind::Index, fmt::format("tuple index {} is out of range: {} has {} items", *constant,
                                                 to_string(tuple.type), count));
        return e.item(tuple, static_cast<std::size_t>(at));
    }
    if (count == 0) e.fail(ErrorKind::Index, "the empty tuple has no items");
    for (TypePtr type : types)
        if (type != types.front())
            e.fail(
                ErrorKind::Typing,
                fmt::format("{} has items of several types, so its index must be a constant: write the number, or loop "
                            "with `for item in literal_unroll(...)`",
                            to_string(tuple.type)));
    if (e.dry()) return tuple_item_at(e, tuple, nullptr);
    ir::Builder& b = e.builder();
    Value* position = b.cast(index.value(), DType::Int64);
    if (!is_unsigned(index.type->dtype) && !never_negative(e, index.value()))
        position = b.select(b.lt(position, b.i64(0)), b.add(position, b.i64(count)), position);
    if (e.options().bounds_check || e.options().debug)
        e.raise_if(b.logical_not(b.lt(b.cast(position, DType::UInt64), b.constant(DType::UInt64, count))), "IndexError",
                   fmt::format("tuple index {{0}} is out of range for {} items", count), {position});
    return tuple_item_at(e, tuple, position);
}

}  // namespace

Operand get_item(Emitter& e, const Operand& object, const Operand& index) {
    if (object.type->is_tuple()) return tuple_item(e, object, index);
    if (!object.type->is_array())
        e.fail(ErrorKind::Typing, fmt::format("{} cannot be indexed: arrays and tuples can", to_string(object.type)));
    Place place = place_of(e, object, index);
    return place.is_element ? load_element(e, object.type, place.pointer) : place.view;
}

void set_item(Emitter& e, const Operand& array, const Operand& index, const Operand& value) {
    if (array.type->is_tuple())
        e.fail(ErrorKind::Typing,
               fmt::format("{} cannot be changed: tuples are immutable; use a local array", to_string(array.type)));
    if (!array.type->is_array())
        e.fail(ErrorKind::Typing, fmt::format("{} has no items to assign to: arrays have", to_string(array.type)));
    require_writable(e, array);
    Place place = place_of(e, array, index);
    if (place.is_element)
        store_element(e, array, place.pointer, value);
    else
        assign_view(e, place.view, value);
}

}  // namespace lanewise::python
