// What groups within a warp share: lanes, shuffles of any type, and the bits of member masks.
#pragma once

namespace cooperative_groups {
namespace __lanewise {

__LANEWISE_DEVICE unsigned lane() {
    return __nvvm_read_ptx_sreg_laneid();
}
__LANEWISE_DEVICE unsigned lanes_below() {
    return __nvvm_read_ptx_sreg_lanemask_lt();
}
__LANEWISE_DEVICE unsigned block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__LANEWISE_DEVICE unsigned block_size() {
    return blockDim.x * blockDim.y * blockDim.z;
}

/// The bits of `bits` at the places of `mask`, moved together; the inverse of the position of a member's rank.
__LANEWISE_DEVICE unsigned pack(unsigned bits, unsigned mask) {
    unsigned packed = 0;
    for (unsigned place = 0; mask; mask &= mask - 1, ++place) packed |= (bits & mask & (0u - mask) ? 1u : 0u) << place;
    return packed;
}
/// The lane of the member of rank `rank`.
__LANEWISE_DEVICE unsigned lane_of(unsigned mask, unsigned rank) {
    if (mask == 0xffffffff) return rank;
    for (; rank > 0; --rank) mask &= mask - 1;
    return __ffs(static_cast<int>(mask)) - 1;
}

/// Sends a value of any type, a word at a time, by `send`, which sends one.
template <class T, class F>
__LANEWISE_DEVICE T exchange(const T& value, F send) {
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned words[count] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (int i = 0; i < count; ++i) words[i] = send(words[i]);
    T result = value;
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
}

template <class T>
__LANEWISE_DEVICE T shuffle(unsigned mask, const T& value, unsigned lane, int width = 32) {
    return exchange(value, [=](unsigned word) { return __shfl_sync(mask, word, static_cast<int>(lane), width); });
}
template <class T>
__LANEWISE_DEVICE T shuffle_up(unsigned mask, const T& value, unsigned distance, int width) {
    return exchange(value, [=](unsigned word) { return __shfl_up_sync(mask, word, distance, width); });
}
template <class T>
__LANEWISE_DEVICE T shuffle_down(unsigned mask, const T& value, unsigned distance, int width) {
    return exchange(value, [=](unsigned word) { return __shfl_down_sync(mask, word, distance, width); });
}
template <class T>
__LANEWISE_DEVICE T shuffle_xor(unsigned mask, const T& value, unsigned bits, int width) {
    return exchange(value, [=](unsigned word) { return __shfl_xor_sync(mask, word, static_cast<int>(bits), width); });
}

}  // namespace __lanewise
}  // namespace cooperative_groups
