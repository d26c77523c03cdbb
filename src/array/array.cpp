// Array: making arrays and views. Copies are in copy.cpp.
#include "lanewise/array.h"

#include <fmt/format.h>

#include "array/engine.h"
#include "array/normal_axis.h"
#include "array/reshape.h"
#include "lanewise/allocator.h"
#include "lanewise/error.h"

namespace lanewise {
namespace {

/// Lowest and one past the highest byte of the elements, relative to the first one; {0, 0} without elements.
std::pair<std::int64_t, std::int64_t> extent_of(const Dims& shape, const Dims& strides, std::int64_t item_bytes) {
    std::int64_t low = 0, high = item_bytes;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0) return {0, 0};
        std::int64_t reach = 0, *side = strides[i] < 0 ? &low : &high;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach) || __builtin_add_overflow(*side, reach, side))
            throw Error(ErrorKind::Value, fmt::format("strides {} of shape {} reach beyond the address space",
                                                      to_string(strides), to_string(shape)));
    }
    return {low, high};
}

}  // namespace

std::optional<Dims> reshaped_strides(const Dims& shape, const Dims& strides, const Dims& target,
                                     std::int64_t item_bytes, Order order) {
    // Axes fastest first; those of extent 1 carry no order.
    Dims extents, steps;
    auto axis_at = [&](int i, int ndim) { return order == Order::F ? i : ndim - 1 - i; };
    for (int i = 0; i < shape.size(); ++i) {
        int axis = axis_at(i, shape.size());
        if (shape[axis] != 1) {
            extents.push_back(shape[axis]);
            steps.push_back(strides[axis]);
        }
    }
    Dims result(target.size(), item_bytes);
    auto wanted = [&](int i) { return axis_at(i, target.size()); };
    int source = 0, next = 0;
    while (source < extents.size() && next < target.size()) {
        // Groups of axes with equal products correspond; a group of the source must be one run of memory.
        int source_end = source + 1, next_end = next + 1;
        std::int64_t source_product = extents[source], next_product = target[wanted(next)];
        while (source_product != next_product) {
            if (next_product < source_product)
                next_product *= target[wanted(next_end++)];
            else
                source_product *= extents[source_end++];
        }
        for (int i = source; i + 1 < source_end; ++i)
            if (steps[i + 1] != steps[i] * extents[i]) return std::nullopt;
        std::int64_t step = steps[source];
        for (int i = next; i < next_end; ++i) {
            result[wanted(i)] = step;
            step *= target[wanted(i)];
        }
        source = source_end;
        next = next_end;
    }
    return result;
}

Array::Array(std::shared_ptr<Buffer> buffer, std::int64_t offset, Dims shape, Dims strides, DType dtype, bool read_only,
             std::shared_ptr<Storage> storage)
    : dtype_(dtype),
      read_only_(read_only),
      buffer_(std::move(buffer)),
      storage_(std::move(storage)),
      shape_(std::move(shape)),
      strides_(std::move(strides)),
      size_(element_count(shape_, size_of(dtype))),
      offset_(offset) {
    c_contiguous_ = is_contiguous(shape_, strides_, size_of(dtype), Order::C);
    f_contiguous_ = is_contiguous(shape_, strides_, size_of(dtype), Order::F);
    if (size_ > 0 && buffer_) data_ = static_cast<std::byte*>(buffer_->data()) + offset_;
}

Array Array::view(std::int64_t offset, Dims shape, Dims strides) const {
    return Array(buffer_, offset, std::move(shape), std::move(strides), dtype_, read_only_, storage_);
}

Array Array::empty(const Dims& shape, DType dtype, const std::shared_ptr<Stream>& stream, Order order) {
    std::int64_t bytes = element_count(shape, size_of(dtype)) * size_of(dtype);
    return Array(allocate(stream, static_cast<std::size_t>(bytes)), 0, shape,
                 contiguous_strides(shape, size_of(dtype), order), dtype, false);
}

Array Array::over(std::shared_ptr<Buffer> buffer, std::int64_t offset, const Dims& shape, const Dims& strides,
                  DType dtype, bool read_only) {
    if (shape.size() != strides.size())
        throw Error(ErrorKind::Value,
                    fmt::format("shape {} and strides {} differ in length", to_string(shape), to_string(strides)));
    element_count(shape, size_of(dtype));
    auto [low, high] = extent_of(shape, strides, size_of(dtype));
    std::int64_t bytes = static_cast<std::int64_t>(buffer->bytes());
    if (low != high && (offset + low < 0 || offset + high > bytes))
        throw Error(ErrorKind::Value,
                    fmt::format("shape {} with strides {} at offset {} covers bytes {} to {} of a buffer of {} bytes",
                                to_string(shape), to_string(strides), offset, offset + low, offset + high, bytes));
    return Array(std::move(buffer), offset, shape, strides, dtype, read_only);
}

