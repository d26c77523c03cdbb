// ufunc.at: by atomics where there are any; else indices are sorted, so that those that repeat lie side by side.
#include <fmt/format.h>

#include <algorithm>

#include "array/associative.h"
#include "array/operands.h"
#include "lanewise/ufunc_methods.h"

namespace lanewise {
namespace {

Array part(const Array& x, std::optional<std::int64_t> start, std::optional<std::int64_t> stop) {
    Index item;
    item.kind = Index::Kind::Slice;
    item.start = start;
    item.stop = stop;
    return x.index(std::span(&item, 1));
}

/// The positions of keys, smallest key first, those of equal keys in their order. Keys lie in [0, bound).
Array stable_order(const Array& keys, std::int64_t bound) {
    const std::shared_ptr<Stream> stream = stream_of(keys);
    const Array place = positions(keys.shape(), 0, stream);
    Array order = place;
    for (int bit = 0; bound > 1 && (bound - 1) >> bit; ++bit) {
        const Array ones = not_equal(bitwise_and(take(keys, order, 0, IndexMode::Clip), std::int64_t(1) << bit), 0);
        const Array zeros_before = cumsum(logical_not(ones), 0, DType::Int64);
        const Array zeros = part(zeros_before, -1, std::nullopt);
        const Array target = where(ones, add(zeros, subtract(place, zeros_before)), subtract(zeros_before, 1));
        const Array next = Array::empty(keys.shape(), DType::Int64, stream);
        put(next, target, order, IndexMode::Clip);
        order = next;
    }
    return order;
}

/// True where an element differs from the one before it; the first one does.
Array is_first(const Array& sorted) {
    const Array heads[] = {full({1}, true, DType::Bool, stream_of(sorted)),
                           not_equal(part(sorted, 1, std::nullopt), part(sorted, std::nullopt, -1))};
    return concatenate(heads, 0);
}

/// Running reductions that begin anew where `first` is true.
Array segmented(Ufunc ufunc, Array values, Array first) {
    const std::int64_t n = values.size();
    for (std::int64_t step = 1; step < n; step *= 2) {
        const Array tail = part(values, step, std::nullopt), tail_first = part(first, step, std::nullopt);
        const Array joined = apply(ufunc, {{Operand(part(values, std::nullopt, -step)), Operand(tail)}});
        const Array new_values[] = {part(values, std::nullopt, step), where(tail_first, tail, joined)};
        const Array new_first[] = {part(first, std::nullopt, step),
                                   logical_or(tail_first, part(first, std::nullopt, -step))};
        values = concatenate(new_values, 0);
        first = concatenate(new_first, 0);
    }
    return values;
}

/// The atomic operation of an associative function on elements of this type; none where there is none or where its
/// NaNs are others.
std::optional<ir::AtomicOp> atomic_of(Ufunc ufunc, DType t) {
    if (size_of(t) < 4 || is_complex(t) || is_bool(t)) return std::nullopt;
    switch (ufunc) {
        case Ufunc::Add:
        case Ufunc::Subtract:  // of the negative
            return ir::AtomicOp::Add;
        case Ufunc::Minimum:
            return is_integer(t) ? std::optional(ir::AtomicOp::Min) : std::nullopt;
        case Ufunc::Maximum:
            return is_integer(t) ? std::optional(ir::AtomicOp::Max) : std::nullopt;
        case Ufunc::Fmin:
            return is_integer(t) ? ir::AtomicOp::Min : ir::AtomicOp::NanMin;
        case Ufunc::Fmax:
            return is_integer(t) ? ir::AtomicOp::Max : ir::AtomicOp::NanMax;
        case Ufunc::BitwiseAnd:
            return ir::AtomicOp::And;
        case Ufunc::BitwiseOr:
            return ir::AtomicOp::Or;
        case Ufunc::BitwiseXor:
            return ir::AtomicOp::Xor;
        default:
            return std::nullopt;
    }
}

std::int64_t read(const Array& number) {
    std::int64_t value = 0;
    number.copy_to_host({&value, DType::Int64, {}, {}}, stream_of(number));
    return value;
}

}  // namespace

void apply_at(Ufunc ufunc, const Array& x, std::span<const AdvancedIndex> items, const std::optional<Operand>& value) {
    const UfuncInfo& row = info(ufunc);
    ArrayAccess::require_writable(x, row.name.data());
    if ((row.inputs == 2) != value.has_value())
        throw Error(ErrorKind::Value,
                    fmt::format("{}.at: {} operands for a function of {}", row.name, value ? 2 : 1, row.inputs));
    std::vector<Operand> operands{Operand(x)};
    if (value) operands.push_back(*value);
    const auto [loop, result] = resolve(ufunc, operand_dtypes(operands));
    if (!can_cast(result, x.dtype(), Casting::SameKind))
        throw Error(ErrorKind::Type, fmt::format("{}.at: cannot cast the result from {} to {} with casting rule "
                                                 "'same_kind'",
                                                 row.name, name(result), name(x.dtype())));
    const std::shared_ptr<Stream> stream = stream_of(x);
    if (std::all_of(items.begin(), items.end(),
                    [](const AdvancedIndex& i) { return std::holds_alternative<Index>(i); })) {
        // Each place once.
        UfuncOptions options;
        options.out = get_items(x, items);
        operands[0] = Operand(*options.out);
        apply(ufunc, operands, options);
        return;
    }
    if (const auto atomic = value ? atomic_of(ufunc, x.dtype()) : std::nullopt; atomic && loop == x.dtype()) {
        if (ufunc != Ufunc::Subtract) return engine::update_items(x, items, *value, *atomic);
        const Array given = value->array() ? *value->array() : full({}, *value->scalar(), loop, stream);
        return engine::update_items(x, items, negative(astype(given, loop, Casting::Unsafe, false)), *atomic);
    }
    if (value && (ufunc == Ufunc::Minimum || ufunc == Ufunc::Maximum) && loop == x.dtype() &&
        (loop == DType::Float32 || loop == DType::Float64)) {
        // The atomics keep a NaN that is there and pass over one that is given, which then comes by its bits.
        const Array given = value->array() ? *value->array() : full({}, *value->scalar(), loop, stream);
        const Array numbers = astype(given, loop, Casting::Unsafe, false);
        const DType word = loop == DType::Float32 ? DType::Int32 : DType::Int64;
        const std::int64_t nan = loop == DType::Float32 ? 0x7fc00000 : 0x7ff8000000000000;
        engine::update_items(x, items, numbers, ufunc == Ufunc::Minimum ? ir::AtomicOp::Min : ir::AtomicOp::Max);
        return engine::update_items(x.view_as(word), items, astype(where(isnan(numbers), nan, std::int64_t(0)), word),
                                    ir::AtomicOp::Or);
    }
    const Array everywhere = reshape(positions({x.size()}, 0, stream), x.shape());
    const Array chosen = get_items(everywhere, items);
    if (chosen.size() == 0) return;
    const Array keys = reshape(chosen, {-1});
    std::optional<Array> values;
    if (value) {
        const Array given = value->array() ? *value->array() : full({}, *value->scalar(), loop, stream);
        values = reshape(broadcast_to(astype(given, loop, Casting::Unsafe, false), chosen.shape()), {-1});
    }
    const Array order = stable_order(keys, x.size());
    const Array sorted = take(keys, order, 0, IndexMode::Clip);
    const Array first = is_first(sorted);

    // Distinct places by now.
    auto write = [&](const Array& which, const std::optional<Array>& with) {
        const Array places = take(sorted, which, 0, IndexMode::Clip);
        const Array before = take(x, places, std::nullopt, IndexMode::Clip);
        const Array after = with ? apply(ufunc, {{Operand(before), Operand(take(*with, which, 0, IndexMode::Clip))}})
                                 : apply(ufunc, {{Operand(before)}});
        put(x, places, astype(after, x.dtype(), Casting::Unsafe, false), IndexMode::Clip);
    };
    if (values) values = take(*values, order, 0, IndexMode::Clip);
    if (values && is_associative(ufunc)) {
        const Array last[] = {part(first, 1, std::nullopt), full({1}, true, DType::Bool, stream)};
        return write(nonzero(concatenate(last, 0))[0], segmented(ufunc, *values, first));
    }
    // One step for each time that an index repeats.
    const Array place = positions(sorted.shape(), 0, stream);
    const Array rank = subtract(place, accumulate(Ufunc::Maximum, where(first, place, 0), 0));
    const std::int64_t steps = read(max(rank)) + 1;
    for (std::int64_t step = 0; step < steps; ++step) write(nonzero(equal(rank, step))[0], values);
}

}  // namespace lanewise
