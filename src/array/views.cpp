#include "lanewise/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "array/normal_axis.h"
#include "array/operands.h"
#include "lanewise/error.h"

namespace lanewise {
namespace {

/// First and one past the last byte relative to the start of the memory.
std::pair<std::int64_t, std::int64_t> extent(const Array& array) {
    std::int64_t low = array.offset(), high = array.offset() + array.item_bytes();
    for (int i = 0; i < array.ndim(); ++i) {
        const std::int64_t reach = (array.shape()[i] - 1) * array.strides()[i];
        (reach < 0 ? low : high) += reach;
    }
    return {low, high};
}

/// The buffer the elements are in; null while they are pending.
const Buffer* known_buffer(const Array& array) {
    const auto& storage = ArrayAccess::storage(array);
    if (!storage) return ArrayAccess::memory(array).get();
    const NodePtr node = storage->node();
    return node->is_done() ? node->buffer.get() : nullptr;
}

/// Where the memory begins, for arrays whose memory is known; buffers over the same foreign memory count as one.
const std::byte* base(const Buffer* buffer) {
    return static_cast<const std::byte*>(buffer->data());
}

bool same_memory(const Array& a, const Array& b) {
    if (ArrayAccess::storage(a) && ArrayAccess::storage(a) == ArrayAccess::storage(b)) return true;
    const Buffer* of_a = known_buffer(a);
    return of_a && of_a == known_buffer(b);
}

}  // namespace

bool same_elements(const Array& a, const Array& b) {
    return a.offset() == b.offset() && a.dtype() == b.dtype() && a.shape() == b.shape() && a.strides() == b.strides() &&
           same_memory(a, b);
}

bool may_share_memory(const Array& a, const Array& b) {
    if (a.size() == 0 || b.size() == 0) return false;
    const auto [low_a, high_a] = extent(a);
    const auto [low_b, high_b] = extent(b);
    if (same_memory(a, b)) return low_a < high_b && low_b < high_a;
    const Buffer *of_a = known_buffer(a), *of_b = known_buffer(b);
    if (!of_a || !of_b || &of_a->device() != &of_b->device()) return false;
    return base(of_a) + low_a < base(of_b) + high_b && base(of_b) + low_b < base(of_a) + high_a;
}

bool owns_memory(const Array& array) {
    if (array.offset() != 0 || !(array.is_c_contiguous() || array.is_f_contiguous())) return false;
    if (const auto& storage = ArrayAccess::storage(array)) {
        const NodePtr node = storage->node();
        return array.bytes() == node->size * size_of(node->dtype);
    }
    const auto& buffer = ArrayAccess::memory(array);
    return buffer->stream() && static_cast<std::size_t>(array.bytes()) == buffer->bytes();
}

Array diagonal(const Array& x, std::int64_t offset, int axis1, int axis2) {
    if (x.ndim() < 2)
        throw Error(ErrorKind::Value, fmt::format("diagonal: an array of {} dimensions has none", x.ndim()));
    const int a = normal_axis("diagonal", axis1, x.ndim()), b = normal_axis("diagonal", axis2, x.ndim());
    if (a == b) throw Error(ErrorKind::Value, fmt::format("diagonal: axis {} is given twice", a));
    Dims shape, strides;
    for (int d = 0; d < x.ndim(); ++d) {
        if (d == a || d == b) continue;
        shape.push_back(x.shape()[d]);
        strides.push_back(x.strides()[d]);
    }
    const std::int64_t rows = x.shape()[a] - std::max<std::int64_t>(-offset, 0);
    const std::int64_t columns = x.shape()[b] - std::max<std::int64_t>(offset, 0);
    const std::int64_t count = std::max<std::int64_t>(std::min(rows, columns), 0);
    std::int64_t start = x.offset();
    if (count > 0) start += offset < 0 ? -offset * x.strides()[a] : offset * x.strides()[b];
    shape.push_back(count);
    strides.push_back(x.strides()[a] + x.strides()[b]);
    return ArrayAccess::view(x, start, std::move(shape), std::move(strides)).as_read_only();
}

Array ravel(const Array& x, Order order) {
    Dims axes(x.ndim());
    for (int i = 0; i < x.ndim(); ++i) axes[i] = order == Order::F ? x.ndim() - 1 - i : i;
    if (order == Order::Keep)
        std::sort(axes.begin(), axes.end(), [&](std::int64_t a, std::int64_t b) {
            const std::int64_t step = std::abs(x.strides()[static_cast<int>(a)]),
                               other = std::abs(x.strides()[static_cast<int>(b)]);
            return step != other ? step > other : a < b;
        });
    const Array sorted = x.transpose(axes);
    return (sorted.is_c_contiguous() ? sorted : sorted.copy(Order::C, stream_of(x))).reshape({-1});
}

}  // namespace lanewise
