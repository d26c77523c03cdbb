// Reductions over the threads of a group within a warp.
#pragma once

#include <cooperative_groups.h>

#include <functional>

extern "C++" {
namespace cooperative_groups {

template <class T = void>
using plus = std::plus<T>;
template <class T = void>
using bit_and = std::bit_and<T>;
template <class T = void>
using bit_or = std::bit_or<T>;
template <class T = void>
using bit_xor = std::bit_xor<T>;
/// The smaller of two.
template <class T = void>
struct less {
    template <class U>
    __LANEWISE_BOTH constexpr U operator()(const U& x, const U& y) const {
        return y < x ? y : x;
    }
};
/// The larger of two.
template <class T = void>
struct greater {
    template <class U>
    __LANEWISE_BOTH constexpr U operator()(const U& x, const U& y) const {
        return x < y ? y : x;
    }
};

/// All members get op over the members' values.
template <unsigned Size, class Parent, class T, class F>
__LANEWISE_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T value, F&& op) {
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) value = op(value, tile.shfl_xor(value, distance));
    return value;
}
template <class T, class F>
__LANEWISE_DEVICE T reduce(const coalesced_group& group, T value, F&& op) {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        const T other = group.shfl_down(value, distance);
        if (rank % (2 * distance) == 0 && rank + distance < size) value = op(value, other);
    }
    return group.shfl(value, 0);
}

/// Stores op over the members' values.
template <class Group, class Address, class T, class F>
__LANEWISE_DEVICE void reduce_store_async(const Group& group, Address* address, T value, F&& op) {
    const T total = reduce(group, value, op);
    if (group.thread_rank() == 0) *address = total;
}

}  // namespace cooperative_groups
}
