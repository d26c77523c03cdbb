// Groups made of groups, and what is asked of any.
#pragma once

namespace cooperative_groups {

template <unsigned Size>
__LANEWISE_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return thread_block_tile<Size, thread_block>();
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
__LANEWISE_DEVICE thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> tiled_partition(
    const thread_block_tile<ParentSize, Grandparent>& parent) {
    static_assert(Size <= ParentSize, "a tile has no more threads than the tile it is part of");
    return thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>(parent.thread_rank() / Size,
                                                                               ParentSize / Size);
}

/// Parts of `size` neighbouring members, the last of which may be smaller.
__LANEWISE_DEVICE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    const unsigned part = parent.thread_rank() / size, mask = parent.__mask();
    unsigned members = 0;
    for (unsigned rank = part * size; rank < (part + 1) * size && rank < parent.size(); ++rank)
        members |= 1u << __lanewise::lane_of(mask, rank);
    return coalesced_group(members, part, (parent.size() + size - 1) / size);
}
__LANEWISE_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size) {
    if (parent.__mask()) return tiled_partition(coalesced_group(parent.__mask()), size);
    const unsigned first = __lanewise::lane() & ~(size - 1), rank = __lanewise::block_rank();
    return coalesced_group((0xffffffff >> (32 - size)) << first, rank / size,
                           (__lanewise::block_size() + size - 1) / size);
}
__LANEWISE_DEVICE thread_group tiled_partition(const thread_block& parent, unsigned size) {
    return tiled_partition(thread_group(parent), size);
}
template <unsigned Size>
__LANEWISE_DEVICE coalesced_group tiled_partition(const coalesced_group& parent) {
    return tiled_partition(parent, Size);
}

/// The members with the same label; the groups' ranks are those of their first members.
template <class Group, class Label>
__LANEWISE_DEVICE coalesced_group labeled_partition(const Group& parent, Label label) {
    const unsigned members = __match_any_sync(parent.__mask(), label);
    const unsigned leaders = __ballot_sync(parent.__mask(), (members & __lanewise::lanes_below()) == 0);
    const unsigned first = members & (0u - members);
    return coalesced_group(members, __popc(leaders & (first - 1)), __popc(leaders));
}
/// Those of which the predicate holds, and the others.
template <class Group>
__LANEWISE_DEVICE coalesced_group binary_partition(const Group& parent, bool predicate) {
    const unsigned mask = parent.__mask(), those = __ballot_sync(mask, predicate);
    const unsigned others = mask & ~those;
    return coalesced_group(predicate ? those : others, predicate && others != 0 ? 1 : 0,
                           those != 0 && others != 0 ? 2 : 1);
}

template <class Group>
__LANEWISE_DEVICE void sync(const Group& group) {
    group.sync();
}
template <class Group>
__LANEWISE_DEVICE auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
__LANEWISE_DEVICE auto group_size(const Group& group) -> decltype(group.size()) {
    return group.size();
}
__LANEWISE_DEVICE dim3 group_index(const thread_block& block) {
    return block.group_index();
}
__LANEWISE_DEVICE dim3 thread_index(const thread_block& block) {
    return block.thread_index();
}

/// One of the members calls the function.
template <class Group, class F, class... Arguments>
__LANEWISE_DEVICE void invoke_one(const Group& group, F&& f, Arguments&&... arguments) {
    if (group.thread_rank() == 0) f(static_cast<Arguments&&>(arguments)...);
}
/// The same, and all get what it returned.
template <class Group, class F, class... Arguments>
__LANEWISE_DEVICE auto invoke_one_broadcast(const Group& group, F&& f, Arguments&&... arguments)
    -> decltype(f(static_cast<Arguments&&>(arguments)...)) {
    decltype(f(static_cast<Arguments&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = f(static_cast<Arguments&&>(arguments)...);
    return group.shfl(result, 0);
}

}  // namespace cooperative_groups
