// Views and copies that rearrange elements.
#include <fmt/format.h>

#include <algorithm>

#include "array/operands.h"

namespace lanewise {
namespace {

int normal_axis(const char* call, std::int64_t axis, int ndim) {
    if (axis < -ndim || axis >= ndim)
        throw Error(ErrorKind::Value,
                    fmt::format("{}: axis {} is out of bounds for an array of {} dimensions", call, axis, ndim));
    return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

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

Array roll(const Array& x, const Dims& shifts, const std::optional<Dims>& axes) {
    if (!axes) {
        if (shifts.size() != 1) throw Error(ErrorKind::Value, "roll: several shifts take as many axes");
        return roll(flat(x), shifts, Dims{0}).reshape(x.shape());
    }
    if (axes->size() != shifts.size() && shifts.size() != 1)
        throw Error(ErrorKind::Value, fmt::format("roll: {} shifts for {} axes", shifts.size(), axes->size()));
    Array result = x;
    for (int i = 0; i < axes->size(); ++i) {
        const int axis = normal_axis("roll", (*axes)[i], x.ndim());
        const std::int64_t extent = x.shape()[axis];
        if (extent == 0) continue;
        const std::int64_t shift = ((shifts[shifts.size() == 1 ? 0 : i] % extent) + extent) % extent;
        if (shift == 0) continue;
        const Array parts[] = {slice(result, axis, extent - shift, extent), slice(result, axis, 0, extent - shift)};
        result = concatenate(parts, axis);
    }
    return result;
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
    if (mode == PadMode::Constant) {
        const Array result = Array::empty(shape, x.dtype(), stream);
        assign(result, value);
        Array middle = result;
        for (int i = 0; i < x.ndim(); ++i) middle = slice(middle, i, before[i], before[i] + x.shape()[i]);
        assign(middle, x);
        return result;
    }
    // Along each axis, the elements at the places that the mode repeats.
    Array result = x;
    for (int i = 0; i < x.ndim(); ++i) {
        if (before[i] + after[i] == 0) continue;
        const std::int64_t extent = x.shape()[i];
        Array place = subtract(arange(0, shape[i], 1, DType::Int64, stream), before[i]);
        if (mode == PadMode::Edge) {
            place = clip(place, 0, extent - 1);
        } else if (mode == PadMode::Wrap) {
            place = remainder(place, extent);
        } else {
            const std::int64_t period =
                mode == PadMode::Symmetric ? 2 * extent : std::max<std::int64_t>(2 * extent - 2, 1);
            place = remainder(place, period);
            const std::int64_t last = mode == PadMode::Symmetric ? 2 * extent - 1 : 2 * extent - 2;
            place = minimum(place, subtract(last, place));
            place = maximum(place, 0);
        }
        result = take(result, place, i, IndexMode::Wrap);
    }
    return result;
}

}  // namespace lanewise
