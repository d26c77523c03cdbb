// Writing to memory that arrays show: assignment and scatters.
#include <algorithm>

#include "array/engine.h"
#include "array/evaluation.h"
#include "array/launcher.h"
#include "array/scatter_tables.h"

namespace lanewise::engine {

void write(const Array& target, const NodePtr& node) {
    if (node->size == 0) return;
    if (const auto& storage = ArrayAccess::storage(target)) realise(storage->node(), *node->stream);
    const std::shared_ptr<Buffer> buffer =
        ArrayAccess::storage(target) ? ArrayAccess::storage(target)->node()->buffer : ArrayAccess::memory(target);
    auto* first = static_cast<std::byte*>(buffer->data()) + target.offset();
    std::vector<NodePtr> readers;  // destroyed after the lock
    EvaluationScope scope;
    ++evaluation->depth;
    struct Leave {
        ~Leave() { --evaluation->depth; }
    } leave;
    count_node();
    GroupBuilder group(node->shape, node->stream);
    const ValueId value = group.visit(*node);
    Program& program = group.program();
    // Other readers come first; those within the group read before it writes.
    readers = pending().select(1 << 30, [&](const Node& other) { return reads(other, *buffer); });
    for (const NodePtr& reader : readers)
        if (!group.has_visited(*reader)) realise_locked(*reader);
    follow_streams_of(readers, *node->stream);

    auto extent = [](const Access& access, const Dims& shape) {
        std::pair<const std::byte*, const std::byte*> range(access.address, access.address + access.item());
        for (int i = 0; i < shape.size(); ++i) {
            const std::int64_t reach = (shape[i] - 1) * access.strides[i];
            (reach < 0 ? range.first : range.second) += reach;
        }
        return range;
    };
    Access store;
    store.dtype = node->dtype;
    store.address = first;
    store.strides = target.strides();
    store.buffer = buffer;
    const auto [low, high] = extent(store, node->shape);
    bool overlaps = false, repeats = false;
    for (int i = 0; i < store.strides.size(); ++i) repeats |= store.strides[i] == 0 && node->shape[i] > 1;
    for (const Instruction& i : program.code)
        if (i.op == ElementOp::Gather && program.leaves[i.args[0]].buffer == buffer) overlaps = true;
    for (const Access& leaf : program.leaves) {
        if (leaf.is_iota) continue;
        if (leaf.address == store.address && leaf.strides == store.strides && leaf.dtype == store.dtype && !repeats)
            continue;
        const auto [leaf_low, leaf_high] = extent(leaf, node->shape);
        overlaps |= leaf_low < high && low < leaf_high;
    }
    // Pending values that others will read are stored along.
    std::vector<std::pair<Node*, std::shared_ptr<Buffer>>> results;
    for (const GroupBuilder::Visit& visit : group.visited()) {
        Node* other = visit.node;
        if (other == node.get() || other->is_done()) continue;
        // What read the overwritten memory has to be stored now.
        if (!is_stored_along(visit) &&
            (other->storages.load(std::memory_order_relaxed) == 0 || !reads_below(*other, *buffer)))
            continue;
        std::shared_ptr<Buffer> result = buffer_for(*other);
        program.stores.push_back({visit.value, store_access(*other, result)});
        results.emplace_back(other, std::move(result));
    }
    // A value that reads the memory elsewhere than it is written to is computed aside.
    const std::shared_ptr<Buffer> aside = overlaps ? buffer_for(*node) : nullptr;
    program.stores.insert(program.stores.begin(), {value, aside ? store_access(*node, aside) : store});
    note_uses(program, node->stream);
    launch_elementwise(program, node->stream);
    for (auto& [other, result] : results) finish(*other, std::move(result));
    if (!aside) return;
    GroupBuilder copy(node->shape, node->stream);
    Input in;
    in.kind = Input::Kind::Memory;
    in.dtype = node->dtype;
    in.buffer = aside;
    in.strides = node->strides;
    copy.program().stores.push_back({copy.input(in, node->dtype), store});
    note_uses(copy.program(), node->stream);
    launch_elementwise(copy.program(), node->stream);
}

void scatter(const Array& target, std::int64_t offset, const Dims& strides, const NodePtr& node,
             std::span<const Input> indices, std::span<const IndexedAxis> axes, IndexMode mode,
             std::optional<ir::AtomicOp> update) {
    if (node->size == 0) return;
    const std::shared_ptr<Buffer> buffer = target.use_on(node->stream);
    // What reads the memory that is written is copied first. No pending value does any more.
    auto apart = [&](const Input& input) {
        const Buffer* own = input.kind == Input::Kind::Memory                          ? input.buffer.get()
                            : input.kind == Input::Kind::Node && input.node->is_done() ? input.node->buffer.get()
                                                                                       : nullptr;
        if (own != buffer.get()) return input;
        const NodePtr copy = make_node(ElementOp::Copy, input.dtype, input.dtype, node->shape, node->stream, {input});
        record(copy);
        realise(copy);
        Input aside;
        aside.kind = Input::Kind::Memory;
        aside.dtype = copy->dtype;
        aside.buffer = copy->buffer;
        aside.strides = copy->strides;
        return aside;
    };
    const Input value = apart(node->inputs[0]);
    std::vector<Input> places;
    for (const Input& index : indices) places.push_back(apart(index));
    const Exclusive lock;
    GroupBuilder group(node->shape, node->stream);
    Store store;
    store.value = group.input(value, node->dtype);
    for (const Input& place : places) store.indices.push_back(group.input(place, DType::Int64));
    store.scatter = {mode, {axes.begin(), axes.end()}};
    store.update = update;
    store.target.dtype = target.dtype();
    store.target.address = static_cast<std::byte*>(buffer->data()) + offset;
    store.target.strides = strides;
    store.target.buffer = buffer;
    const bool few = update == ir::AtomicOp::Add && axes.size() == 1 && axes[0].stride == store.target.item() &&
                     std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 0; });
    group.program().stores.push_back(std::move(store));
    note_uses(group.program(), node->stream);
    if (few && launch_scatter_tables(group.program(), node->stream)) return;
    launch_elementwise(group.program(), node->stream);
}

}  // namespace lanewise::engine
