// Views and copies that rearrange elements.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "array/join.h"
#include "array/normal_axis.h"
#include "array/operands.h"

namespace lanewise {
namespace {

Array slice(const Array& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
    std::vector<Index> items(static_cast<std::size_t>(axis) + 1);
    for (Index& item : items) item.kind = Index::Kind::Slice;
    items.back().start = start;
    items.back().stop = stop;
    items.back().step = step;
    return x.index(items);
}

Array flat(const Array& x) {
    return reshape(x, {-1});
}

}  // namespace

Array broadcast_to(const Array& x, const Dims& shape) {
    return x.broadcast_to(shape);
}

Array expand_dims(const Array& x, const Dims& axes) {
    const int ndim = x.ndim() + axes.size();
    std::uint64_t added = 0;
    for (std::int64_t axis : axes) {
        const std::uint64_t bit = std::uint64_t(1) << normal_axis("expand_dims", axis, ndim);
        if (added & bit) throw Error(ErrorKind::Value, fmt::format("expand_dims: axis {} is repeated", axis));
        added |= bit;
    }
    std::vector<Index> items(static_cast<std::size_t>(ndim));
    for (int i = 0; i < ndim; ++i)
        items[static_cast<std::size_t>(i)].kind = added >> i & 1 ? Index::Kind::NewAxis : Index::Kind::Slice;
    return x.index(items);
}

Array flip(const Array& x, const std::optional<Dims>& axes) {
    Dims strides = x.strides();
    std::int64_t offset = x.offset();
    std::uint64_t flipped = axes ? 0 : ~std::uint64_t(0);
    if (axes)
        for (std::int64_t axis : *axes) flipped |= std::uint64_t(1) << normal_axis("flip", axis, x.ndim());
    for (int i = 0; i < x.ndim(); ++i) {
        if (!(flipped >> i & 1) || x.shape()[i] == 0) continue;
        offset += (x.shape()[i] - 1) * strides[i];
        strides[i] = -strides[i];
    }
    return ArrayAccess::view(x, offset, x.shape(), std::move(strides));
}

Array reshape(const Array& x, const Dims& shape, Order order) {
    try {
        return x.reshape(shape, order);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::NotImplemented) throw;
    }
    return x.copy(order == Order::Keep ? Order::C : order, stream_of(x)).reshape(shape, order);
}

/// Whether arrays are joined by one launch rather than by one each: there are many small ones in memory, or all are in
/// memory as they are to be and interleave so finely that each would write to every sector of the result.
static bool is_one_launch(std::span<const Array> arrays, int axis, const Array& result) {
    constexpr std::int64_t many = 4, small_bytes = 256 << 10, fine_bytes = 64;
    const auto count = static_cast<std::int64_t>(arrays.size());
    const std::int64_t in_memory =
        std::count_if(arrays.begin(), arrays.end(), [](const Array& a) { return !a.is_pending(); });
    if (in_memory >= many && result.bytes() / count < small_bytes) return true;
    std::int64_t row = result.item_bytes();
    for (int d = axis; d < result.ndim(); ++d) row *= result.shape()[d];
    if (row == result.bytes() || row / count >= fine_bytes) return false;
    return in_memory == count && std::all_of(arrays.begin(), arrays.end(), [&](const Array& a) {
               return a.dtype() == result.dtype() && a.is_c_contiguous();
           });
}

Array concatenate(std::span<const Array> arrays, int axis, std::optional<DType> dtype) {
    if (arrays.empty()) throw Error(ErrorKind::Value, "concatenate: at least one array is needed");
    const int ndim = arrays[0].ndim();
    if (ndim == 0) throw Error(ErrorKind::Value, "concatenate: arrays without axes cannot be joined; use stack");
    axis = normal_axis("concatenate", axis, ndim);
    Dims shape = arrays[0].shape();
    shape[axis] = 0;
    std::vector<Operand> operands;
    for (const Array& a : arrays) {
        bool fits = a.ndim() == ndim;
        for (int i = 0; fits && i < ndim; ++i) fits = i == axis || a.shape()[i] == shape[i];
        if (!fits)
            throw Error(ErrorKind::Value, fmt::format("concatenate: shapes {} and {} differ in another axis than {}",
                                                      to_string(arrays[0].shape()), to_string(a.shape()), axis));
        shape[axis] += a.shape()[axis];
        operands.emplace_back(a);
    }
    const Array result =
        Array::empty(shape, dtype ? *dtype : common_dtype(operands), operand_stream(operands, nullptr));
    if (result.size() > 0 && is_one_launch(arrays, axis, result)) {
        std::vector<Array> parts;
        for (const Array& a : arrays) {
            const Array part = astype(a, result.dtype(), Casting::Unsafe, false);
            parts.push_back(part.is_c_contiguous() ? part : part.copy(Order::C, stream_of(part)));
        }
        launch_join(result, axis, parts, stream_of(result));
        return result;
    }
    std::int64_t at = 0;
    for (const Array& a : arrays) {
        assign(slice(result, axis, at, at + a.shape()[axis]), a);
        at += a.shape()[axis];
    }
    return result;
}

