// What `for` loops run over: range, enumerate, zip, literal_unroll; and slice objects.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::Value;

namespace {

/// The loop variable's type: int32 when no argument is wider, uint64 when all are unsigned, else int64.
DType range_dtype(const Call& c) {
    bool all_unsigned = true, all_narrow = true;
    for (const Operand& a : c.args) {
        all_unsigned = all_unsigned && is_unsigned(a.type->dtype);
        all_narrow =
            all_narrow && (a.type->is_bool() || a.type->dtype == DType::UInt8 || a.type->dtype == DType::UInt16 ||
                           (is_signed(a.type->dtype) && bits(a.type->dtype) <= 32));
    }
    return all_unsigned ? DType::UInt64 : all_narrow ? DType::Int32 : DType::Int64;
}

Operand call_range(Call& c) {
    if (!c.keywords.empty()) c.fail("takes no keywords");
    if (c.args.empty() || c.args.size() > 3)
        c.fail("takes one to three integers: range(stop), range(start, stop[, step])");
    for (std::size_t i = 0; i < c.args.size(); ++i) integer_argument(c, i);
    const DType dtype = range_dtype(c);
    Type type;
    type.kind = Type::Kind::Range;
    type.dtype = dtype;
    Operand result;
    result.type = intern(type);
    if (c.e.dry()) return result;

    ir::Builder& b = c.e.builder();
    Value* start = c.args.size() > 1 ? argument_as(c, 0, dtype) : b.constant(dtype, 0);
    Value* stop = argument_as(c, c.args.size() > 1 ? 1 : 0, dtype);
    Value* step = c.args.size() > 2 ? argument_as(c, 2, dtype) : b.constant(dtype, 1);
    if (c.args.size() > 2 && c.e.options().debug) {
        c.e.raise_if(b.eq(step, b.constant(dtype, 0)), "ValueError", "range() arg 3 must not be zero", {});
    }
    result.parts = {start, stop, step};
    return result;
}

void require_iterable(Call& c, std::size_t index) {
    switch (c.args[index].type->kind) {
        case Type::Kind::Array:
        case Type::Kind::Tuple:
        case Type::Kind::Range:
        case Type::Kind::Enumerate:
        case Type::Kind::Zip:
            return;
        default:
            c.fail_argument(index, "cannot be iterated over; ranges, arrays, tuples, enumerate and zip can");
    }
}

Operand call_enumerate(Call& c) {
    c.bind({"iterable", "start"}, 1);
    require_iterable(c, 0);
    Type type;
    type.kind = Type::Kind::Enumerate;
    type.items = {c.args[0].type};
    Operand result = c.args[0];
    result.constant = nullptr;
    result.is_literal = false;
    result.type = intern(type);
    if (given(c, 1)) integer_argument(c, 1);
    if (!c.e.dry()) result.parts.push_back(given(c, 1) ? argument_as(c, 1, DType::Int64) : c.e.builder().i64(0));
    return result;
}

Operand call_zip(Call& c) {
    if (!c.keywords.empty()) c.fail(fmt::format("takes no keyword `{}` in kernels", c.keywords[0].first));
    Type type;
    type.kind = Type::Kind::Zip;
    Operand result;
    for (std::size_t i = 0; i < c.args.size(); ++i) {
        require_iterable(c, i);
        type.items.push_back(c.args[i].type);
        result.parts.insert(result.parts.end(), c.args[i].parts.begin(), c.args[i].parts.end());
    }
    result.type = intern(type);
    return result;
}

Operand call_slice(Call& c) {
    if (!c.keywords.empty()) c.fail("takes no keywords");
    if (c.args.empty() || c.args.size() > 3)
        c.fail("takes one to three integers or None: slice(stop), slice(start, stop[, step])");
    std::vector<Operand> items(3, c.e.none());
    const std::size_t first = c.args.size() == 1 ? 1 : 0;
    Type type;
    type.kind = Type::Kind::Slice;
    for (std::size_t i = 0; i < c.args.size(); ++i) {
        if (given(c, i)) items[first + i] = integer_argument(c, i);
    }
    Operand result;
    for (const Operand& item : items) {
        type.items.push_back(item.type);
        result.parts.insert(result.parts.end(), item.parts.begin(), item.parts.end());
    }
    result.type = intern(type);
    return result;
}

/// The loop over a tuple is always unrolled, so the tuple itself is what is needed.
Operand call_literal_unroll(Call& c) {
    c.bind({"container"}, 1);
    if (!c.args[0].type->is_tuple()) c.fail_argument(0, "takes a tuple");
    return c.args[0];
}

Operand call_literally(Call& c) {
    c.bind({"value"}, 1);
    if (!c.args[0].constant)
        c.fail_argument(0, "takes a compile-time value: a literal, a global or a closure variable");
    return c.args[0];
}

constexpr Builtin table[] = {
    {"builtins.range", call_range}, {"builtins.enumerate", call_enumerate},        {"builtins.zip", call_zip},
    {"builtins.slice", call_slice}, {"numba.literal_unroll", call_literal_unroll}, {"numba.literally", call_literally},
};

}  // namespace

std::span<const Builtin> iteration_builtins() {
    return table;
}

}  // namespace lanewise::python