Array Array::from_host(const HostView& source, const std::shared_ptr<Stream>& stream) {
    std::int64_t item = size_of(source.dtype);
    bool fortran = !is_contiguous(source.shape, source.strides, item, Order::C) &&
                   is_contiguous(source.shape, source.strides, item, Order::F);
    Array result = empty(source.shape, source.dtype, stream, fortran ? Order::F : Order::C);
    result.copy_from_host(source, stream);
    return result;
}

Array Array::index(std::span<const Index> items) const {
    int taken = 0, ellipses = 0;
    for (const Index& item : items) {
        taken += item.kind == Index::Kind::Integer || item.kind == Index::Kind::Slice;
        ellipses += item.kind == Index::Kind::Ellipsis;
    }
    if (ellipses > 1) throw Error(ErrorKind::Index, "an index can have only one ellipsis ('...')");
    if (taken > ndim())
        throw Error(ErrorKind::Index,
                    fmt::format("too many indices: the array is {}-dimensional, but {} were given", ndim(), taken));

    Dims shape, strides;
    std::int64_t offset = offset_;
    int axis = 0;
    auto keep = [&](int count) {
        for (; count > 0; --count, ++axis) {
            shape.push_back(shape_[axis]);
            strides.push_back(strides_[axis]);
        }
    };
    for (const Index& item : items) {
        switch (item.kind) {
            case Index::Kind::NewAxis:
                shape.push_back(1);
                strides.push_back(0);
                break;
            case Index::Kind::Ellipsis:
                keep(ndim() - taken);
                break;
            case Index::Kind::Integer: {
                std::int64_t extent = shape_[axis];
                if (item.value < -extent || item.value >= extent)
                    throw Error(ErrorKind::Index, fmt::format("index {} is out of bounds for axis {} with size {}",
                                                              item.value, axis, extent));
                offset += (item.value < 0 ? item.value + extent : item.value) * strides_[axis];
                ++axis;
                break;
            }
            case Index::Kind::Slice: {
                std::int64_t extent = shape_[axis], step = item.step.value_or(1);
                if (step == 0) throw Error(ErrorKind::Value, "slice step cannot be zero");
                auto clip = [&](std::int64_t value, std::int64_t low, std::int64_t high) {
                    return std::clamp(value < 0 ? value + extent : value, low, high);
                };
                std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
                std::int64_t start = item.start ? clip(*item.start, low, high) : (step > 0 ? low : high);
                std::int64_t stop = item.stop ? clip(*item.stop, low, high) : (step > 0 ? high : low);
                // Unsigned: a step of INT64_MIN has no positive counterpart in int64.
                std::uint64_t span = step > 0 ? std::uint64_t(stop - start) : std::uint64_t(start - stop);
                std::uint64_t stride = step > 0 ? std::uint64_t(step) : 0 - std::uint64_t(step);
                std::int64_t count =
                    (step > 0 ? start < stop : stop < start) ? std::int64_t((span - 1) / stride + 1) : 0;
                if (count > 0) offset += start * strides_[axis];
                shape.push_back(count);
                strides.push_back(count > 1 ? strides_[axis] * step : strides_[axis]);
                ++axis;
                break;
            }
        }
    }
    keep(ndim() - axis);
    return view(offset, std::move(shape), std::move(strides));
}

Array Array::reshape(const Dims& wanted, Order order) const {
    if (order == Order::Keep) order = !c_contiguous_ && f_contiguous_ ? Order::F : Order::C;
    Dims shape = wanted;
    int unknown = -1;
    std::int64_t known = 1;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1 && unknown < 0) {
            unknown = i;
        } else if (shape[i] < 0) {
            throw Error(ErrorKind::Value,
                        fmt::format("reshape to {}: one extent may be -1, none less", to_string(wanted)));
        } else {
            known *= shape[i];
        }
    }
    if (unknown >= 0) shape[unknown] = known > 0 ? size_ / known : 0;
    if (element_count(shape, item_bytes()) != size_ || (unknown >= 0 && known == 0))
        throw Error(ErrorKind::Value,
                    fmt::format("cannot reshape an array of size {} into shape {}", size_, to_string(wanted)));
    if (size_ == 0) return view(offset_, shape, contiguous_strides(shape, item_bytes(), order));
    std::optional<Dims> strides = reshaped_strides(shape_, strides_, shape, item_bytes(), order);
    if (!strides)
        throw Error(ErrorKind::NotImplemented,
                    fmt::format("reshaping shape {} with strides {} to {} takes a copy; call copy() first",
                                to_string(shape_), to_string(strides_), to_string(shape)));
    return view(offset_, std::move(shape), std::move(*strides));
}