Array stack(std::span<const Array> arrays, int axis) {
    std::vector<Array> expanded;
    for (const Array& a : arrays) {
        if (!(a.shape() == arrays[0].shape()))
            throw Error(ErrorKind::Value, fmt::format("stack: shapes {} and {} differ", to_string(arrays[0].shape()),
                                                      to_string(a.shape())));
        expanded.push_back(expand_dims(a, Dims{axis}));
    }
    return concatenate(expanded, axis);
}

Array repeat(const Array& x, std::int64_t count, std::optional<int> axis) {
    if (count < 0) throw Error(ErrorKind::Value, fmt::format("repeat: {} times", count));
    if (!axis) return repeat(flat(x), count, 0);
    const int at = normal_axis("repeat", *axis, x.ndim());
    Dims shape = x.shape();
    Dims wide;
    for (int i = 0; i < x.ndim(); ++i) {
        wide.push_back(shape[i]);
        if (i == at) wide.push_back(count);
    }
    shape[at] *= count;
    return expand_dims(x, Dims{at + 1}).broadcast_to(wide).copy(Order::C, stream_of(x)).reshape(shape);
}

Array repeat(const Array& given, const Array& counts, std::optional<int> axis) {
    const Array x = axis ? given : flat(given);
    const int at = normal_axis("repeat", axis.value_or(0), x.ndim());
    const std::int64_t extent = x.shape()[at];
    if (counts.ndim() > 1 || (counts.size() != 1 && counts.size() != extent))
        throw Error(ErrorKind::Value, fmt::format("repeat: counts of shape {} for {} elements along axis {}",
                                                  to_string(counts.shape()), extent, at));
    const std::shared_ptr<Stream> stream = stream_of(x);
    if (counts.size() == 0) return Array::empty(x.shape(), x.dtype(), stream);
    if (!can_cast(counts.dtype(), DType::Int64, Casting::Safe))
        throw Error(ErrorKind::Type,
                    fmt::format("repeat: counts of {} cannot be cast to int64 safely", name(counts.dtype())));
    auto read = [&](const Array& number) {
        std::int64_t value = 0;
        number.copy_to_host({&value, DType::Int64, {}, {}}, stream);
        return value;
    };
    const Array wide = astype(counts, DType::Int64, Casting::Unsafe, false);
    if (counts.size() == 1) return repeat(x, read(wide.reshape({})), at);
    Dims shape = x.shape();
    const Array ends = cumsum(wide, 0);
    if (extent > 0) {
        const std::int64_t least = read(min(wide));
        if (least < 0) throw Error(ErrorKind::Value, fmt::format("repeat: {} times", least));
        shape[at] = read(slice(ends, 0, extent - 1, extent).reshape({}));
    }
    if (shape[at] == 0) return Array::empty(shape, x.dtype(), stream);
    // A mark where each element but the first begins; running sums of the marks are the elements' places.
    const DType type = extent < std::numeric_limits<std::int32_t>::max() ? DType::Int32 : DType::Int64;
    const Array marks = full({shape[at] + 1}, 0, type, stream);
    const AdvancedIndex begins(slice(ends, 0, 0, extent - 1));
    if (extent > 1) engine::update_items(marks, {&begins, 1}, 1, ir::AtomicOp::Add);
    return take(x, cumsum(slice(marks, 0, 0, shape[at]), 0, type), at, IndexMode::Clip);
}

Array tile(const Array& x, const Dims& counts) {
    const int ndim = std::max(x.ndim(), counts.size());
    Dims wide, shape;
    std::vector<Index> items;
    for (int i = 0; i < ndim; ++i) {
        const int own = i - (ndim - x.ndim()), given = i - (ndim - counts.size());
        const std::int64_t extent = own >= 0 ? x.shape()[own] : 1, count = given >= 0 ? counts[given] : 1;
        if (count < 0) throw Error(ErrorKind::Value, fmt::format("tile: {} times", count));
        Index added;
        added.kind = Index::Kind::NewAxis;
        items.push_back(added);
        if (own < 0) items.push_back(added);
        Index all;
        all.kind = Index::Kind::Slice;
        if (own >= 0) items.push_back(all);
        wide.push_back(count);
        wide.push_back(extent);
        shape.push_back(count * extent);
    }
    return x.index(items).broadcast_to(wide).copy(Order::C, stream_of(x)).reshape(shape);
}

