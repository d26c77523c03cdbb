// Dims and the arithmetic of shapes and strides.
#include "lanewise/dims.h"

#include <fmt/format.h>

#include "array/normal_axis.h"
#include "lanewise/array.h"

namespace lanewise {

int normal_axis(std::string_view call, std::int64_t axis, int ndim) {
    if (axis < -ndim || axis >= ndim)
        throw AxisError(ErrorKind::Value,
                        fmt::format("{}: axis {} is out of bounds for an array of {} dimensions", call, axis, ndim));
    return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

Dims::Dims(int size, std::int64_t value) {
    if (size < 0 || size > max_size)
        throw Error(ErrorKind::Value, fmt::format("an array can have at most {} dimensions, not {}", max_size, size));
    if (size > inline_size) heap_.reset(new std::int64_t[max_size]);
    size_ = size;
    std::fill_n(data(), size, value);
}

Dims::Dims(std::span<const std::int64_t> values)
    : Dims(static_cast<int>(std::min<std::size_t>(values.size(), max_size + 1))) {
    std::copy(values.begin(), values.end(), data());
}

void Dims::push_back(std::int64_t value) {
    if (size_ == inline_size && !heap_) {
        heap_.reset(new std::int64_t[max_size]);
        std::copy_n(inline_, inline_size, heap_.get());
    }
    if (size_ == max_size)
        throw Error(ErrorKind::Value, fmt::format("an array can have at most {} dimensions", max_size));
    data()[size_++] = value;
}

std::string to_string(const Dims& dims) {
    std::string text = "(";
    for (int i = 0; i < dims.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", dims[i]);
    return text + (dims.size() == 1 ? ",)" : ")");
}

Dims contiguous_strides(const Dims& shape, std::int64_t item_bytes, Order order) {
    Dims strides(shape.size());
    std::int64_t stride = item_bytes;
    for (int i = 0; i < shape.size(); ++i) {
        int axis = order == Order::F ? i : shape.size() - 1 - i;
        strides[axis] = stride;
        stride *= std::max<std::int64_t>(shape[axis], 1);
    }
    return strides;
}

std::int64_t element_count(const Dims& shape, std::int64_t item_bytes) {
    std::int64_t count = 1, bytes = item_bytes;
    bool is_empty = false;
    for (std::int64_t extent : shape) {
        if (extent < 0)
            throw Error(ErrorKind::Value, fmt::format("shape {}: extents cannot be negative", to_string(shape)));
        if (extent == 0) is_empty = true;
    }
    if (is_empty) return 0;
    for (std::int64_t extent : shape) {
        count *= extent;
        if (__builtin_mul_overflow(bytes, extent, &bytes))
            throw Error(ErrorKind::Value, fmt::format("shape {} of {}-byte elements is larger than an address space",
                                                      to_string(shape), item_bytes));
    }
    return count;
}

bool is_contiguous(const Dims& shape, const Dims& strides, std::int64_t item_bytes, Order order) {
    std::int64_t expected = item_bytes;
    for (std::int64_t extent : shape)
        if (extent == 0) return true;
    for (int i = 0; i < shape.size(); ++i) {
        int axis = order == Order::F ? i : shape.size() - 1 - i;
        if (shape[axis] == 1) continue;
        if (strides[axis] != expected) return false;
        expected *= shape[axis];
    }
    return true;
}

}  // namespace lanewise
