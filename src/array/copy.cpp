// Array: copies on the device and from and to the host, and fill.
#include <fmt/format.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "array/copy_kernel.h"
#include "array/copy_plan.h"
#include "array/engine.h"
#include "lanewise/array.h"

namespace lanewise {
namespace {

void require_same_dtype(const char* call, DType target, DType source) {
    if (target != source)
        throw Error(ErrorKind::Type,
                    fmt::format("{}: the target has dtype {}, the source {}", call, name(target), name(source)));
}

/// Strides by which a source is read as `shape`.
Dims broadcast_strides(const char* call, const Dims& shape, const Dims& source_shape, const Dims& source_strides) {
    // Leading axes of extent 1 may be too many, as in NumPy's assignment.
    int added = shape.size() - source_shape.size();
    Dims strides(shape.size());
    for (int i = 0; i < source_shape.size(); ++i) {
        std::int64_t extent = source_shape[i];
        if (extent == 1) continue;
        if (added + i < 0 || extent != shape[added + i])
            throw Error(ErrorKind::Value, fmt::format("{}: the source of shape {} does not fit the target of shape {}",
                                                      call, to_string(source_shape), to_string(shape)));
        strides[added + i] = source_strides[i];
    }
    return strides;
}

Order order_of(const Array& array) {
    return !array.is_c_contiguous() && array.is_f_contiguous() ? Order::F : Order::C;
}

/// Contiguous strides in the order in which the axes lie in memory.
Dims kept_strides(const Dims& shape, const Dims& strides, std::int64_t item_bytes) {
    std::vector<int> axes(static_cast<std::size_t>(shape.size()));
    std::iota(axes.begin(), axes.end(), 0);
    std::sort(axes.begin(), axes.end(), [&](int a, int b) {
        std::int64_t step_a = std::abs(strides[a]), step_b = std::abs(strides[b]);
        return step_a != step_b ? step_a > step_b : a < b;
    });
    Dims result(shape.size());
    std::int64_t step = item_bytes;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        result[*axis] = step;
        step *= std::max<std::int64_t>(shape[*axis], 1);
    }
    return result;
}

/// First and one past the last byte an array touches.
std::pair<const std::byte*, const std::byte*> bytes_touched(const Array& array) {
    const auto* low = static_cast<const std::byte*>(array.data());
    const std::byte* high = low + array.item_bytes();
    for (int i = 0; i < array.ndim(); ++i) {
        std::int64_t reach = (array.shape()[i] - 1) * array.strides()[i];
        (reach < 0 ? low : high) += reach;
    }
    return {low, high};
}

bool overlaps_otherwise(const Array& target, const Array& source) {
    if (target.data() == source.data() && target.strides() == source.strides() && target.shape() == source.shape())
        return false;
    auto [target_low, target_high] = bytes_touched(target);
    auto [source_low, source_high] = bytes_touched(source);
    return target_low < source_high && source_low < target_high;
}

}  // namespace

Array Array::copy(Order order, const std::shared_ptr<Stream>& stream) const {
    Array result = empty(shape_, dtype_, stream, order == Order::F ? Order::F : Order::C);
    if (order == Order::Keep)
        result = Array(result.buffer_, 0, shape_, kept_strides(shape_, strides_, item_bytes()), dtype_, false);
    result.copy_from(*this, stream);
    return result;
}

void Array::copy_from(const Array& source, const std::shared_ptr<Stream>& stream) const {
    require_writable("copy_from");
    require_same_dtype("copy_from", dtype_, source.dtype_);
    Dims source_strides = broadcast_strides("copy_from", shape_, source.shape_, source.strides_);
    if (size_ == 0) return;
    if (&source.device() != &device()) {
        std::vector<std::byte> staged(static_cast<std::size_t>(source.bytes()));
        HostView view{staged.data(), dtype_, source.shape_,
                      contiguous_strides(source.shape_, item_bytes(), order_of(source))};
        source.copy_to_host(view, current_stream(source.device()));
        copy_from_host(view, stream);
        return;
    }
    if (overlaps_otherwise(*this, source)) return copy_from(source.copy(Order::Keep, stream), stream);
    use_on(stream);
    source.use_on(stream);
    run_on_device(CopyPlan(shape_, strides_, source_strides, item_bytes()), data(), source.data(), stream);
}

void Array::copy_from_host(const HostView& source, const std::shared_ptr<Stream>& stream) const {
    require_writable("copy_from_host");
    require_same_dtype("copy_from_host", dtype_, source.dtype);
    Dims source_strides = broadcast_strides("copy_from_host", shape_, source.shape, source.strides);
    if (size_ == 0) return;
    if (!c_contiguous_ && !f_contiguous_) {
        // A gather on the device: the host's memory goes up in one piece.
        use_on(stream)->order_after_uses(*stream);
        Array staged = from_host(source, stream);
        copy_from(staged, stream);
        return;
    }
    use_on(stream)->order_after_uses(*stream);
    CopyPlan plan(shape_, strides_, source_strides, item_bytes());
    if (plan.is_one_run()) {
        const auto* first = static_cast<const std::byte*>(source.data) + plan.source_offset;
        stream->copy_to_device(static_cast<std::byte*>(data()) + plan.target_offset, first,
                               static_cast<std::size_t>(bytes()));
        return;
    }
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes()));
    run_on_host(plan, packed.data(), source.data);
    stream->copy_to_device(data(), packed.data(), packed.size());
}

void Array::copy_to_host(const HostView& target, const std::shared_ptr<Stream>& stream) const {
    require_same_dtype("copy_to_host", target.dtype, dtype_);
    if (!(target.shape == shape_))
        throw Error(ErrorKind::Value, fmt::format("copy_to_host: the target has shape {}, the array {}",
                                                  to_string(target.shape), to_string(shape_)));
    if (size_ == 0) return;
    use_on(stream)->order_after_uses(*stream);
    engine::note_host_read(*stream);
    if (!c_contiguous_ && !f_contiguous_) return copy(Order::Keep, stream).copy_contiguous_to_host(target, stream);
    copy_contiguous_to_host(target, stream);
}

void Array::copy_contiguous_to_host(const HostView& target, const std::shared_ptr<Stream>& stream) const {
    CopyPlan plan(shape_, target.strides, strides_, item_bytes());
    if (plan.is_one_run()) {
        stream->copy_to_host(static_cast<std::byte*>(target.data) + plan.target_offset,
                             static_cast<const std::byte*>(data()) + plan.source_offset,
                             static_cast<std::size_t>(bytes()));
        return;
    }
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes()));
    stream->copy_to_host(packed.data(), data(), packed.size());
    run_on_host(plan, target.data, packed.data());
}

void Array::fill(const void* element, const std::shared_ptr<Stream>& stream) const {
    require_writable("fill");
    if (size_ == 0) return;
    use_on(stream);
    if ((c_contiguous_ || f_contiguous_) && item_bytes() <= 8) {
        std::uint64_t pattern = 0;
        std::memcpy(&pattern, element, static_cast<std::size_t>(item_bytes()));
        stream->fill(data(), pattern, static_cast<int>(item_bytes()), static_cast<std::size_t>(size_));
        return;
    }
    Array one = empty({}, dtype_, stream);
    stream->copy_to_device(one.data(), element, static_cast<std::size_t>(item_bytes()));
    copy_from(one, stream);
}

}  // namespace lanewise
