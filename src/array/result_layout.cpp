// The order of axes in which elementwise functions give their results.
#include <algorithm>
#include <numeric>
#include <vector>

#include "array/engine.h"

namespace lanewise {

namespace engine {

Dims result_strides(const Dims& shape, std::int64_t item_bytes, std::span<const Input> inputs) {
    bool in_order = true;
    for (const Input& in : inputs) {
        if (in.kind == Input::Kind::Scalar) continue;
        std::int64_t last = 0;
        for (int i = shape.size() - 1; i >= 0; --i) {
            if (shape[i] <= 1 || in.strides[i] == 0) continue;
            const std::int64_t step = std::abs(in.strides[i]);
            in_order &= step >= last;
            last = step;
        }
    }
    if (in_order) return contiguous_strides(shape, item_bytes, Order::C);
    // As NumPy's iterator: axes by insertion, two of them swapped only when all inputs that step along both agree.
    std::vector<int> axes(static_cast<std::size_t>(shape.size()));
    std::iota(axes.begin(), axes.end(), 0);  // slowest first
    for (int i = 1; i < shape.size(); ++i) {
        int place = i;
        for (int j = i - 1; j >= 0; --j) {
            bool ambiguous = true, swap = false;
            for (const Input& in : inputs) {
                if (in.kind == Input::Kind::Scalar) continue;
                const std::int64_t a = std::abs(in.strides[axes[static_cast<std::size_t>(j)]]);
                const std::int64_t b = std::abs(in.strides[axes[static_cast<std::size_t>(i)]]);
                if (a == 0 || b == 0) continue;
                if (a >= b)
                    swap = false;
                else if (ambiguous)
                    swap = true;
                ambiguous = false;
            }
            if (ambiguous) continue;
            if (!swap) break;
            place = j;
        }
        const int axis = axes[static_cast<std::size_t>(i)];
        axes.erase(axes.begin() + i);
        axes.insert(axes.begin() + place, axis);
    }
    Dims strides(shape.size());
    std::int64_t step = item_bytes;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        strides[*axis] = step;
        step *= std::max<std::int64_t>(shape[*axis], 1);
    }
    return strides;
}

}  // namespace engine

}  // namespace lanewise