/// The blocks into which shifts along the axes from `axis` on cut an array, each to its place.
static void roll_into(const Array& target, const Array& source, const Dims& shift, int axis) {
    while (axis < source.ndim() && shift[axis] == 0) ++axis;
    if (axis == source.ndim()) return assign(target, source);
    const std::int64_t extent = source.shape()[axis], cut = extent - shift[axis];
    roll_into(slice(target, axis, 0, shift[axis]), slice(source, axis, cut, extent), shift, axis + 1);
    roll_into(slice(target, axis, shift[axis], extent), slice(source, axis, 0, cut), shift, axis + 1);
}

Array roll(const Array& x, const Dims& shifts, const std::optional<Dims>& axes) {
    if (!axes) {
        if (shifts.size() != 1) throw Error(ErrorKind::Value, "roll: several shifts take as many axes");
        return roll(flat(x), shifts, Dims{0}).reshape(x.shape());
    }
    if (axes->size() != shifts.size() && shifts.size() != 1)
        throw Error(ErrorKind::Value, fmt::format("roll: {} shifts for {} axes", shifts.size(), axes->size()));
    Dims shift(x.ndim());
    for (int i = 0; i < axes->size(); ++i) {
        const int axis = normal_axis("roll", (*axes)[i], x.ndim());
        const std::int64_t extent = x.shape()[axis];
        if (extent == 0) continue;
        shift[axis] = (shift[axis] + shifts[shifts.size() == 1 ? 0 : i] % extent + extent) % extent;
    }
    const std::shared_ptr<Stream> stream = stream_of(x);
    const Array result = Array::empty(x.shape(), x.dtype(), stream);
    if (x.size() > 0) roll_into(result, x, shift, 0);
    return result;
}

/// The places within an axis of `extent` elements that places outside of it stand for.
static Array mirrored(const Array& place, std::int64_t extent, PadMode mode) {
    if (mode == PadMode::Edge) return clip(place, 0, extent - 1);
    if (mode == PadMode::Wrap) return remainder(place, extent);
    const bool twice = mode == PadMode::Symmetric;  // the elements at the ends
    const Array within = remainder(place, twice ? 2 * extent : std::max<std::int64_t>(2 * extent - 2, 1));
    const std::int64_t last = twice ? 2 * extent - 1 : 2 * extent - 2;
    return maximum(minimum(within, subtract(last, within)), 0);
}

Array pad(const Array& x, const Dims& before, const Dims& after, PadMode mode, const Scalar& value) {
    if (before.size() != x.ndim() || after.size() != x.ndim())
        throw Error(ErrorKind::Value,
                    fmt::format("pad: widths for {} axes of an array of {} dimensions", before.size(), x.ndim()));
    Dims shape = x.shape();
    for (int i = 0; i < x.ndim(); ++i) {
        if (before[i] < 0 || after[i] < 0) throw Error(ErrorKind::Value, "pad: widths cannot be negative");
        if (mode != PadMode::Constant && shape[i] == 0 && before[i] + after[i] > 0)
            throw Error(ErrorKind::Value, fmt::format("pad: axis {} has no elements to extend", i));
        shape[i] += before[i] + after[i];
    }
    const std::shared_ptr<Stream> stream = stream_of(x);
    const Array result = Array::empty(shape, x.dtype(), stream);
    Array middle = result;
    for (int i = 0; i < x.ndim(); ++i) middle = slice(middle, i, before[i], before[i] + x.shape()[i]);
    constexpr std::int64_t small_bytes = 64 << 10;
    if (mode == PadMode::Constant && result.bytes() < small_bytes) {
        assign(result, value);
        assign(middle, x);
        return result;
    }
    assign(middle, x);
    // Along each axis the elements before and after, of what is filled along the axes before it.
    for (int axis = 0; axis < x.ndim(); ++axis) {
        const std::int64_t extent = x.shape()[axis];
        Array lines = result;
        for (int i = axis + 1; i < x.ndim(); ++i) lines = slice(lines, i, before[i], before[i] + x.shape()[i]);
        const Array inner = slice(lines, axis, before[axis], before[axis] + extent);
        auto fill = [&](std::int64_t from, std::int64_t to) {
            if (from == to) return;
            const Array edge = slice(lines, axis, from, to);
            if (mode == PadMode::Constant) return assign(edge, value);
            const Array place = arange(from - before[axis], to - before[axis], 1, DType::Int64, stream);
            assign(edge, take(inner, mirrored(place, extent, mode), axis, IndexMode::Wrap));
        };
        fill(0, before[axis]);
        fill(before[axis] + extent, shape[axis]);
    }
    return result;
}

}  // namespace lanewise
