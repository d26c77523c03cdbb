// Strided copies: axes sorted and merged; the host's loops.
#include "array/copy_plan.h"

#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

namespace lanewise {
namespace {

template <class T>
void copy_axis(std::byte* target, const std::byte* source, std::int64_t count, std::int64_t target_step,
               std::int64_t source_step) {
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(target + i * target_step, source + i * source_step, sizeof(T));
}

struct Bytes16 {
    std::uint64_t parts[2];
};

void copy_innermost(const CopyPlan& plan, std::byte* target, const std::byte* source) {
    int last = plan.shape.size() - 1;
    std::int64_t count = plan.shape[last], to = plan.target_strides[last], from = plan.source_strides[last];
    if (to == plan.item_bytes && from == plan.item_bytes) {
        std::memcpy(target, source, static_cast<std::size_t>(count * plan.item_bytes));
        return;
    }
    switch (plan.item_bytes) {
        case 1:
            return copy_axis<std::uint8_t>(target, source, count, to, from);
        case 2:
            return copy_axis<std::uint16_t>(target, source, count, to, from);
        case 4:
            return copy_axis<std::uint32_t>(target, source, count, to, from);
        case 8:
            return copy_axis<std::uint64_t>(target, source, count, to, from);
        case 16:
            return copy_axis<Bytes16>(target, source, count, to, from);
        default:
            for (std::int64_t i = 0; i < count; ++i)
                std::memcpy(target + i * to, source + i * from, static_cast<std::size_t>(plan.item_bytes));
    }
}

void copy_axes(const CopyPlan& plan, int axis, std::byte* target, const std::byte* source) {
    if (axis + 1 == plan.shape.size()) return copy_innermost(plan, target, source);
    for (std::int64_t i = 0; i < plan.shape[axis]; ++i)
        copy_axes(plan, axis + 1, target + i * plan.target_strides[axis], source + i * plan.source_strides[axis]);
}

}  // namespace

CopyPlan::CopyPlan(const Dims& full_shape, const Dims& full_target, const Dims& full_source, std::int64_t item)
    : item_bytes(item) {
    std::vector<int> axes;
    Dims to = full_target, from = full_source;
    for (int i = 0; i < full_shape.size(); ++i) {
        if (full_shape[i] == 1) continue;
        axes.push_back(i);
        if (to[i] < 0 && full_shape[i] > 0) {
            target_offset += (full_shape[i] - 1) * to[i];
            source_offset += (full_shape[i] - 1) * from[i];
            to[i] = -to[i];
            from[i] = -from[i];
        }
    }
    std::sort(axes.begin(), axes.end(), [&](int a, int b) { return to[a] != to[b] ? to[a] > to[b] : a < b; });
    for (int axis : axes) {
        int last = shape.size() - 1;
        bool runs_on = last >= 0 && target_strides[last] == to[axis] * full_shape[axis] &&
                       source_strides[last] == from[axis] * full_shape[axis];
        if (runs_on) {
            shape[last] *= full_shape[axis];
            target_strides[last] = to[axis];
            source_strides[last] = from[axis];
        } else {
            shape.push_back(full_shape[axis]);
            target_strides.push_back(to[axis]);
            source_strides.push_back(from[axis]);
        }
    }
}

std::int64_t CopyPlan::elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
}

bool CopyPlan::has_runs() const {
    int last = shape.size() - 1;
    return last >= 0 && target_strides[last] == item_bytes && source_strides[last] == item_bytes;
}

bool CopyPlan::is_one_run() const {
    return shape.empty() || (shape.size() == 1 && has_runs());
}

void run_on_host(const CopyPlan& plan, void* target, const void* source) {
    auto* to = static_cast<std::byte*>(target) + plan.target_offset;
    const auto* from = static_cast<const std::byte*>(source) + plan.source_offset;
    if (plan.shape.empty())
        std::memcpy(to, from, static_cast<std::size_t>(plan.item_bytes));
    else if (plan.elements() > 0)
        copy_axes(plan, 0, to, from);
}

}  // namespace lanewise
