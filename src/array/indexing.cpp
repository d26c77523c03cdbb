// Indexing by arrays: gathers and scatters, boolean masks.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "array/compact.h"
#include "array/normal_axis.h"
#include "array/operands.h"

namespace lanewise {
namespace {

Array flat(const Array& x) {
    return reshape(x, {-1});
}

void require_integers(const char* call, const Array& indices) {
    if (!is_integer(indices.dtype()))
        throw Error(ErrorKind::Index, fmt::format("{}: index arrays must be of an integer type or bool, not {}", call,
                                                  name(indices.dtype())));
}

/// The elements that indices choose: where they start, and what of the result's axes steps along which of the array's.
struct Selection {
    Dims shape;
    std::int64_t offset = 0;
    Dims strides;                ///< of the indexed array over `shape`; 0 along the axes of the indices
    std::vector<Array> indices;  ///< broadcast to `shape`
    std::vector<IndexedAxis> axes;
};

/// Zero elements along an axis and an index into it.
void require_elements(const char* call, const Selection& selection) {
    std::int64_t count = 1;
    for (std::int64_t extent : selection.shape) count *= extent;
    for (const IndexedAxis& axis : selection.axes)
        if (axis.extent == 0 && count > 0)
            throw Error(ErrorKind::Index, fmt::format("{}: axis {} has no elements to index", call, axis.axis));
}

Array gather(const char* call, const Array& x, const Selection& selection, IndexMode mode) {
    require_elements(call, selection);
    const Array source = ArrayAccess::view(x, selection.offset, selection.shape, selection.strides);
    std::vector<Input> inputs{ArrayAccess::input(source, selection.shape)};
    for (const Array& index : selection.indices) inputs.push_back(ArrayAccess::input(index, selection.shape));
    NodePtr node =
        engine::make_node(ElementOp::Gather, x.dtype(), x.dtype(), selection.shape, stream_of(x), std::move(inputs));
    node->strides = contiguous_strides(node->shape, x.item_bytes(), Order::C);
    node->indexed = selection.axes;
    node->mode = mode;
    return engine::record(node);
}

void scatter(const char* call, const Array& x, const Selection& selection, const Operand& value, IndexMode mode,
             std::optional<ir::AtomicOp> update = std::nullopt) {
    ArrayAccess::require_writable(x, call);
    require_elements(call, selection);
    if (const Array* array = value.array()) {
        if (array->ndim() > selection.shape.size() &&
            !std::all_of(array->shape().begin(), array->shape().begin() + (array->ndim() - selection.shape.size()),
                         [](std::int64_t extent) { return extent == 1; }))
            throw Error(ErrorKind::Value, fmt::format("{}: values of shape {} do not fit {} elements", call,
                                                      to_string(array->shape()), to_string(selection.shape)));
    }
    Input source;
    if (const Array* array = value.array()) {
        Array a = *array;
        while (a.ndim() > selection.shape.size()) a = a.squeeze(Dims{0});
        if (is_complex(a.dtype()) && !is_complex(x.dtype()) && !is_bool(x.dtype())) a = real(a);
        source = ArrayAccess::input(a.broadcast_to(selection.shape), selection.shape);
    } else {
        source = operand_input(value, selection.shape, x.dtype());
    }
    NodePtr node =
        engine::make_node(ElementOp::Copy, x.dtype(), x.dtype(), selection.shape, stream_of(x), {std::move(source)});
    std::vector<Input> indices;
    for (const Array& index : selection.indices) indices.push_back(ArrayAccess::input(index, selection.shape));
    engine::scatter(x, selection.offset, selection.strides, node, indices, selection.axes, mode, update);
}

/// x's flat elements by `indices`, as indices along each axis. What is out of bounds is so along the first axis.
Selection flat_selection(const Array& x, const Array& indices, IndexMode mode) {
    Selection selection;
    selection.shape = indices.shape();
    selection.offset = x.offset();
    selection.strides = Dims(indices.ndim());
    if (x.is_c_contiguous() || x.ndim() == 1) {
        selection.indices.push_back(indices);
        selection.axes.push_back({x.ndim() == 1 ? x.strides()[0] : x.item_bytes(), x.size(), 0});
        return selection;
    }
    Array rest = astype(indices, DType::Int64, Casting::Unsafe, false);
    if (mode == IndexMode::Clip) rest = clip(rest, 0, std::max<std::int64_t>(x.size() - 1, 0));
    for (int d = x.ndim() - 1; d >= 0; --d) {
        selection.indices.push_back(d == 0 ? rest : remainder(rest, x.shape()[d]));
        selection.axes.push_back({x.strides()[d], x.shape()[d], d});
        if (d > 0) rest = floor_divide(rest, x.shape()[d]);
    }
    return selection;
}

/// One item for each axis, new ones aside: masks become the indices of their elements, an ellipsis is followed by the
/// slices that it stands for, which may be none.
std::vector<AdvancedIndex> items_of_axes(const char* call, const Array& x, std::span<const AdvancedIndex> given) {
    std::vector<AdvancedIndex> items;
    int consumed = 0, ellipses = 0;
    for (const AdvancedIndex& item : given) {
        if (const Index* basic = std::get_if<Index>(&item)) {
            ellipses += basic->kind == Index::Kind::Ellipsis;
            consumed += basic->kind == Index::Kind::Integer || basic->kind == Index::Kind::Slice;
        } else {
            const Array& array = std::get<Array>(item);
            consumed += is_bool(array.dtype()) ? array.ndim() : 1;
        }
    }
    if (ellipses > 1) throw Error(ErrorKind::Index, "an index can have only one ellipsis ('...')");
    if (consumed > x.ndim())
        throw Error(ErrorKind::Index, fmt::format("too many indices: the array is {}-dimensional, but {} were indexed",
                                                  x.ndim(), consumed));
    int axis = 0;
    Index all;
    all.kind = Index::Kind::Slice;
    for (const AdvancedIndex& item : given) {
        if (const Index* basic = std::get_if<Index>(&item)) {
            if (basic->kind == Index::Kind::Ellipsis) {
                items.push_back(item);
                for (int i = consumed; i < x.ndim(); ++i, ++axis) items.emplace_back(all);
                continue;
            }
            axis += basic->kind != Index::Kind::NewAxis;
            items.push_back(item);
            continue;
        }
        const Array& array = std::get<Array>(item);
        if (!is_bool(array.dtype())) {
            require_integers(call, array);
            items.push_back(item);
            ++axis;
            continue;
        }
        for (int i = 0; i < array.ndim(); ++i, ++axis)
            if (array.shape()[i] != x.shape()[axis])
                throw Error(ErrorKind::Index,
                            fmt::format("boolean index did not match indexed array along axis {}; size of axis is {} "
                                        "but size of corresponding boolean axis is {}",
                                        axis, x.shape()[axis], array.shape()[i]));
        if (array.ndim() == 0) throw Error(ErrorKind::NotImplemented, "an index that is a boolean without axes");
        for (const Array& indices : nonzero(array)) items.emplace_back(indices);
    }
    for (; axis < x.ndim(); ++axis) items.emplace_back(all);
    return items;
}

Selection select(const char* call, const Array& x, std::span<const AdvancedIndex> given) {
    Selection selection;
    selection.offset = x.offset();
    Dims basic_shape, basic_strides, index_shape;
    std::vector<Array> indices;
    int place = -1;  // of the indices' axes among the others
    bool adjacent = true, interrupted = false;
    int axis = 0;
    for (const AdvancedIndex& item : items_of_axes(call, x, given)) {
        const Index* basic = std::get_if<Index>(&item);
        const bool advanced = !basic || basic->kind == Index::Kind::Integer;
        if (advanced) {
            if (place < 0) place = basic_shape.size();
            adjacent &= !interrupted;
        } else if (place >= 0) {
            interrupted = true;
        }
        if (!basic) {
            const Array& array = std::get<Array>(item);
            selection.axes.push_back({x.strides()[axis], x.shape()[axis], axis});
            const Array so_far = indices.empty() ? array : full(index_shape, 0, DType::Int64, stream_of(x));
            const Operand pair[] = {array, so_far};
            index_shape = broadcast_shape(call, pair);
            indices.push_back(array);
            ++axis;
            continue;
        }
        if (basic->kind == Index::Kind::Ellipsis) continue;
        if (basic->kind == Index::Kind::NewAxis) {
            basic_shape.push_back(1);
            basic_strides.push_back(0);
            continue;
        }
        // One axis of the array by one basic index.
        const Array line = ArrayAccess::view(x, 0, {x.shape()[axis]}, {x.strides()[axis]});
        const Array part = line.index(std::span(basic, 1));
        selection.offset += part.offset();
        if (part.ndim() == 1) {
            basic_shape.push_back(part.shape()[0]);
            basic_strides.push_back(part.strides()[0]);
        }
        ++axis;
    }
    if (!adjacent) place = 0;
    const int before = std::max(place, 0);
    auto add_basic = [&](int from, int to) {
        for (int i = from; i < to; ++i) {
            selection.shape.push_back(basic_shape[i]);
            selection.strides.push_back(basic_strides[i]);
        }
    };
    add_basic(0, before);
    for (std::int64_t extent : index_shape) {
        selection.shape.push_back(extent);
        selection.strides.push_back(0);
    }
    add_basic(before, basic_shape.size());
    const int after = basic_shape.size() - before;
    for (const Array& index : indices) {
        Dims axes_after;
        for (int i = 0; i < after; ++i) axes_after.push_back(index.ndim() + i);
        selection.indices.push_back(after ? expand_dims(index, axes_after) : index);
    }
    return selection;
}

bool has_arrays(std::span<const AdvancedIndex> items) {
    return std::any_of(items.begin(), items.end(),
                       [](const AdvancedIndex& item) { return std::holds_alternative<Array>(item); });
}

std::vector<Index> basic_items(std::span<const AdvancedIndex> items) {
    std::vector<Index> basic;
    for (const AdvancedIndex& item : items) basic.push_back(std::get<Index>(item));
    return basic;
}

/// The flat positions of the elements that are not zero.
Array flat_nonzero(const Array& x) {
    return Choice(not_equal(x, 0)).positions();
}

/// The mask of x[mask]: an array of booleans of x's own shape.
const Array* whole_mask(const Array& x, std::span<const AdvancedIndex> items) {
    const Array* mask = items.size() == 1 ? std::get_if<Array>(&items[0]) : nullptr;
    return mask && is_bool(mask->dtype()) && mask->ndim() > 0 && mask->shape() == x.shape() ? mask : nullptr;
}

}  // namespace

Array take(const Array& given, const Array& indices, std::optional<int> axis, IndexMode mode) {
    require_integers("take", indices);
    const Array x = axis ? given : flat(given);
    const int at = normal_axis("take", axis.value_or(0), x.ndim());
    Selection selection;
    selection.offset = x.offset();
    Dims after;
    for (int i = 0; i < at; ++i) {
        selection.shape.push_back(x.shape()[i]);
        selection.strides.push_back(x.strides()[i]);
    }
    for (std::int64_t extent : indices.shape()) {
        selection.shape.push_back(extent);
        selection.strides.push_back(0);
    }
    for (int i = at + 1; i < x.ndim(); ++i) {
        selection.shape.push_back(x.shape()[i]);
        selection.strides.push_back(x.strides()[i]);
        after.push_back(indices.ndim() + (i - at - 1));
    }
    selection.indices.push_back(after.empty() ? indices : expand_dims(indices, after));
    selection.axes.push_back({x.strides()[at], x.shape()[at], at});
    return gather("take", x, selection, mode);
}

void put(const Array& x, const Array& indices, const Operand& values, IndexMode mode) {
    require_integers("put", indices);
    const Array places = flat(indices);
    const Array* array = values.array();
    if (!array) return scatter("put", x, flat_selection(x, places, mode), values, mode);
    if (array->size() == 0) return;
    // Too few values repeat.
    const Array repeated =
        take(flat(*array), remainder(positions(places.shape(), 0, stream_of(x)), array->size()), 0, IndexMode::Wrap);
    scatter("put", x, flat_selection(x, places, mode), repeated, mode);
}

Array take_along_axis(const Array& x, const Array& indices, int axis) {
    require_integers("take_along_axis", indices);
    const int at = normal_axis("take_along_axis", axis, x.ndim());
    if (indices.ndim() != x.ndim())
        throw Error(ErrorKind::Value, fmt::format("take_along_axis: indices of {} dimensions for an array of {}",
                                                  indices.ndim(), x.ndim()));
    Selection selection;
    selection.offset = x.offset();
    for (int i = 0; i < x.ndim(); ++i) {
        const std::int64_t own = x.shape()[i], other = indices.shape()[i];
        if (i != at && own != other && own != 1 && other != 1)
            throw Error(ErrorKind::Value, fmt::format("take_along_axis: shapes {} and {} do not broadcast",
                                                      to_string(x.shape()), to_string(indices.shape())));
        selection.shape.push_back(i == at ? other : own == 1 ? other : own);
        selection.strides.push_back(i == at || own == 1 ? 0 : x.strides()[i]);
    }
    selection.indices.push_back(indices);
    selection.axes.push_back({x.strides()[at], x.shape()[at], at});
    return gather("take_along_axis", x, selection, IndexMode::Raise);
}

Array get_items(const Array& x, std::span<const AdvancedIndex> items) {
    if (!has_arrays(items)) return x.index(basic_items(items));
    if (const Array* mask = whole_mask(x, items)) return Choice(*mask).of(flat(x));
    return gather("indexing", x, select("indexing", x, items), IndexMode::Raise);
}

void set_items(const Array& x, std::span<const AdvancedIndex> items, const Operand& value) {
    if (!has_arrays(items)) return assign(x.index(basic_items(items)), value);
    const Array* mask = whole_mask(x, items);
    if (mask && (value.scalar() || value.array()->size() == 1)) {
        // No need to know how many there are.
        const Array number = value.scalar() ? full({}, *value.scalar(), x.dtype(), stream_of(x))
                                            : astype(value.array()->reshape({}), x.dtype(), Casting::Unsafe, false);
        return assign(x, where(*mask, number, x));
    }
    scatter("item assignment", x, select("item assignment", x, items), value, IndexMode::Raise);
}

void engine::update_items(const Array& x, std::span<const AdvancedIndex> items, const Operand& value,
                          ir::AtomicOp update) {
    scatter("item update", x, select("item update", x, items), value, IndexMode::Raise, update);
}

std::vector<Array> nonzero(const Array& x) {
    if (x.ndim() == 0) throw Error(ErrorKind::Value, "nonzero: the array has no axes; reshape it to one element first");
    Array rest = flat_nonzero(x);
    std::vector<Array> coordinates(static_cast<std::size_t>(x.ndim()), rest);
    for (int d = x.ndim() - 1; d > 0; --d) {
        coordinates[static_cast<std::size_t>(d)] = remainder(rest, x.shape()[d]);
        rest = floor_divide(rest, x.shape()[d]);
    }
    coordinates[0] = rest;
    return coordinates;
}

Array compress(const Array& mask, const Array& x, std::optional<int> axis) {
    if (mask.ndim() != 1)
        throw Error(ErrorKind::Value, fmt::format("compress: the condition has {} dimensions, not 1", mask.ndim()));
    const Array chosen_from = axis ? x : flat(x);
    if (chosen_from.ndim() == 1 && chosen_from.size() == mask.size()) {
        if (axis) normal_axis("compress", *axis, x.ndim());
        return Choice(not_equal(mask, 0)).of(chosen_from);
    }
    return take(x, flat_nonzero(mask), axis);
}

}  // namespace lanewise
