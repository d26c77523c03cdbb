#include "array/axes.h"

#include <algorithm>

namespace lanewise {

std::int64_t Axes::size() const {
    std::int64_t count = 1;
    for (std::int64_t extent : shape) count *= extent;
    return count;
}

Axes collapse(const Dims& shape, std::span<const Dims* const> strides, std::size_t first) {
    Axes axes;
    axes.strides.resize(strides.size());
    axes.offsets.assign(strides.size(), 0);
    // The usual case: everything contiguous in C order.
    int order[Dims::max_size];
    int count = 0;
    for (int i = 0; i < shape.size(); ++i)
        if (shape[i] != 1) order[count++] = i;
    if (strides.empty()) first = 0;
    auto step_of = [&](std::size_t operand, int axis) { return (*strides[operand])[axis]; };
    auto size_of_step = [&](int axis) { return std::abs(step_of(first, axis)); };
    if (!strides.empty())
        for (int i = 1; i < count; ++i)
            for (int j = i; j > 0 && size_of_step(order[j - 1]) < size_of_step(order[j]); --j)
                std::swap(order[j - 1], order[j]);
    for (int i = 0; i < count; ++i) {
        const int axis = order[i];
        const std::int64_t extent = shape[axis];
        const bool reversed = !strides.empty() && step_of(first, axis) < 0;
        auto step = [&](std::size_t operand) { return reversed ? -step_of(operand, axis) : step_of(operand, axis); };
        if (reversed)
            for (std::size_t k = 0; k < strides.size(); ++k) axes.offsets[k] += (extent - 1) * step_of(k, axis);
        const int last = axes.shape.size() - 1;
        bool merges = last >= 0;
        for (std::size_t k = 0; merges && k < strides.size(); ++k) merges = axes.strides[k][last] == step(k) * extent;
        if (merges) {
            axes.shape[last] *= extent;
            for (std::size_t k = 0; k < strides.size(); ++k) axes.strides[k][last] = step(k);
        } else {
            axes.shape.push_back(extent);
            for (std::size_t k = 0; k < strides.size(); ++k) axes.strides[k].push_back(step(k));
        }
    }
    return axes;
}

}  // namespace lanewise
