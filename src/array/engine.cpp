// The list of pending nodes, and when they are computed.
#include "array/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "array/launcher.h"
#include "array/program.h"
#include "runtime/fork_handlers.h"

namespace lanewise {

namespace detail {
std::atomic<int> pending_nodes{0};
}

namespace {

/// A pending value of more operations than this is computed before more are recorded on top of it.
constexpr std::uint32_t most_weight = 64;
/// With more operations than this recorded, all of the stream are computed.
constexpr int most_pending = 1000;
/// How many of the latest pending nodes are looked at for ones that share a kernel with what is computed.
constexpr int most_siblings = 24;
/// A value of more operations is stored when it is computed, though only a variable may still want it.
constexpr std::uint32_t most_passed_weight = 12;

thread_local bool eager = false;

struct Counters {
    std::atomic<std::uint64_t> nodes{0}, launches{0}, kernels{0};
} counters;

/// Pending nodes, latest first. Its mutex is held for a few instructions only.
class PendingList {
public:
    void add(Node& node) {
        std::lock_guard lock(mutex_);
        node.next = first_;
        if (first_) first_->previous = &node;
        first_ = &node;
        node.listed = true;
        detail::pending_nodes.fetch_add(1, std::memory_order_relaxed);
    }
    void remove(Node& node) {
        std::lock_guard lock(mutex_);
        if (!node.listed) return;
        (node.previous ? node.previous->next : first_) = node.next;
        if (node.next) node.next->previous = node.previous;
        node.previous = node.next = nullptr;
        node.listed = false;
        detail::pending_nodes.fetch_sub(1, std::memory_order_relaxed);
    }
    /// The nodes that `wanted` accepts, latest first, at most `limit`.
    template <class Wanted>
    std::vector<NodePtr> select(int limit, Wanted&& wanted) {
        std::vector<NodePtr> found;
        std::lock_guard lock(mutex_);
        for (Node* node = first_; node && limit > 0; node = node->next, --limit)
            if (wanted(*node))
                if (NodePtr alive = node->weak_from_this().lock()) found.push_back(std::move(alive));
        return found;
    }