Array Array::transpose(const Dims& axes) const {
    if (axes.size() != ndim())
        throw Error(ErrorKind::Value,
                    fmt::format("transpose: {} axes for an array of {} dimensions", axes.size(), ndim()));
    Dims shape(ndim()), strides(ndim());
    std::uint64_t seen = 0;
    for (int i = 0; i < ndim(); ++i) {
        int axis = normal_axis("transpose", axes[i], ndim());
        if (seen >> axis & 1) throw Error(ErrorKind::Value, fmt::format("transpose: axis {} is repeated", axis));
        seen |= std::uint64_t(1) << axis;
        shape[i] = shape_[axis];
        strides[i] = strides_[axis];
    }
    return view(offset_, std::move(shape), std::move(strides));
}

Array Array::transpose() const {
    Dims axes(ndim());
    for (int i = 0; i < ndim(); ++i) axes[i] = ndim() - 1 - i;
    return transpose(axes);
}

Array Array::squeeze(const std::optional<Dims>& axes) const {
    std::uint64_t dropped = 0;
    if (axes) {
        for (std::int64_t given : *axes) {
            int axis = normal_axis("squeeze", given, ndim());
            if (shape_[axis] != 1)
                throw Error(ErrorKind::Value, fmt::format("squeeze: axis {} has size {}, not 1", axis, shape_[axis]));
            dropped |= std::uint64_t(1) << axis;
        }
    } else {
        for (int i = 0; i < ndim(); ++i)
            if (shape_[i] == 1) dropped |= std::uint64_t(1) << i;
    }
    Dims shape, strides;
    for (int i = 0; i < ndim(); ++i) {
        if (dropped >> i & 1) continue;
        shape.push_back(shape_[i]);
        strides.push_back(strides_[i]);
    }
    return view(offset_, std::move(shape), std::move(strides));
}

Array Array::broadcast_to(const Dims& shape) const {
    int added = shape.size() - ndim();
    bool fits = added >= 0;
    Dims strides(shape.size());
    for (int i = 0; fits && i < ndim(); ++i) {
        if (shape_[i] == shape[added + i])
            strides[added + i] = strides_[i];
        else
            fits = shape_[i] == 1;
    }
    if (!fits)
        throw Error(ErrorKind::Value,
                    fmt::format("an array of shape {} does not broadcast to {}", to_string(shape_), to_string(shape)));
    element_count(shape, item_bytes());
    return Array(buffer_, offset_, shape, std::move(strides), dtype_, true, storage_);
}

Array Array::view_as(DType dtype) const {
    Dims shape = shape_, strides = strides_;
    std::int64_t old_bytes = item_bytes(), new_bytes = size_of(dtype);
    if (old_bytes != new_bytes) {
        if (ndim() == 0)
            throw Error(ErrorKind::Value, fmt::format("a 0-dimensional {} array cannot be seen as {}: the sizes differ",
                                                      name(dtype_), name(dtype)));
        if (shape.back() != 1 && size_ > 0 && strides.back() != old_bytes)
            throw Error(ErrorKind::Value,
                        fmt::format("seeing {} as {} takes a contiguous last axis; its stride is {} bytes",
                                    name(dtype_), name(dtype), strides.back()));
        std::int64_t row = shape.back() * old_bytes;
        if (row % new_bytes != 0)
            throw Error(ErrorKind::Value,
                        fmt::format("the last axis has {} bytes, which is no multiple of the {} of {}", row, new_bytes,
                                    name(dtype)));
        shape.back() = row / new_bytes;
        strides.back() = new_bytes;
    }
    return Array(buffer_, offset_, std::move(shape), std::move(strides), dtype, read_only_, storage_);
}

Array Array::as_read_only() const {
    return Array(buffer_, offset_, shape_, strides_, dtype_, true, storage_);
}

const std::shared_ptr<Buffer>& Array::settle(Stream& user) const {
    if (!storage_) {
        engine::realise_readers(*buffer_, user);
        return buffer_;
    }
    const NodePtr node = storage_->node();
    engine::realise(node, user);
    // A value that was replaced meanwhile is no longer the array's.
    const NodePtr now = storage_->node();
    if (now != node) return settle(user);
    engine::realise_readers(*now->buffer, user);
    return now->buffer;
}

void* Array::settled_data() const {
    const std::shared_ptr<Buffer>& memory = settle(*current_stream(device()));
    return size_ > 0 ? static_cast<std::byte*>(memory->data()) + offset_ : nullptr;
}

bool Array::is_pending() const {
    return storage_ && !storage_->node()->is_done();
}

Device& Array::device() const {
    return storage_ ? storage_->device() : buffer_->device();
}

std::shared_ptr<Stream> Array::stream() const {
    return storage_ ? storage_->node()->stream : buffer_->stream();
}

void Array::require_writable(const char* call) const {
    if (read_only_) throw Error(ErrorKind::Value, fmt::format("{}: the array is read-only", call));
}

}  // namespace lanewise
