// Prefix sums over the threads of a group within a warp.
#pragma once

#include <cooperative_groups/reduce.h>

extern "C++" {
namespace cooperative_groups {

/// op over the values of the members up to this one.
template <class Group, class T, class F>
__LANEWISE_DEVICE T inclusive_scan(const Group& group, T value, F&& op) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T below = group.shfl_up(value, distance);
        if (rank >= distance) value = op(below, value);
    }
    return value;
}
template <class Group, class T>
__LANEWISE_DEVICE T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/// op over the values of the members below this one; T() for the first.
template <class Group, class T, class F>
__LANEWISE_DEVICE T exclusive_scan(const Group& group, T value, F&& op) {
    const T below = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
__LANEWISE_DEVICE T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
}