    std::mutex& mutex() { return mutex_; }

private:
    std::mutex mutex_;
    Node* first_ = nullptr;
};

PendingList& pending();

/// What one evaluation has finished; emptied when it gives up the lock.
struct Evaluation {
    std::vector<NodePtr> finished;
    std::vector<Input> released;
    int depth = 0;
};
Evaluation* evaluation = nullptr;  ///< guarded by the lock

std::mutex& evaluation_mutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

/// Made with the handlers that keep both locks free in a forked child.
PendingList& pending() {
    static auto* list = [] {
        auto* made = new PendingList;
        ForkHandler handler;
        handler.prepare = [made] {
            evaluation_mutex().lock();
            made->mutex().lock();
        };
        handler.parent = handler.child = [made] {
            made->mutex().unlock();
            evaluation_mutex().unlock();
        };
        add_fork_handler(ForkRank::Arrays, std::move(handler));
        return made;
    }();
    return *list;
}

/// Holds the evaluation lock. What the evaluation releases is destroyed after the lock: deleters of foreign memory may
/// wait for locks of their own.
class EvaluationScope {
public:
    EvaluationScope() : lock_(evaluation_mutex()) { evaluation = &state_; }
    ~EvaluationScope() {
        for (const NodePtr& node : state_.finished) {
            std::move(node->inputs.begin(), node->inputs.end(), std::back_inserter(state_.released));
            node->inputs = {};
        }
        evaluation = nullptr;
        lock_.unlock();
    }

private:
    Evaluation state_;
    std::unique_lock<std::mutex> lock_;
};

void finish(Node& node, std::shared_ptr<Buffer> buffer) {
    node.buffer = std::move(buffer);
    for (const Input& in : node.inputs)
        if (in.kind == Input::Kind::Node) in.node->consumers.fetch_sub(1, std::memory_order_relaxed);
    pending().remove(node);
    evaluation->finished.push_back(node.shared_from_this());
    node.done.store(true, std::memory_order_release);
}

Access store_access(const Node& node, const std::shared_ptr<Buffer>& buffer) {
    Access access;
    access.dtype = node.dtype;
    access.address = static_cast<std::byte*>(buffer->data());
    access.strides = node.strides;
    access.buffer = buffer;
    return access;
}

std::shared_ptr<Buffer> buffer_for(const Node& node) {
    return Buffer::create(node.stream, static_cast<std::size_t>(node.size * size_of(node.dtype)));
}

/// Tells the buffers which stream works on them.
void note_uses(const Program& program, const std::shared_ptr<Stream>& stream) {
    for (const Access& leaf : program.leaves)
        if (leaf.buffer) leaf.buffer->used_on(stream);
    for (const Store& store : program.stores) store.target.buffer->used_on(stream);
}

/// A pending node reads that memory itself.
bool reads(const Node& node, const Buffer& buffer) {
    for (const Input& in : node.inputs) {
        if (in.kind == Input::Kind::Memory && in.buffer.get() == &buffer) return true;
        if (in.kind == Input::Kind::Node && in.node->is_done() && in.node->buffer.get() == &buffer) return true;
    }
    return false;
}

/// A pending node or one that it is made of reads that memory.
bool reads_below(const Node& node, const Buffer& buffer) {
    if (reads(node, buffer)) return true;
    for (const Input& in : node.inputs)
        if (in.kind == Input::Kind::Node && !in.node->is_done() && reads_below(*in.node, buffer)) return true;
    return false;
}

/// Whether a node that a group computes on the way is stored too. Values that only a variable holds are mostly dropped
/// unread, so they are stored only when computing them again would cost, or the second time.
bool is_stored_along(Node& node) {
    if (node.consumers.load(std::memory_order_relaxed) > node.mark_uses) return true;
    if (node.storages.load(std::memory_order_relaxed) == 0) return false;
    if (node.passed || node.weight > most_passed_weight) return true;
    node.passed = true;
    return false;
}

/// Stores the values of the nodes that others will read, runs the program, and finishes them.
void run_group(GroupBuilder& group, const std::vector<Node*>& targets, const std::shared_ptr<Stream>& stream) {
    Program& program = group.program();
    std::vector<std::pair<Node*, std::shared_ptr<Buffer>>> results;
    for (Node* node : group.visited()) {
        const bool is_target = std::find(targets.begin(), targets.end(), node) != targets.end();
        if (node->is_done() || !(is_target || is_stored_along(*node))) continue;
        std::shared_ptr<Buffer> buffer = buffer_for(*node);
        program.stores.push_back({node->mark_value, store_access(*node, buffer)});
        results.emplace_back(node, std::move(buffer));
    }
    if (program.stores.empty()) return;
    note_uses(program, stream);
    launch_elementwise(program, stream);
    for (auto& [node, buffer] : results) finish(*node, std::move(buffer));
}

void realise_elementwise(Node& node) {
    GroupBuilder group(node.shape, node.stream);
    group.visit(node);
    std::vector<Node*> targets{&node};
    std::vector<NodePtr> siblings;
    if (evaluation->depth == 1) {
        siblings = pending().select(most_siblings, [&](const Node& other) {
            return other.kind == Node::Kind::Elementwise && other.storages.load(std::memory_order_relaxed) > 0 &&
                   other.consumers.load(std::memory_order_relaxed) == 0 && other.stream == node.stream &&
                   other.shape == node.shape;
        });
        for (const NodePtr& sibling : siblings) {
            if (!group.has_room() || sibling->is_done() || !group.shares_input(*sibling)) continue;
            group.visit(*sibling);
            targets.push_back(sibling.get());
        }
    }
    run_group(group, targets, node.stream);
}

}  // namespace

void realise_reduction(Node& node, std::shared_ptr<Buffer> buffer);

void realise_locked(Node& node) {
    if (node.is_done()) return;
    struct Depth {
        Depth() { ++evaluation->depth; }
        ~Depth() { --evaluation->depth; }
    } depth;
    if (node.size == 0) return finish(node, buffer_for(node));
    if (node.kind == Node::Kind::Elementwise) return realise_elementwise(node);
    std::shared_ptr<Buffer> buffer = buffer_for(node);
    realise_reduction(node, buffer);
    finish(node, std::move(buffer));
}

Node::~Node() {
    if (listed) pending().remove(*this);
    if (!is_done())
        for (const Input& in : inputs)
            if (in.kind == Input::Kind::Node) in.node->consumers.fetch_sub(1, std::memory_order_relaxed);
}

Storage::Storage(NodePtr node) : node_(std::move(node)) {
    node_->storages.fetch_add(1, std::memory_order_relaxed);
}
Storage::~Storage() {
    node_->storages.fetch_sub(1, std::memory_order_relaxed);
}
NodePtr Storage::node() const {
    std::lock_guard lock(mutex_);
    return node_;
}
bool Storage::replace(const NodePtr& before, NodePtr after) {
    std::lock_guard lock(mutex_);
    if (node_ != before || before->is_done()) return false;
    after->storages.fetch_add(1, std::memory_order_relaxed);
    node_->storages.fetch_sub(1, std::memory_order_relaxed);
    node_.swap(after);
    return true;
}

namespace engine {

void enlist(const NodePtr& node);

NodePtr make_node(ElementOp op, DType type, DType dtype, const Dims& shape, const std::shared_ptr<Stream>& stream,
                  std::vector<Input> inputs) {
    auto node = std::make_shared<Node>();
    node->op = op;
    node->type = type;
    node->dtype = dtype;
    node->shape = shape;
    node->size = element_count(shape, size_of(dtype));
    node->strides = result_strides(shape, size_of(dtype), inputs);
    node->stream = stream;
    node->inputs = std::move(inputs);
    return node;
}

void enlist(const NodePtr& node) {
    ++counters.nodes;
    std::uint32_t weight = 1;
    for (Input& in : node->inputs) {
        if (in.kind != Input::Kind::Node) continue;
        weight += in.node->is_done() ? 0 : in.node->weight;
    }
    if (weight > most_weight) {
        weight = 1;
        for (Input& in : node->inputs)
            if (in.kind == Input::Kind::Node) realise(in.node);
    }
    node->weight = weight;
    for (Input& in : node->inputs)
        if (in.kind == Input::Kind::Node) in.node->consumers.fetch_add(1, std::memory_order_relaxed);
    pending().add(*node);
}

Array record(NodePtr node) {
    enlist(node);
    bool now = eager || node->size == 0;
    for (const Input& in : node->inputs) now = now || (in.kind == Input::Kind::Memory && in.buffer->is_shared());
    Array result = ArrayAccess::of(node);
    if (now)
        realise(node);
    else if (detail::pending_nodes.load(std::memory_order_relaxed) > most_pending)
        evaluate(*node->stream);
    return result;
}

void realise(const NodePtr& node) {
    if (node->is_done()) return;
    EvaluationScope scope;
    realise_locked(*node);
}

void realise_readers(const Buffer& buffer) {
    if (detail::pending_nodes.load(std::memory_order_relaxed) == 0) return;
    std::vector<NodePtr> readers;  // destroyed after the lock
    EvaluationScope scope;
    readers = pending().select(1 << 30, [&](const Node& node) { return reads(node, buffer); });
    for (const NodePtr& node : readers) realise_locked(*node);
}

void write(const Array& target, const NodePtr& node) {
    if (node->size == 0) return;
    if (const auto& storage = ArrayAccess::storage(target)) realise(storage->node());
    const std::shared_ptr<Buffer> buffer =
        ArrayAccess::storage(target) ? ArrayAccess::storage(target)->node()->buffer : ArrayAccess::memory(target);
    auto* first = static_cast<std::byte*>(buffer->data()) + target.offset();
    std::vector<NodePtr> readers;  // destroyed after the lock
    EvaluationScope scope;
    ++evaluation->depth;
    struct Leave {
        ~Leave() { --evaluation->depth; }
    } leave;
    ++counters.nodes;
    GroupBuilder group(node->shape, node->stream);
    const ValueId value = group.visit(*node);
    Program& program = group.program();
    // Other readers come first; those within the group read before it writes.
    readers = pending().select(1 << 30, [&](const Node& other) { return reads(other, *buffer); });
    for (const NodePtr& reader : readers)
        if (!group.has_visited(*reader)) realise_locked(*reader);

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
    if (!overlaps) {
        // Pending values that others will read are stored along.
        std::vector<std::pair<Node*, std::shared_ptr<Buffer>>> results;
        for (Node* other : group.visited()) {
            if (other == node.get() || other->is_done()) continue;
            // What read the overwritten memory has to be stored now.
            if (!is_stored_along(*other) &&
                (other->storages.load(std::memory_order_relaxed) == 0 || !reads_below(*other, *buffer)))
                continue;
            std::shared_ptr<Buffer> result = buffer_for(*other);
            program.stores.push_back({other->mark_value, store_access(*other, result)});
            results.emplace_back(other, std::move(result));
        }
        program.stores.insert(program.stores.begin(), {value, store});
        note_uses(program, node->stream);
        launch_elementwise(program, node->stream);
        for (auto& [other, result] : results) finish(*other, std::move(result));
        return;
    }
    std::shared_ptr<Buffer> aside = buffer_for(*node);
    program.stores.push_back({value, store_access(*node, aside)});
    note_uses(program, node->stream);
    launch_elementwise(program, node->stream);
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

struct Exclusive::State {
    EvaluationScope scope;
};
Exclusive::Exclusive() : state_(std::make_unique<State>()) {
    ++evaluation->depth;
}
Exclusive::~Exclusive() = default;

void scatter(const Array& target, std::int64_t offset, const Dims& strides, const NodePtr& node,
             std::span<const Input> indices, std::span<const IndexedAxis> axes, IndexMode mode) {
    if (node->size == 0) return;
    const std::shared_ptr<Buffer> buffer = target.buffer();  // computes what is pending and reads it
    // The value is computed aside where it may read what is written.
    record(node);
    realise(node);
    const Exclusive lock;
    GroupBuilder group(node->shape, node->stream);
    Input value;
    value.kind = Input::Kind::Memory;
    value.dtype = node->dtype;
    value.buffer = node->buffer;
    value.strides = node->strides;
    Store store;
    store.value = group.input(value, node->dtype);
    for (const Input& index : indices) store.indices.push_back(group.input(index, DType::Int64));
    store.scatter = {mode, {axes.begin(), axes.end()}};
    store.target.dtype = target.dtype();
    store.target.address = static_cast<std::byte*>(buffer->data()) + offset;
    store.target.strides = strides;
    store.target.buffer = buffer;
    group.program().stores.push_back(std::move(store));
    note_uses(group.program(), node->stream);
    launch_elementwise(group.program(), node->stream);
}

namespace {
std::atomic<int> plan_for{-1};
}

DeviceKind planned_kind(const Device& device) {
    const int given = plan_for.load(std::memory_order_relaxed);
    return given < 0 ? device.kind() : static_cast<DeviceKind>(given);
}
PlanFor::PlanFor(DeviceKind kind) {
    plan_for = static_cast<int>(kind);
}
PlanFor::~PlanFor() {
    plan_for = -1;
}

void count_launch() {
    ++counters.launches;
}
void count_kernel() {
    ++counters.kernels;
}

}  // namespace engine

void evaluate(const Array& array) {
    if (const auto& storage = ArrayAccess::storage(array)) engine::realise(storage->node());
}

namespace {
void evaluate_where(auto&& wanted) {
    // What nobody holds any more is gone from the list already; the oldest first, as the program asked for them.
    std::vector<NodePtr> nodes = pending().select(1 << 30, wanted);
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
        if ((*node)->storages.load(std::memory_order_relaxed) > 0) engine::realise(*node);
}
}  // namespace

void evaluate() {
    evaluate_where([](const Node&) { return true; });
}
void evaluate(Stream& stream) {
    evaluate_where([&](const Node& node) { return node.stream.get() == &stream; });
}

Eager::Eager() : before_(eager) {
    eager = true;
}
Eager::~Eager() {
    eager = before_;
}

EngineStatistics engine_statistics() {
    return {counters.nodes, counters.launches, counters.kernels,
            static_cast<std::uint64_t>(detail::pending_nodes.load(std::memory_order_relaxed))};
}

}  // namespace lanewise
